// Asks for the sign again every few seconds, saying what is on the screen. It has no clock of its own: what cannot be
// confirmed is not counted on. Without this script the page renews itself by its meta element,
// and the stylesheet says when that has not happened for too long.
"use strict";

async function renew() {
  const { following, seconds } = document.body.dataset;
  let next = Number(seconds);
  try {
    const answer = await fetch(following, { cache: "no-store", signal: AbortSignal.timeout(8000) });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.title = page.title;
    document.body.replaceWith(page.body);
    next = Number(document.body.dataset.seconds);
  } catch {
    document.body.classList.add("is-lost");
  }
  setTimeout(renew, next * 1000);
}

setTimeout(renew, Number(document.body.dataset.seconds) * 1000);
