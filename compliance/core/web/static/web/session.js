// Warns before the idle time-out. The body says how many seconds are left and how many before the end to warn.
// Without this file nothing is lost: the server ends the session by itself.
(() => {
  "use strict";

  const { sessionSeconds, sessionWarn, sessionExtend, sessionOver } = document.body.dataset;
  const dialog = document.getElementById("session-warning");
  if (!sessionSeconds || !dialog) return;

  const left = dialog.querySelector("[data-session-left]");
  const form = dialog.querySelector("form");
  let endsAt = Date.now() + Number(sessionSeconds) * 1000;

  const words = (seconds) => {
    if (seconds <= 0) return "a moment";
    if (seconds > 60) return `${Math.ceil(seconds / 60)} minutes`;
    return seconds > 20 ? "one minute" : `${seconds} seconds`;
  };

  const look = () => {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    // Two seconds late on purpose: a request before the server's own end would keep the session alive.
    if (seconds <= -2) {
      const here = window.location.pathname + window.location.search;
      window.location.assign(sessionOver ? `${sessionOver}?next=${encodeURIComponent(here)}` : "/");
      return;
    }
    // Written only when the words change, so that a screen reader does not count along.
    if (seconds <= Number(sessionWarn)) {
      if (left.textContent !== words(seconds)) left.textContent = words(seconds);
      if (!dialog.open) dialog.showModal();
    } else if (dialog.open) {
      dialog.close();
    }
  };

  const stay = async () => {
    const answer = await fetch(sessionExtend, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new FormData(form),
      redirect: "error",
    });
    if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
    const { seconds } = await answer.json();
    endsAt = Date.now() + seconds * 1000;
    look();
  };

  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    stay().catch(() => window.location.reload());
  });

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    stay().catch(() => window.location.reload());
  });

  // A request made by htmx has kept the session alive as well, unless the page made it by itself.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { successful, requestConfig } = event.detail;
    if (successful && !requestConfig.headers["X-Background"]) endsAt = Date.now() + Number(sessionSeconds) * 1000;
  });

  window.setInterval(look, 1000);
  document.addEventListener("visibilitychange", look);
})();
