// A radio button is ticked as soon as something is typed into the field that belongs to it (`data-ticks`).
"use strict";
document.addEventListener("input", (event) => {
  const radio = document.getElementById(event.target.dataset.ticks);
  if (radio && event.target.value.trim()) radio.checked = true;
});
