// The timeline: search, filters, failures by key, and links that open the step they lead to.
(() => {
  const timelines = [...document.querySelectorAll(".timeline")].map(timeline).filter(Boolean);
  let last = timelines[0];

  function timeline(section) {
    const form = section.querySelector(".controls");
    if (!form) return null;
    const steps = [...section.querySelectorAll(".step")];
    const search = form.querySelector("input");
    const selects = [...form.querySelectorAll("select")];
    const output = form.querySelector("output");
    const texts = new Map();
    unpacked.then(() => texts.clear());
    let current = -1;
    let timer = 0;
    let stretch = null;

    const text = (step) => {
      if (!texts.has(step)) texts.set(step, step.textContent.toLowerCase());
      return texts.get(step);
    };
    const row = (step) => (step.parentElement.classList.contains("row") ? step.parentElement : step);
    const inside = (step) => !stretch || ((step.dataset.lane || "0") === stretch.lane && number(step) >= stretch.first && number(step) <= stretch.last);
    const values = {
      lane: (step) => step.dataset.lane || "0",
      kind: (step) => step.querySelector("summary").children[1].textContent,
      status: (step) => step.dataset.status || "ok",
      group: (step) => step.dataset.group || "",
    };

    function apply() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = selects.filter((select) => select.value).map((select) => [select.dataset.filter, select.value]);
      let count = 0;
      for (const step of steps) {
        const fits = inside(step) && chosen.every(([filter, wanted]) => values[filter](step) === wanted) && words.every((word) => text(step).includes(word));
        if (row(step).hidden === fits) row(step).hidden = !fits;
        if (fits) count += 1;
      }
      for (const chunk of section.querySelectorAll(".chunk")) chunk.hidden = ![...chunk.children].some((child) => !child.hidden);
      const found = (part) => words.every((word) => text(part).includes(word));
      const said = [...section.querySelectorAll(".conversation :is(.asked, .spoken)")];
      for (const part of said) part.hidden = !found(part);
      for (const done of section.querySelectorAll(".conversation .done")) done.hidden = words.length > 0;
      const spoken = words.length && said.length ? `, ${said.filter(found).length} of ${said.length} messages` : "";
      say(count === steps.length && !spoken ? `${count} action${count === 1 ? "" : "s"}` : `${count} of ${steps.length} actions${spoken} shown`);
    }
    function say(words) {
      if (output.textContent !== words) output.textContent = words;
    }
    function clear() {
      search.value = "";
      for (const select of selects) select.value = "";
      if (stretch) section.dispatchEvent(new CustomEvent("cleared"));
      stretch = null;
      apply();
    }
    function go(direction) {
      const at = steps.indexOf(document.activeElement && document.activeElement.closest(".step"));
      if (at >= 0) current = at;
      let place = current + direction;
      if (current < 0 && direction < 0) place = steps.length - 1;
      while (place >= 0 && place < steps.length && (row(steps[place]).hidden || steps[place].dataset.status !== "error")) place += direction;
      if (place < 0 || place >= steps.length) {
        say(direction > 0 ? "No further failure" : "No failure before this one");
        return;
      }
      current = place;
      steps[place].open = true;
      show(steps[place]);
      remember(steps[place]);
    }

    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(apply, 120);
    });
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const what = button.dataset.do;
      if (what === "next" || what === "previous") go(what === "next" ? 1 : -1);
      else for (const step of steps) if (!row(step).hidden && step.open !== (what === "open")) step.open = what === "open";
    });
    section.addEventListener("click", (event) => {
      const summary = event.target.closest("summary");
      const step = summary && summary.parentElement;
      if (!step || !step.classList.contains("step") || event.target.closest("a")) return;
      current = steps.indexOf(step);
      if (!step.open) remember(step);
    });
    // The stretch that is enlarged in the picture; null for the whole session.
    section.addEventListener("stretch", (event) => {
      stretch = event.detail;
      apply();
    });
    section.addEventListener("focusin", () => { last = self; });
    const self = { section, go, clear, hides: (step) => row(step).hidden, choose: (step) => { current = steps.indexOf(step); } };
    return self;
  }

  function number(step) {
    return Number(step.id.slice(step.id.lastIndexOf("-") + 1));
  }
  function show(step) {
    step.querySelector("summary").focus({ preventScroll: true });
    step.scrollIntoView({ block: "start" });
  }
  function remember(step) {
    try {
      history.replaceState(history.state, "", `#${step.id}`);
    } catch {
      // A browser that refuses this for files keeps the address it has.
    }
  }
  function reveal(name) {
    const place = name && document.getElementById(name);
    if (!place) return;
    for (let outer = place.parentElement; outer; outer = outer.parentElement) if (outer.tagName === "DETAILS") outer.open = true;
    const owner = timelines.find((entry) => entry.section.contains(place));
    if (place.classList.contains("step")) {
      if (owner && owner.hides(place)) owner.clear();
      if (owner) { owner.choose(place); last = owner; }
      place.open = true;
      show(place);
    } else if (place.tabIndex >= -1 && place.hasAttribute("tabindex")) {
      place.focus({ preventScroll: true });
      place.scrollIntoView({ block: "start" });
    }
  }
  const named = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return location.hash.slice(1);
    }
  };

  window.addEventListener("hashchange", () => reveal(named()));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && link.getAttribute("href").startsWith("#") && link.getAttribute("href") === location.hash) reveal(named());
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented || !last) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      last.go(event.key === "j" ? 1 : -1);
    }
  });
  reveal(named());
})();
