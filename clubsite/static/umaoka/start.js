/* The buttons below the rule sets repeat the name of the chosen one. */
"use strict";
(() => {
  const form = document.querySelector("[data-presets]");

  const name = () => {
    const chosen = form.querySelector("[name=preset]:checked");
    if (!chosen) return;
    for (const button of form.querySelectorAll("[data-names]")) {
      button.textContent = chosen.dataset[button.dataset.names];
    }
  };

  form.addEventListener("change", name);
  name();
})();
