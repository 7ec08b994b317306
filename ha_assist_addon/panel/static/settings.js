// The settings form: what verification costs, and a word before unsaved changes are lost.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("form");
  const cost = document.getElementById("cost");
  const attempts = form.elements["settings.ha_assist_verify_attempts"];
  const delay = form.elements["settings.ha_assist_verify_delay"];
  const seconds = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 2 });

  function spellOut() {
    const own = Number(cost.dataset.own);
    const most = cost.dataset.rounds - own;
    const waits = Math.min(attempts.value, most);
    const reads = Math.min(Number(attempts.value) + 1, most);
    const text = !attempts.validity.valid || !delay.validity.valid ? cost.dataset.wrong
      : waits === 0 ? cost.dataset.none
      : cost.dataset.cost.replace("{seconds}", seconds.format(waits * delay.value))
        .replace("{taken}", reads + own).replace("{rounds}", cost.dataset.rounds);
    cost.querySelector("[data-text]").textContent = text;
  }
  for (const input of [attempts, delay]) input.addEventListener("input", spellOut);
  spellOut();

  form.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-restore]");
    if (!button) return;
    const field = document.getElementById(button.dataset.restore);
    if (field.type === "checkbox") field.checked = button.dataset.value === "on";
    else field.value = button.dataset.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
    button.remove();
  });

  let changed = !form.querySelector("[data-changed]").hidden;
  form.addEventListener("input", () => {
    changed = true;
    form.querySelector("[data-changed]").hidden = false;
  });
  form.addEventListener("submit", () => { changed = false; });
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
  const wrong = document.querySelector("[aria-invalid='true']");
  wrong?.focus({ preventScroll: true });
  wrong?.scrollIntoView({ block: "center" });
});
