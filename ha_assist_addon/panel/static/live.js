// The list keeps itself up to date: over a WebSocket, else by asking; new rows wait while the reader is elsewhere.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const MOST_ROWS = 300;
  const RETRY_FIRST = 1000, RETRY_LAST = 15000, POLL = 3000, GREETING = 10000;
  const list = document.getElementById("list");
  const running = document.getElementById("running");
  const state = document.getElementById("live");
  const pauseButton = document.getElementById("pause");
  const waitingButton = document.getElementById("waiting");
  const query = list.dataset.query ? `?${list.dataset.query}` : "";
  const base = new URL(document.documentElement.dataset.root, location.href);
  const waiting = new Map();
  let seq = Math.max(0, ...[...list.children].map((row) => Number(row.dataset.seq || 0)));
  let paused = false, failures = 0, polling = null;

  function show(name) {
    state.dataset.state = name;
    state.querySelector("[data-text]").textContent = state.dataset[paused ? "paused" : name];
  }

  function place({ turn, html }) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const row = holder.content.querySelector("li");
    const old = list.querySelector(`[data-turn="${turn}"]`);
    if (old) {
      if (old.querySelector("details")?.open) row.querySelector("details")?.setAttribute("open", "");
      const focused = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
      old.replaceWith(row);
      if (focused) [...row.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    } else {
      row.classList.add("fresh");
      // Turns are numbered by their beginning: a row that is late goes to its place.
      const below = [...list.querySelectorAll("[data-turn]")].find((other) => Number(other.dataset.turn) < turn);
      if (below) below.before(row);
      else list.prepend(row);
      const rows = list.querySelectorAll("[data-turn]");
      if (rows.length > MOST_ROWS) rows[rows.length - 1].remove();
    }
    document.getElementById("empty").hidden = true;
    document.querySelector(".columns").hidden = false;
  }

  function take(message) {
    if (message.stale) outdated();
    if (message.running !== undefined) running.innerHTML = message.running;
    if (message.turn === undefined) return;
    seq = Math.max(seq, message.seq);
    const known = list.querySelector(`[data-turn="${message.turn}"]`);
    const elsewhere = list.getBoundingClientRect().top < 0;
    if (!paused && (known || !elsewhere)) {
      place(message);
      return;
    }
    waiting.set(message.turn, message);
    if (waiting.size > MOST_ROWS) waiting.delete(waiting.keys().next().value);
    const form = waiting.size === 1 ? waitingButton.dataset.one : waitingButton.dataset.other;
    waitingButton.textContent = form.replace("{n}", waiting.size);
    waitingButton.hidden = false;
  }

  function release() {
    for (const message of waiting.values()) place(message);
    waiting.clear();
    waitingButton.hidden = true;
  }

  // A proxy accepts the socket before it has reached the server: connected is who has received a message.
  function connect() {
    const address = new URL(`live${query}`, base);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    let greeted = false;
    const patience = setTimeout(() => socket.close(), GREETING);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ token: list.dataset.token, after: seq })));
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.hello) {
        greeted = true;
        failures = 0;
        clearTimeout(patience);
        clearInterval(polling);
        polling = null;
        show("on");
      }
      take(message);
    });
    socket.addEventListener("close", () => {
      clearTimeout(patience);
      if (!greeted || !polling) failures += 1;
      if (!polling) {
        polling = setInterval(poll, POLL);
        show("off");
        void poll();
      }
      const wait = Math.min(RETRY_LAST, RETRY_FIRST * 2 ** (failures - 1));
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
    });
  }

  async function poll() {
    try {
      const answer = await fetch(new URL(`live/since/${seq}${query}`, base));
      if (!answer.ok) throw new Error(String(answer.status));
      const messages = await answer.json();
      if (!polling) return;
      for (const message of messages) take(message);
      show("poll");
    } catch {
      if (polling) show("off");
    }
  }

  // The page is from before a restart: a new one takes its place unless that would take something from the reader.
  function outdated() {
    if (paused || scrollY > 0 || document.activeElement?.name === "q") document.getElementById("stale").hidden = false;
    else location.reload();
  }

  pauseButton.addEventListener("click", () => {
    paused = !paused;
    pauseButton.setAttribute("aria-pressed", String(paused));
    pauseButton.querySelector("span").textContent = pauseButton.dataset[paused ? "resume" : "pause"];
    if (!paused) release();
    show(state.dataset.state || "off");
  });
  waitingButton.addEventListener("click", () => {
    release();
    scrollTo({ top: 0 });
    list.querySelector("a")?.focus({ preventScroll: true });
  });
  document.getElementById("filters").addEventListener("change", ({ currentTarget, target }) => {
    if (target.name !== "q") currentTarget.requestSubmit();
  });
  // Coming back, by whatever way, finds the row again and as many above it.
  list.addEventListener("click", ({ target }) => {
    const turn = target.closest("a.row")?.closest("[data-turn]")?.dataset.turn;
    if (turn) history.replaceState(null, "", `?at=${turn}${query.replace("?", "&")}#t${turn}`);
  });
  // A browser's own way back scrolls to the row, but does not focus it.
  window.addEventListener("pageshow", () => {
    if (location.hash.startsWith("#t")) document.getElementById(location.hash.slice(1))?.focus({ preventScroll: true });
  });
  connect();
});
