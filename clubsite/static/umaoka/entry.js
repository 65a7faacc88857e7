// The entry page's keyboard and thumbs: Enter moves on, ± turns the sign, suggestions are chosen.
// Everything here only fills fields; what they mean is decided by the server.
"use strict";
(() => {
  const form = document.querySelector("form.entry");
  if (!form) return;
  const changed = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));
  const main = form.querySelector("button[value='next']");

  // --- the way through the sheet ----------------------------------------------------------------------------
  const stops = () => {
    const names = [];
    for (const wind of [0, 1, 2, 3]) names.push(`seat${wind}-player`, `seat${wind}-points`);
    return [...names, "sticks_left"].map((name) => form.elements.namedItem(name)).filter(Boolean);
  };
  const sumIsRight = () => form.querySelector("#check-state")?.dataset.state === "ok";
  const moveOn = (input) => {
    const way = stops();
    const here = way.indexOf(input);
    const lastPoints = input.name === "seat3-points";
    if (here === way.length - 1 || (lastPoints && sumIsRight())) return form.requestSubmit(main);
    const next = here >= 0 ? way[here + 1] : way.find((stop) => follows(input, stop));
    if (next) { next.focus(); next.select?.(); } else { form.requestSubmit(main); }
  };
  const follows = (input, stop) => Boolean(input.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit(main);
      return;
    }
    const input = event.target;
    if (input.getAttribute?.("role") === "combobox" && steer(event, input)) return;
    if (event.key === "Enter" && input.tagName === "INPUT") {
      event.preventDefault();
      moveOn(input);
    }
  });

  // --- names -----------------------------------------------------------------------------------------------
  const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
  const optionsOf = (input) => [...listOf(input).querySelectorAll("[role=option]")];
  // Whether the list answers what stands in the field now; a fast typist is ahead of it.
  const answers = (input) => listOf(input).querySelector("[data-typed]")?.dataset.typed === input.value.trim();
  const isGuest = (option) => option?.dataset.new === "1";
  const activeOf = (input) => optionsOf(input).find((option) => option.getAttribute("aria-selected") === "true");
  const show = (input, open) => {
    listOf(input).hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) input.removeAttribute("aria-activedescendant");
  };
  const activate = (input, option) => {
    for (const each of optionsOf(input)) each.setAttribute("aria-selected", String(each === option));
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const choose = (input, option) => {
    input.value = option.dataset.name;
    document.getElementById(input.dataset.id).value = option.dataset.id || "";
    const guest = input.dataset.new && document.getElementById(input.dataset.new);
    if (guest) guest.checked = option.dataset.new === "1";
    show(input, false);
    input.dataset.chosen = "1";
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const steer = (event, input) => {
    const options = optionsOf(input);
    const open = !listOf(input).hidden && options.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (!open) return false;
      event.preventDefault();
      const at = options.indexOf(activeOf(input));
      const step = event.key === "ArrowDown" ? 1 : -1;
      activate(input, options[(at + step + options.length) % options.length]);
      return true;
    }
    if (event.key === "Escape" && open) { show(input, false); return true; }
    if (event.key === "Enter" || event.key === "Tab") {
      if (open && activeOf(input) && answers(input)) choose(input, activeOf(input));
      else if (input.value.trim() && !input.dataset.chosen && !answers(input)) input.dataset.wanted = "1";
    }
    return false;
  };
  form.addEventListener("input", (event) => {
    const input = event.target;
    if (input.getAttribute?.("role") !== "combobox") return;
    document.getElementById(input.dataset.id).value = ""; // what is typed over is no longer who was chosen
    const guest = input.dataset.new && document.getElementById(input.dataset.new);
    if (guest) guest.checked = false;
    delete input.dataset.chosen;
    delete input.dataset.wanted;
    if (!answers(input)) activate(input, null);
  });
  form.addEventListener("htmx:afterSwap", (event) => {
    const list = event.target;
    if (list.getAttribute?.("role") !== "listbox") return;
    const input = form.querySelector(`[aria-controls="${CSS.escape(list.id)}"]`);
    const options = optionsOf(input);
    const first = answers(input) && input.value.trim() && !isGuest(options[0]) ? options[0] : null;
    if (input.dataset.wanted && first) { // Enter was pressed before the list came
      delete input.dataset.wanted;
      return choose(input, first);
    }
    if (document.activeElement !== input || input.dataset.chosen) return show(input, false);
    show(input, options.length > 0);
    // A typed name is offered ready to be taken; a new guest never by a slip of the Enter key.
    activate(input, first);
  });
  form.addEventListener("focusout", (event) => {
    if (event.target.getAttribute?.("role") === "combobox") show(event.target, false);
  });
  form.addEventListener("pointerdown", (event) => {
    const option = event.target.closest?.("[role=option]");
    if (!option) return;
    event.preventDefault(); // keep the focus in the field
    const input = form.querySelector(`[aria-controls="${CSS.escape(option.parentElement.id)}"]`);
    choose(input, option);
    moveOn(input);
  });

  // --- thumbs ----------------------------------------------------------------------------------------------
  const turnSign = (input) => {
    const text = input.value.trim();
    input.value = /^[-−–△▲]/.test(text) ? text.replace(/^[-−–△▲]\s*/, "") : `-${text}`;
  };
  form.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (!button || button.type !== "button") return;
    const input = document.getElementById(button.dataset.sign || button.dataset.for);
    if (!input) return;
    if (button.dataset.sign) turnSign(input);
    else if (button.dataset.step) input.value = Math.max(0, (parseInt(input.value, 10) || 0) + Number(button.dataset.step));
    else if (button.dataset.use !== undefined) input.value = button.dataset.use;
    if (!button.dataset.step) input.focus();
    changed(input);
  });

  // --- the live check ---------------------------------------------------------------------------------------
  document.body.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id === "check-state") document.getElementById("check").className = `check ${event.target.dataset.state}`;
  });
  form.querySelector("select[data-reload]")?.addEventListener("change", (event) => {
    const where = new URL(event.target.dataset.reload, location);
    where.searchParams.set("season", event.target.value);
    if (!stops().some((stop) => stop.value && stop.name !== "sticks_left")) location.assign(where);
  });
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault(); // a second press while the first is under way
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", () => delete form.dataset.sent);
})();
