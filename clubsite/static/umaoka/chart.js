// A chart is one stop of the Tab key: arrow keys, Home and End move between its points. Without this script every
// point is a stop, and the same numbers are in the table below.

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

for (const chart of document.querySelectorAll("svg.chart")) {
  const points = [...chart.querySelectorAll("a")];
  let here = points.at(-1); // the newest game

  const stand = (point) => {
    here = point;
    for (const each of points) {
      each.setAttribute("tabindex", each === here ? "0" : "-1");
    }
  };

  // Not of the chart itself: Chromium lets the Tab key stop at a drawing that listens for focus.
  chart.parentElement.addEventListener("focusin", (event) => {
    const point = event.target.closest("a");
    if (points.includes(point)) {
      stand(point);
    }
  });

  chart.addEventListener("keydown", (event) => {
    const shown = points.filter((point) => point.getBoundingClientRect().width); // a phone leaves some out
    const at = shown.indexOf(here);
    const to = { Home: 0, End: shown.length - 1 }[event.key] ?? at + STEPS[event.key];
    if (Number.isNaN(to)) {
      return;
    }
    event.preventDefault();
    shown[Math.min(Math.max(to, 0), shown.length - 1)].focus();
  });

  if (here) {
    stand(here);
  }
}
