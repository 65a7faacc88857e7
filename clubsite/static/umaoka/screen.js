// The page on the wall: shows one slide after another, fetches new ones when something changed, and says when it
// was last updated or that the connection is lost. clock.js asks the server and tells by events.
"use strict";

(() => {
  const stage = document.querySelector("[data-slides]");
  if (!stage) return;

  const SHOWN_FOR = 12_000;
  const place = stage.querySelector("[data-part=place]");
  const sticks = stage.querySelector("[data-part=sticks]");
  const updated = stage.querySelector("[data-part=updated]");
  const lost = stage.querySelector("[data-part=lost]");
  let version = stage.dataset.version;
  let at = 0;
  let since = performance.now();
  let fetching = false;

  const slides = () => [...place.querySelectorAll(".slide")];

  const show = (number) => {
    const all = slides();
    if (!all.length) return;
    at = (number + all.length) % all.length;
    all.forEach((slide, index) => {
      slide.hidden = index !== at;
    });
    sticks.replaceChildren(
      ...all.map((_slide, index) => {
        const stick = document.createElement("i");
        if (index === at) stick.className = "current";
        return stick;
      }),
    );
    since = performance.now();
  };

  const refresh = async (wanted) => {
    if (fetching || wanted === version) return;
    fetching = true;
    try {
      const answer = await fetch(stage.dataset.slides, { cache: "no-cache" });
      if (!answer.ok) return;
      const title = slides()[at]?.dataset.key;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...fresh.querySelectorAll(".slide"));
      version = wanted;
      const same = slides().findIndex((slide) => slide.dataset.key === title);
      const shownSince = since;
      show(same < 0 ? 0 : same);
      if (same >= 0) since = shownSince;
    } catch {
      // the next answer of the clock brings us back here
    } finally {
      fetching = false;
    }
  };

  document.addEventListener("clock:answer", ({ detail }) => {
    updated.textContent = stage.dataset.updated.replace("%s", detail.time);
    lost.hidden = true;
    refresh(detail.version);
  });
  document.addEventListener("clock:lost", () => {
    lost.hidden = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "ArrowRight") show(at + 1);
    if (event.key === "ArrowLeft") show(at - 1);
  });
  setInterval(() => {
    if (performance.now() - since >= SHOWN_FOR && slides().length > 1) show(at + 1);
  }, 250);
  show(0);
})();
