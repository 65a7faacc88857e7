// Score sheets of the club, of a round and on the phone: keyboard, thumbs, names, saving, and what is remembered.
// Everything here only fills fields and sends them; the server decides what they mean.
// A sheet is a form with data-sheet. The script exchanges sheets on an open page, so it listens on the document.
"use strict";
(() => {
  const sheetOf = (element) => element.closest?.("form[data-sheet]");
  const sheetsIn = (where) => {
    const itself = where.matches?.("form[data-sheet]") ? [where] : [];
    return [...itself, ...where.querySelectorAll("form[data-sheet]")];
  };
  const mainButton = (form) => form.querySelector("button.main");
  const stateOf = (form) => form.querySelector(".check-state")?.dataset.state;
  const changed = (input) => input.dispatchEvent(new Event("input", { bubbles: true }));
  const isName = (input) => input.getAttribute?.("role") === "combobox";

  // --- the way through a sheet --------------------------------------------------------------------------------
  const pointsOf = (form) => [...form.querySelectorAll(".join input")];
  const stopsOf = (form) => {
    const ways = "[role=combobox][data-new], .join input, input.sticks";
    return [...form.querySelectorAll(ways)];
  };
  const goTo = (input) => { input.focus(); input.select?.(); };
  const save = (form) => {
    // A name whose list is still under way would be refused as unknown: save when it came.
    if (form.querySelector("[data-wanted]")) form.dataset.saving = "1";
    else form.requestSubmit(mainButton(form));
  };
  const settle = (form, input) => {
    delete input.dataset.wanted;
    if (!form.dataset.saving || form.querySelector("[data-wanted]")) return;
    delete form.dataset.saving;
    save(form);
  };
  const moveOn = (form, input) => {
    const stops = stopsOf(form);
    const sticks = form.querySelector("input.sticks");
    const here = stops.indexOf(input);
    if (input === sticks) return save(form);
    if (input === pointsOf(form).at(-1)) {
      // The sum is wrong: perhaps riichi sticks were left.
      return stateOf(form) === "wrong" && sticks && !sticks.value ? goTo(sticks) : save(form);
    }
    const next = here >= 0 ? stops[here + 1] : stops.find((stop) => follows(input, stop));
    if (next) goTo(next);
    else if (isName(input) && "stays" in form.dataset) mainButton(form).focus(); // there is more than names to answer
    else save(form);
  };
  const follows = (input, stop) => Boolean(input.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING);

  document.addEventListener("keydown", (event) => {
    const form = sheetOf(event.target);
    if (!form) return;
    const input = event.target;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      return save(form);
    }
    if (isName(input) && steer(form, event, input)) return;
    if (event.key === "Enter" && input.tagName === "INPUT") {
      event.preventDefault();
      moveOn(form, input);
    }
  });

  // --- names --------------------------------------------------------------------------------------------------
  const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
  const optionsOf = (input) => [...listOf(input).querySelectorAll("[role=option]")];
  // Whether the list answers what is in the field now; a fast typist is ahead of it.
  const answers = (input) => listOf(input).querySelector("[data-typed]")?.dataset.typed === input.value.trim();
  const isGuest = (option) => option?.dataset.new === "1";
  // What Enter takes: the first player if it is surely meant, or a new guest if there is nothing else to choose.
  const takeable = (input) => {
    const [first, ...others] = optionsOf(input);
    if (!first || !answers(input) || !input.value.trim()) return null;
    return first.dataset.sure || (isGuest(first) && !others.length) ? first : null;
  };
  const activeOf = (input) => optionsOf(input).find((option) => option.getAttribute("aria-selected") === "true");
  const ownerOf = (list) => document.querySelector(`[aria-controls="${CSS.escape(list.id)}"]`);
  const show = (input, open) => {
    listOf(input).hidden = !open;
    if (open) listOf(input).scrollIntoView({ block: "nearest" });
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
  const say = (form, words) => {
    const place = form.querySelector("[data-said]");
    if (place && words) place.textContent = words.replace(/\s+/g, " ").trim();
  };
  const choose = (form, input, option) => {
    input.value = option.dataset.name;
    document.getElementById(input.dataset.id).value = option.dataset.id || "";
    const guest = input.dataset.new && document.getElementById(input.dataset.new);
    if (guest) guest.checked = isGuest(option);
    if (isGuest(option)) say(form, option.textContent);
    show(input, false);
    input.dataset.chosen = "1";
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const isUnsure = (input) => answers(input) && input.value.trim() && !input.dataset.chosen;
  const steer = (form, event, input) => {
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
      if (open && activeOf(input) && answers(input)) choose(form, input, activeOf(input));
      else if (event.key === "Enter" && open && isUnsure(input)) {
        event.preventDefault(); // the keyboard waits here until one is chosen, or the list is closed by Escape
        say(form, listOf(input).querySelector(".advice")?.textContent);
        return true;
      } else if (input.value.trim() && !input.dataset.chosen && !answers(input)) input.dataset.wanted = "1";
    }
    return false;
  };
  document.addEventListener("input", (event) => {
    const input = event.target;
    if (!sheetOf(input) || !isName(input)) return;
    document.getElementById(input.dataset.id).value = ""; // what is typed over is no longer who was chosen
    const guest = input.dataset.new && document.getElementById(input.dataset.new);
    if (guest) guest.checked = false;
    delete input.dataset.chosen;
    delete input.dataset.wanted;
    if (!answers(input)) activate(input, null);
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const list = event.target;
    if (list.getAttribute?.("role") !== "listbox" || !sheetOf(list)) return;
    const input = ownerOf(list);
    const first = takeable(input);
    if (input.dataset.wanted && answers(input)) { // Enter was pressed before the list came
      if (first) choose(sheetOf(list), input, first);
      else input.closest("fieldset")?.querySelector(".guest")?.classList.add("asked");
      return settle(sheetOf(list), input);
    }
    if (document.activeElement !== input || input.dataset.chosen) return show(input, false);
    show(input, optionsOf(input).length > 0);
    activate(input, first);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const input = event.target;
    if (!event.detail.successful && input.dataset?.wanted) settle(sheetOf(input), input);
  });
  document.addEventListener("focusout", (event) => {
    if (sheetOf(event.target) && isName(event.target)) show(event.target, false);
  });
  document.addEventListener("pointerdown", (event) => {
    const option = event.target.closest?.("[role=option]");
    const form = option && sheetOf(option);
    if (!form) return;
    event.preventDefault(); // keep the focus in the field
    const input = ownerOf(option.parentElement);
    choose(form, input, option);
    moveOn(form, input);
  });

  // --- thumbs -------------------------------------------------------------------------------------------------
  const turnSign = (input) => {
    const text = input.value.trim();
    input.value = /^[-−–△▲]/.test(text) ? text.replace(/^[-−–△▲]\s*/, "") : `-${text}`;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[type=button]");
    const form = button && sheetOf(button);
    const input = form && document.getElementById(button.dataset.sign || button.dataset.for);
    if (!input) return;
    if (button.dataset.pick) {
      document.getElementById(input.dataset.id).value = button.dataset.pick;
      document.getElementById(input.dataset.new).checked = false;
      input.value = button.dataset.name;
      input.dataset.chosen = "1";
      button.closest(".namesake").remove();
      form.dispatchEvent(new Event("change", { bubbles: true }));
      return goTo(stopsOf(form)[stopsOf(form).indexOf(input) + 1]);
    }
    if (button.dataset.sign) turnSign(input);
    else if (button.dataset.step) {
      input.value = Math.max(0, (parseInt(input.value, 10) || 0) + Number(button.dataset.step));
    } else if (button.dataset.use !== undefined) input.value = button.dataset.use;
    if (!button.dataset.step) input.focus();
    changed(input);
  });
  document.addEventListener("change", (event) => {
    const select = event.target.closest?.("select[data-reload]");
    const form = select && sheetOf(select);
    if (!form) return;
    const where = new URL(select.dataset.reload, location);
    where.searchParams.set("season", select.value);
    if (!stopsOf(form).some((stop) => stop.value && !stop.matches(".sticks"))) location.assign(where);
  });

  // --- what the browser remembers -----------------------------------------------------------------------------
  // Typed and not saved: it survives a reload, a lost connection and a sign-in, until it is saved or discarded.
  const WEEK = 7 * 24 * 3600 * 1000;
  const NOT_TYPED = /(^|-)(csrfmiddlewaretoken|version|season|hanchan)$/;
  const KEPT = "umaoka.sheet.";
  const memory = (form) => KEPT + form.dataset.keep;
  const isTyped = (field) => field.name && field.type !== "submit" && !NOT_TYPED.test(field.name);
  const fieldsOf = (form) => [...form.elements].filter(isTyped);
  const isTick = (field) => field.type === "checkbox" || field.type === "radio";
  const remember = (form) => {
    if (!form.dataset.keep || !form.dataset.touched) return;
    const fields = fieldsOf(form).map((each) => [each.name, isTick(each) ? each.checked : each.value]);
    try {
      localStorage.setItem(memory(form), JSON.stringify({ at: Date.now(), fields }));
    } catch { /* a browser that keeps nothing: the page still works */ }
  };
  const forget = (form) => {
    delete form.dataset.touched;
    try { localStorage.removeItem(memory(form)); } catch { /* nothing was kept */ }
  };
  const remembered = (form) => {
    try {
      const found = JSON.parse(localStorage.getItem(memory(form)) || "null");
      return found && Date.now() - found.at < WEEK ? new Map(found.fields) : null;
    } catch { return null; }
  };
  // A kept sheet that is not opened again would stay in the browser for ever.
  const forgetOld = () => {
    try {
      for (const key of Object.keys(localStorage).filter((each) => each.startsWith(KEPT))) {
        if (Date.now() - JSON.parse(localStorage.getItem(key)).at >= WEEK) localStorage.removeItem(key);
      }
    } catch { /* nothing is kept here */ }
  };
  const recall = (form) => {
    const typed = form.dataset.keep && !form.dataset.sentBack && remembered(form);
    if (!typed) return;
    for (const field of fieldsOf(form)) {
      if (!typed.has(field.name)) continue;
      if (isTick(field)) field.checked = typed.get(field.name); else field.value = typed.get(field.name);
    }
    form.dataset.touched = "1";
    form.querySelector(".remembered").hidden = false;
    form.dispatchEvent(new Event("change", { bubbles: true }));
  };
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = sheetOf(event.target);
      if (!form || event.target === form && !form.dataset.touched) return;
      form.dataset.touched = "1";
      remember(form);
    });
  }
  document.addEventListener("click", (event) => {
    const form = event.target.closest?.("[data-discard]") && sheetOf(event.target);
    if (!form) return;
    forget(form);
    location.reload();
  });

  // --- saving -------------------------------------------------------------------------------------------------
  const pageIn = (text) => new DOMParser().parseFromString(text, "text/html");
  const exchange = (old, fresh) => {
    old.replaceWith(fresh);
    htmx.process(fresh);
    sheetsIn(fresh).forEach(recall);
    return fresh;
  };
  const focusOnWrong = (where) => {
    const wrong = where.querySelector("[aria-invalid=true]") || where.querySelector(".message.bad");
    const question = wrong?.closest("fieldset")?.querySelector(".namesake button");
    if (wrong && !wrong.matches("input, select, textarea")) wrong.tabIndex = -1;
    if (wrong && isName(wrong)) wrong.dataset.chosen = "1"; // its list would cover what is wrong, until more is typed
    (question || wrong)?.focus();
  };
  const inRound = (form) => form.closest("[data-tables]");
  const cardOf = (page, form) => page.querySelector(`[data-card="${form.closest("[data-card]")?.dataset.card}"]`);
  const fail = (form) => {
    delete form.dataset.sent;
    form.querySelector(".trouble").hidden = false;
    form.querySelector(".trouble").scrollIntoView({ block: "nearest" });
  };
  const showAgain = (form, text) => {
    const page = pageIn(text);
    const again = inRound(form) && page.querySelector(`form[data-keep="${form.dataset.keep}"]`);
    if (again) return focusOnWrong(exchange(form, again));
    document.title = page.title;
    focusOnWrong(exchange(document.querySelector("main"), page.querySelector("main")));
  };
  const goOn = async (form, address) => {
    if (!inRound(form) || new URL(address, location).pathname !== location.pathname) return location.assign(address);
    const page = pageIn(await (await fetch(address)).text());
    exchange(form.closest("[data-card]"), cardOf(page, form));
    refreshAround(page);
    sayIn(document.querySelector("main"), page.querySelector("main > .says"));
    document.getElementById(page.querySelector("[autofocus]")?.id)?.focus();
  };
  const sayIn = (main, words) => {
    main.querySelector(":scope > .says")?.remove();
    if (words) main.prepend(words);
  };
  // What a page says of all its tables together; the sheets themselves are left alone.
  const refreshAround = (page) => {
    for (const old of document.querySelectorAll("[data-around]")) {
      const fresh = page.querySelector(`[data-around="${old.dataset.around}"]`);
      if (fresh) { old.replaceWith(fresh); htmx.process(fresh); }
    }
  };
  document.addEventListener("submit", async (event) => {
    const form = sheetOf(event.target);
    if (!form) return;
    if (form.dataset.sent) return event.preventDefault(); // a second press while the first is under way
    form.dataset.sent = "1";
    if (!form.dataset.keep) return; // a form that only picks names is sent like any other
    event.preventDefault();
    remember(form);
    const body = new FormData(form);
    if (event.submitter?.name) body.append(event.submitter.name, event.submitter.value);
    try {
      const address = form.getAttribute("action") || location.href; // form.action is a button of that name
      const headers = { "X-Sheet": inRound(form) ? "card" : "page" };
      // It arrives even when the page is left at the same moment.
      const answer = await fetch(address, { method: "POST", body, headers, keepalive: true });
      const text = await answer.text();
      if (answer.status >= 500) return fail(form);
      const next = answer.headers.get("X-Next");
      if (next) {
        forget(form);
        return await goOn(form, next);
      }
      if (answer.redirected) return location.assign(answer.url); // signed out meanwhile; what was typed is remembered
      showAgain(form, text);
    } catch {
      fail(form);
    }
  });
  addEventListener("pageshow", () => {
    for (const form of sheetsIn(document)) delete form.dataset.sent;
  });
  // After htmx has prepared the page, which it does at the same event: the recalled sheet is then checked at once.
  document.addEventListener("DOMContentLoaded", () => {
    forgetOld();
    sheetsIn(document).forEach(recall);
  });

  // --- what others send ---------------------------------------------------------------------------------------
  // Results from phones or from another scorer appear in the tables where nothing is typed here.
  const round = document.querySelector("[data-tables]");
  const EVERY = 4000;
  const lookAgain = async () => {
    try {
      if (!document.hidden) await compare();
    } catch { /* the next look may reach the site */ }
    setTimeout(lookAgain, EVERY);
  };
  const compare = async () => {
    const stamps = await (await fetch(round.dataset.stamps)).json();
    const cards = [...document.querySelectorAll("[data-card]")];
    const news = cards.filter((card) => card.dataset.stamp !== stamps[card.dataset.card]);
    if (news.length) await showNews(news);
  };
  // The keyboard stays in its field; what arrived there is selected, so that typing replaces it.
  const exchangeUnderKeyboard = (card, fresh) => {
    const here = card.contains(document.activeElement) && document.activeElement.id;
    exchange(card, fresh);
    const again = here ? document.getElementById(here) : null;
    again?.focus({ preventScroll: true });
    again?.select?.();
  };
  const showNews = async (cards) => {
    const page = pageIn(await (await fetch(location.href)).text());
    for (const card of cards) {
      const fresh = page.querySelector(`[data-card="${card.dataset.card}"]`);
      const form = card.querySelector("form[data-sheet]");
      if (!fresh) continue;
      if (!form?.dataset.touched) exchangeUnderKeyboard(card, fresh);
      else {
        card.dataset.stamp = fresh.dataset.stamp;
        const arrived = fresh.querySelector(".arrived");
        const place = card.querySelector(".arrived");
        if (arrived && place) exchange(place, arrived);
      }
    }
    refreshAround(page);
  };
  if (round?.dataset.stamps) setTimeout(lookAgain, EVERY);
})();
