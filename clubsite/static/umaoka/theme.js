/* Light, dark or the system's. Loaded in the head and not deferred, so that a page never flashes the other theme.
   The key and its values are those of Django's admin: one choice holds on both. */
"use strict";
(() => {
  const KEY = "theme";

  const read = () => {
    try {
      return localStorage.getItem(KEY) || "auto";
    } catch {
      return "auto"; // storage may be forbidden; the system's theme still works
    }
  };

  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-switch] button")) {
      button.setAttribute("aria-pressed", String(button.value === theme));
    }
  };

  const choose = (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    try {
      localStorage.setItem(KEY, button.value);
    } catch {
      // nothing is remembered, the choice holds for this page
    }
    apply(button.value);
  };

  apply(read());
  addEventListener("storage", () => apply(read()));
  document.addEventListener("DOMContentLoaded", () => {
    for (const group of document.querySelectorAll("[data-theme-switch]")) {
      group.hidden = false;
      group.addEventListener("click", choose);
    }
    apply(read());
  });
})();
