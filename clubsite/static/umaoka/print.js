// A page for paper: prints at once when it was opened to be printed (#print), and by its button.
"use strict";

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
if (location.hash === "#print") window.addEventListener("load", () => window.print());
