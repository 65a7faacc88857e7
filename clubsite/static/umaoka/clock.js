// The clock of a round. The server says how much is left; from there this device measures with performance.now(),
// so that its own clock may be wrong. It asks again every few seconds, and goes on alone when the site does not answer.
"use strict";

(() => {
  const root = document.querySelector("[data-clock]");
  if (!root) return;

  const EVERY = 3000;
  const PATIENCE = 8000;
  const part = (name) => root.querySelector(`[data-part=${name}]`);
  let clock = null;
  let asked = 0; // performance.now() when the answer was true
  let before = null; // what was left at the last tick, to see signals pass
  let audio = null;

  const left = () => {
    if (!clock || clock.remaining === null) return null;
    return clock.state === "running" ? clock.remaining - (performance.now() - asked) : clock.remaining;
  };

  const digits = (milliseconds) => {
    const seconds = milliseconds >= 0 ? Math.ceil(milliseconds / 1000) : Math.floor(-milliseconds / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    if (minutes < 180) return `${two(minutes)}:${two(seconds % 60)}`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  };

  const say = (name, text) => {
    const element = part(name);
    if (element && element.textContent !== text) element.textContent = text;
  };

  const lost = (yes) => {
    const element = part("lost");
    if (element) element.hidden = !yes;
  };

  const words = (remaining) => {
    if (remaining === null || clock.state !== "running") return clock.words.before;
    if (remaining <= 0) return clock.words.over;
    return clock.warning !== null && remaining <= clock.warning ? clock.words.after : clock.words.before;
  };

  const draw = () => {
    if (!clock) return;
    const remaining = left();
    const start = clock.startsIn === null ? 0 : clock.startsIn - (performance.now() - asked);
    if (start > 0) {
      say("time", digits(start));
    } else if (clock.state === "none") {
      say("time", "–:–");
    } else if (remaining === null) {
      const more = clock.state === "running" ? performance.now() - asked : 0;
      say("time", digits(-(clock.played + more)));
    } else {
      say("time", digits(remaining));
    }
    const over = clock.state === "running" && remaining !== null && remaining <= 0;
    say("label", over ? clock.overLabel : start > 0 ? clock.label : clock.plainLabel);
    say("words", words(remaining));
    say("tables", clock.tables.join(" · "));
    root.dataset.state = over ? "over" : clock.state;
    bar(remaining);
    signals(remaining);
  };

  const bar = (remaining) => {
    const run = part("run");
    if (!run) return;
    const share = (time) => `${Math.max(0, Math.min(100, (100 * time) / clock.length)).toFixed(2)}%`;
    const timed = remaining !== null && clock.length > 0;
    run.querySelector(".gone").setAttribute("width", timed ? share(remaining) : "0%");
    const dot = run.querySelector("circle");
    dot.setAttribute("cx", timed && clock.warning ? share(clock.warning) : "-5%");
  };

  const signals = (remaining) => {
    if (remaining !== null && before !== null && clock.state === "running") {
      for (const at of clock.signals) {
        if (before > at && remaining <= at) signal(at);
      }
    }
    before = remaining;
  };

  const signal = (at) => {
    root.dataset.signal = String(at);
    if (audio) for (const beat of [0, 0.6, 1.2]) tone(audio.currentTime + beat, 0.45);
  };

  const tone = (start, length) => {
    const source = audio.createOscillator();
    const loudness = audio.createGain();
    source.frequency.value = 880;
    loudness.gain.setValueAtTime(0.0001, start);
    loudness.gain.exponentialRampToValueAtTime(0.6, start + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + length);
    source.connect(loudness).connect(audio.destination);
    source.start(start);
    source.stop(start + length);
  };

  const button = document.querySelector("[data-sound]");
  if (button && window.AudioContext) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const on = !audio;
      if (on) {
        audio = new AudioContext();
        await audio.resume();
        tone(audio.currentTime, 0.2); // so that everybody hears that it works
      } else {
        await audio.close();
        audio = null;
      }
      button.setAttribute("aria-pressed", String(on));
      button.textContent = on ? button.dataset.on : button.dataset.off;
    });
  }

  const ask = async () => {
    const sent = performance.now();
    try {
      const answer = await fetch(root.dataset.clock, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      const received = performance.now();
      if (!clock || clock.round !== state.clock.round) before = null;
      clock = state.clock;
      asked = (sent + received) / 2; // the server looked at its clock somewhere between
      lost(false);
      document.dispatchEvent(new CustomEvent("clock:answer", { detail: state }));
    } catch {
      lost(true);
      document.dispatchEvent(new CustomEvent("clock:lost"));
    }
    draw();
    setTimeout(ask, EVERY);
  };

  setInterval(draw, 200);
  ask();
})();
