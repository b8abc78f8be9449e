// Keeps what is typed of a dispute: on the server with every pause in typing, and on this device while the server
// cannot be reached. What the device keeps is deleted as soon as the server has it; a patron's details it never keeps.
(() => {
  "use strict";

  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const state = document.getElementById("draft-state");
  const key = form.dataset.draftKey;
  const PAUSE = 800;
  const RETRY = 4000;
  let timer = 0;
  let isUnsent = false;
  let mayGo = false;

  const say = (words) => {
    if (state.textContent !== words) state.textContent = words;
  };

  // With a way back: whoever signs in there comes to this page again, and so does what they typed.
  const sayTheyAreSignedOut = () => {
    const link = document.createElement("a");
    link.href = window.location.href;
    link.textContent = "Sign in again";
    state.replaceChildren("You have been signed out. What you typed is kept on this device. ", link, ".");
  };

  const keepHere = () => {
    const kept = {};
    for (const field of form.elements) {
      if (!field.name || field.type === "file" || field.type === "submit" || field.type === "hidden") continue;
      if ("personal" in field.dataset) continue;
      const isTick = field.type === "checkbox" || field.type === "radio";
      if (isTick && !field.checked) continue;
      (kept[field.name] ||= []).push(field.value);
    }
    try {
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // A device that keeps nothing (private window, full) still has the page itself.
    }
  };

  const bringBack = () => {
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(key) || "null");
    } catch {
      kept = null;
    }
    if (!kept) return false;
    for (const field of form.elements) {
      if (!field.name || field.type === "file" || field.type === "submit" || field.type === "hidden") continue;
      if ("personal" in field.dataset) continue;
      const values = kept[field.name] || [];
      if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
      else field.value = values[0] || "";
    }
    return true;
  };

  const save = async () => {
    window.clearTimeout(timer);
    const body = new FormData(form);
    body.delete("papers");
    try {
      const answer = await fetch(form.dataset.draft, { method: "POST", body, redirect: "manual" });
      if (answer.type === "opaqueredirect") {
        isUnsent = true;
        keepHere();
        sayTheyAreSignedOut();
        return false;
      }
      if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
      isUnsent = false;
      localStorage.removeItem(key);
      say("Draft saved. Nothing is logged yet.");
      return true;
    } catch {
      isUnsent = true;
      keepHere();
      say("No connection. What you typed is kept on this device and sent as soon as the connection is back.");
      timer = window.setTimeout(save, RETRY);
      return false;
    }
  };

  const later = () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(save, PAUSE);
    if (isUnsent) keepHere();
  };

  form.addEventListener("input", later);
  form.addEventListener("change", later);
  window.addEventListener("online", () => isUnsent && save());

  // Sent only once the server has answered: a form that is sent into a dead connection would be gone.
  form.addEventListener("submit", (event) => {
    if (mayGo) return;
    event.preventDefault();
    const button = event.submitter;
    save().then((isSaved) => {
      if (!isSaved) return;
      window.clearTimeout(timer);
      mayGo = true;
      form.requestSubmit(button);
    });
  });

  window.addEventListener("pageshow", () => {
    mayGo = false;
  });

  // On a slow line a person types before this script runs.
  const isTyped = (field) => {
    if (!field.name || field.type === "hidden" || field.type === "file") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    return "defaultValue" in field && field.value !== field.defaultValue;
  };

  if (bringBack() || [...form.elements].some(isTyped)) save();
})();
