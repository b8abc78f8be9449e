// The text of a rule pack: line numbers, find, jumps to a line, and a word on whether it is kept. htmx sends the text at
// every pause. While the server does not have it, this device keeps it, and leaving the page warns only where neither does.
(() => {
  "use strict";

  const form = document.querySelector("form[data-editor]");
  if (!form) return;
  const text = form.querySelector("textarea");
  const results = document.getElementById("results");
  const [numbers, position, state, found] = ["numbers", "position", "state", "found"].map((name) =>
    form.querySelector(`[data-${name}]`),
  );
  const find = document.getElementById("find");
  const key = form.dataset.editorKey;
  const RETRY = 4000;
  const ABOVE = 4;
  let sent = text.value;
  let keptText = text.value;
  let isOnDevice = true;
  let isLeaving = false;
  let retry = 0;

  const say = (words) => {
    if (state.textContent !== words) state.textContent = words;
  };
  const isUnsent = () => text.value !== keptText;
  const number = () => results.querySelector("[name=number]")?.value || "";

  // --- Line numbers ---------------------------------------------------------------------------------------------

  const faulty = () => new Set([...results.querySelectorAll(".faults [data-line]")].map((each) => Number(each.dataset.line)));

  const showNumbers = () => {
    const wrong = faulty();
    const count = text.value.split("\n").length;
    const column = document.createDocumentFragment();
    for (let line = 1; line <= count; line += 1) {
      const cell = document.createElement("span");
      cell.textContent = line;
      if (wrong.has(line)) cell.className = "editor-wrong";
      column.append(cell);
    }
    numbers.replaceChildren(column);
    numbers.scrollTop = text.scrollTop;
  };

  const showPosition = () => {
    const before = text.value.slice(0, text.selectionStart);
    const line = before.split("\n").length;
    position.textContent = `line ${line}, column ${before.length - before.lastIndexOf("\n")}`;
  };

  const lineHeight = () => parseFloat(getComputedStyle(text).lineHeight);

  const letterWidth = () => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(text).font;
    return pen.measureText("0").width;
  };

  const select = (start, end) => {
    text.focus({ preventScroll: true });
    text.setSelectionRange(start, end);
    const before = text.value.slice(0, start);
    text.scrollTop = Math.max(0, (before.split("\n").length - 1 - ABOVE) * lineHeight());
    const across = (start - before.lastIndexOf("\n")) * letterWidth();
    text.scrollLeft = across > text.clientWidth * 0.8 ? across - text.clientWidth / 2 : 0;
    text.scrollIntoView({ block: "nearest" });
    showPosition();
  };

  const jump = (line) => {
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    select(start, start + (lines[line - 1] || "").length);
  };

  results.addEventListener("click", (event) => {
    const link = event.target.closest("[data-jump]");
    if (!link) return;
    event.preventDefault();
    jump(Number(link.dataset.jump));
  });

  // --- Find -----------------------------------------------------------------------------------------------------

  const search = (isBackwards) => {
    const wanted = find.value.toLowerCase();
    if (!wanted) return;
    const where = text.value.toLowerCase();
    const hits = [];
    for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + wanted.length)) hits.push(at);
    if (!hits.length) {
      found.textContent = "Not found";
      return;
    }
    const here = isBackwards ? text.selectionStart : text.selectionEnd;
    const next = isBackwards ? hits.findLast((at) => at < here) : hits.find((at) => at >= here);
    const hit = next ?? (isBackwards ? hits.at(-1) : hits[0]);
    found.textContent = `${hits.indexOf(hit) + 1} of ${hits.length}`;
    select(hit, hit + wanted.length);
  };

  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    search(event.shiftKey);
  });
  for (const button of form.querySelectorAll("[data-find]")) {
    button.addEventListener("click", () => search(button.dataset.find === "previous"));
  }

  // --- Kept -----------------------------------------------------------------------------------------------------

  const keepHere = (wasSubmitted = false) => {
    try {
      localStorage.setItem(key, JSON.stringify({ text: text.value, number: number(), wasSubmitted }));
      isOnDevice = true;
    } catch {
      // A device that keeps nothing (private window, full) still has the page itself.
      isOnDevice = false;
    }
  };

  const tryAgain = (words) => {
    say(words);
    window.clearTimeout(retry);
    retry = window.setTimeout(() => isUnsent() && window.htmx.trigger(text, "again"), RETRY);
  };

  const isOurs = (event) => form.contains(event.detail.requestConfig?.elt || event.detail.elt);

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!isOurs(event)) return;
    sent = text.value;
    say("Keeping and checking …");
  });

  // An error page in place of the editor would take the text away with it.
  let open = new Map();
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!isOurs(event)) return;
    if (event.detail.xhr.status >= 400) {
      event.detail.shouldSwap = false;
      const wait = isOnDevice ? "It is kept on this device, and sent again." : "It is sent again.";
      tryAgain(`The service could not take the text just now. ${wait}`);
      return;
    }
    open = new Map([...results.querySelectorAll("details[id]")].map((each) => [each.id, each.open]));
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== results) return;
    for (const [id, wasOpen] of open) {
      const part = document.getElementById(id);
      if (part) part.open = wasOpen;
    }
    const verdict = document.getElementById("verdict");
    if (verdict.dataset.kept === "no") results.scrollTop = 0;
    if (verdict.dataset.kept === "yes") {
      keptText = sent;
      if (!isUnsent()) localStorage.removeItem(key);
    }
    if (!isUnsent() || verdict.dataset.kept !== "yes") {
      const faults = results.querySelector(".editor-heading")?.textContent;
      say([verdict.dataset.said, faults && `${faults}.`].filter(Boolean).join(" "));
    }
    showNumbers();
  });

  document.addEventListener("htmx:sendError", (event) => {
    if (!isOurs(event)) return;
    const kept = isOnDevice ? "What you typed is kept on this device and sent" : "What you typed is sent";
    tryAgain(`No connection. ${kept} as soon as the connection is back.`);
  });

  text.addEventListener("input", () => {
    showNumbers();
    if (!isUnsent()) return;
    keepHere();
    say("Not kept yet.");
  });
  text.addEventListener("scroll", () => {
    numbers.scrollTop = text.scrollTop;
  });
  for (const name of ["keyup", "click", "select"]) text.addEventListener(name, showPosition);

  // A button may send it into a dead connection: whether it arrived is seen when the page is opened again.
  form.addEventListener("submit", () => {
    isLeaving = true;
    if (isUnsent()) keepHere(true);
  });
  window.addEventListener("pageshow", () => {
    isLeaving = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (isUnsent() && !isOnDevice && !isLeaving) event.preventDefault();
  });

  // --- What this device kept, because the server never got it -----------------------------------------------------

  const write = (words) => {
    text.value = words;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const bringBack = () => {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(key) || "null");
    } catch {
      kept = null;
    }
    const hasArrived = kept && kept.wasSubmitted && kept.number !== number();
    if (!kept || hasArrived || kept.text === text.value) {
      localStorage.removeItem(key);
      return;
    }
    if (kept.number === number()) {
      write(kept.text);
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link-button";
    button.textContent = "Show it";
    button.addEventListener("click", () => write(kept.text));
    state.replaceChildren("This device has a text that was never sent, and another was kept since. ", button);
  };

  for (const part of form.querySelectorAll("[data-with-script]")) part.hidden = false;
  showNumbers();
  showPosition();
  if (document.getElementById("verdict").dataset.kept === "no") keptText = null;
  bringBack();
})();
