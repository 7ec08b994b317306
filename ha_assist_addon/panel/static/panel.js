// What every page shares: the reader's own clock and names of languages, copying, and what is shown only when asked for.
"use strict";
(() => {
  const language = document.documentElement.lang;
  // The reader's region decides on the form of a time, as long as the words around it are in that language.
  const region = navigator.languages.find((code) => code.split("-")[0] === language) || language;
  const sameDay = (a, b) => a.toDateString() === b.toDateString();

  function localTimes(root) {
    for (const element of root.querySelectorAll("time[datetime]")) {
      const time = new Date(element.dateTime);
      if (Number.isNaN(time.getTime())) continue;
      const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
      const day = { day: "numeric", month: "short" };
      const form = element.dataset.form;
      element.textContent = form === "full" ? time.toLocaleString(region, { dateStyle: "medium", timeStyle: "medium" })
        : form === "hour" ? time.toLocaleTimeString(region, { hour: "2-digit", minute: "2-digit" })
        : form === "day" ? time.toLocaleDateString(region, day)
        : sameDay(time, new Date()) ? time.toLocaleTimeString(region, clock)
        : time.toLocaleString(region, { ...day, hour: "2-digit", minute: "2-digit" });
      element.title = time.toLocaleString(region, { dateStyle: "full", timeStyle: "medium" });
    }
  }

  function languageNames(root) {
    const names = new Intl.DisplayNames([language], { type: "language" });
    for (const element of root.querySelectorAll("[data-language]")) {
      try {
        element.textContent = names.of(element.dataset.language);
      } catch { /* what the browser does not know stays a code */ }
    }
  }

  function textOf(button) {
    const source = document.getElementById(button.dataset.copy);
    return source.value ?? source.dataset.secret ?? source.textContent;
  }

  async function copy(button) {
    const text = textOf(button);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without https, or in a frame that may not use the clipboard.
      const field = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus();
    }
    say(button.dataset.done);
    const label = button.querySelector("[data-label]") || button;
    const before = label.textContent;
    label.textContent = button.dataset.done;
    setTimeout(() => { label.textContent = before; }, 2000);
  }

  function say(text) {
    const region = document.getElementById("said");
    if (region) region.textContent = text;
  }

  function reveal(button) {
    const shown = button.getAttribute("aria-pressed") !== "true";
    const target = document.getElementById(button.dataset.reveal);
    button.setAttribute("aria-pressed", String(shown));
    target.textContent = shown ? target.dataset.secret : "•".repeat(24);
  }

  // A part of the page that takes a while: asked for once the page is there.
  async function load(element) {
    const body = new URLSearchParams({ token: document.querySelector("input[name=token]").value });
    try {
      const answer = await fetch(new URL(element.dataset.load, new URL(document.documentElement.dataset.root, location.href)), { method: "POST", body });
      element.innerHTML = answer.ok ? await answer.text() : "";
      element.hidden = !answer.ok;
    } catch {
      element.hidden = true;
    }
  }

  document.addEventListener("click", (event) => {
    const copying = event.target.closest?.("[data-copy]");
    const revealing = event.target.closest?.("[data-reveal]");
    if (copying) void copy(copying);
    if (revealing) reveal(revealing);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select")) return;
    if (document.getElementById("list") && (event.key === "j" || event.key === "k")) {
      const rows = [...document.querySelectorAll(".turn-row > a.row")];
      const here = rows.indexOf(document.activeElement?.closest(".turn-row")?.querySelector("a.row"));
      const next = rows[here < 0 ? 0 : here + (event.key === "j" ? 1 : -1)];
      event.preventDefault();
      next?.focus();
      return;
    }
    const link = { j: "[data-key='older']", k: "[data-key='newer']", u: "[data-key='back']", "/": "[data-key='search']" }[event.key];
    const element = link && document.querySelector(link);
    if (!element) return;
    event.preventDefault();
    if (event.key === "/") element.focus();
    else element.click();
  });
  function dress(root) {
    localTimes(root);
    languageNames(root);
  }
  // What htmx morphs keeps its element and gets the server's text again.
  document.addEventListener("htmx:after:swap", () => dress(document));
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === 1) dress(node.parentNode || node);
  }).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    localTimes(document);
    languageNames(document);
    for (const element of document.querySelectorAll("[data-load]")) void load(element);
    document.querySelector("[data-focus]")?.focus();
  });
})();
