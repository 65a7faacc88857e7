// Standings with many rounds begin at the newest one; rank, name and total stay where they are.
"use strict";

for (const box of document.querySelectorAll(".many .rounds-scroll")) {
  box.scrollLeft = box.scrollWidth;
}
