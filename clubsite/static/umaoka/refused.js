// After a refused save the keyboard is at the first wrong field, or at what was said above the form.
"use strict";
(() => {
  const wrong = document.querySelector("main [aria-invalid=true]:not([type=hidden]), #content [aria-invalid=true]");
  const said = wrong || document.querySelector("main form .message.bad, main .message.bad, #content .errornote");
  if (!said) return;
  if (!wrong) said.tabIndex = -1;
  said.focus();
})();
