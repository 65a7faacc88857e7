// Typing the tables of a round with the keyboard: Enter moves on and saves after the last number.
// Everything here only fills fields; what they mean is decided by the server.
"use strict";
(() => {
  const forms = document.querySelectorAll("form.table-form");
  const changed = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));
  const stateOf = (form) => form.querySelector(".check-state")?.dataset.state;

  const moveOn = (form, input) => {
    const points = [...form.querySelectorAll(".join input")];
    const sticks = form.querySelector("input.sticks");
    const at = points.indexOf(input);
    if (at >= 0 && at < points.length - 1) {
      points[at + 1].focus();
      points[at + 1].select();
    } else if (at === points.length - 1 && stateOf(form) === "wrong" && sticks && !sticks.value) {
      sticks.focus(); // the sum is short: perhaps riichi sticks were left
    } else {
      form.requestSubmit(form.querySelector("button.main"));
    }
  };
  const turnSign = (input) => {
    const text = input.value.trim();
    input.value = /^[-−–△▲]/.test(text) ? text.replace(/^[-−–△▲]\s*/, "") : `-${text}`;
  };

  for (const form of forms) {
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) form.requestSubmit(form.querySelector("button.main"));
      else moveOn(form, event.target);
    });
    form.addEventListener("click", (event) => {
      const button = event.target.closest?.("button[type=button]");
      const input = button && document.getElementById(button.dataset.sign || button.dataset.for);
      if (!input) return;
      if (button.dataset.sign) turnSign(input);
      else input.value = button.dataset.use;
      input.focus();
      changed(input);
    });
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault(); // a second press while the first is under way
      form.dataset.sent = "1";
    });
  }
  document.body.addEventListener("htmx:afterSwap", () => {
    for (const form of forms) {
      const kind = { right: "ok", wrong: "bad" }[stateOf(form)] || "wait";
      form.querySelector(".check").className = `check ${kind}`;
    }
  });
  addEventListener("pageshow", () => forms.forEach((form) => delete form.dataset.sent));
})();
