// Through Ingress this page is a frame in Home Assistant's own page: wear its theme, speak its language, offer its menu.
"use strict";
(() => {
  const own = document.documentElement;
  const names = ["primary-background-color", "card-background-color", "primary-text-color", "secondary-text-color",
    "divider-color", "primary-color", "error-color", "success-color", "warning-color", "ha-card-border-radius"];
  if (window.parent === window) return;

  function brightness(colour) {
    const probe = document.createElement("span");
    probe.style.color = colour;
    own.append(probe);
    const [red, green, blue] = (getComputedStyle(probe).color.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
    probe.remove();
    return (red * 299 + green * 587 + blue * 114) / 1000;
  }

  function wear(theirs) {
    const style = window.parent.getComputedStyle(theirs);
    for (const name of names) {
      const value = style.getPropertyValue(`--${name}`).trim();
      if (value) own.style.setProperty(`--${name}`, value);
      else own.style.removeProperty(`--${name}`);
    }
    const background = style.getPropertyValue("--primary-background-color").trim();
    if (background) own.dataset.theme = brightness(background) < 128 ? "dark" : "light";
    else delete own.dataset.theme;
  }

  function speak(language) {
    const known = (own.dataset.languages || "").split(" ");
    const wanted = known.find((code) => code === (language || "").split("-")[0]);
    if (!wanted || wanted === own.lang) return;
    const root = new URL(own.dataset.root || "./", location.href).pathname;
    document.cookie = `ha_assist_language=${wanted}; path=${root}; SameSite=Strict; max-age=31536000`;
    // Once: where cookies are blocked the page stays as it is.
    if (document.cookie.includes(`ha_assist_language=${wanted}`)) location.reload();
  }

  try {
    const theirs = window.parent.document.documentElement;
    wear(theirs);
    speak(theirs.lang);
    new MutationObserver(() => wear(theirs)).observe(theirs, { attributes: true, attributeFilter: ["style", "class"] });
  } catch { /* another origin: the page keeps its own colours */ }

  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent || data?.type !== "home-assistant/properties") return;
    const menu = document.querySelector("[data-menu]");
    if (menu) menu.hidden = !data.narrow;
    for (const side of ["top", "right", "bottom", "left"]) {
      const inset = data.safeAreaInsets?.[side];
      if (/^\d+(\.\d+)?px$/.test(inset || "")) own.style.setProperty(`--inset-${side}`, inset);
    }
  });
  window.parent.postMessage({ type: "home-assistant/subscribe-properties", kioskMode: false, handleSafeArea: true }, location.origin);
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-menu]")) window.parent.postMessage({ type: "home-assistant/toggle-menu" }, location.origin);
  });
})();
