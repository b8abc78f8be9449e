// After a form came back with errors, the summary takes the focus, so that it is read out and seen first.
// A form is sent once: a second press while the first is on its way does nothing.
(() => {
  "use strict";

  const focusSummary = (root) => root.querySelector(".error-summary")?.focus();

  document.addEventListener("DOMContentLoaded", () => focusSummary(document));
  document.addEventListener("htmx:afterSwap", (event) => focusSummary(event.target));

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    // The answer may be a file to save, which leaves this page open: after a while it may be sent again.
    window.setTimeout(() => delete form.dataset.sent, 5000);
  });

  // Coming back by the browser's history shows the page as it was left: it may be sent again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
})();
