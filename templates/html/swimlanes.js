// The picture of a session: a line of text says what is under the pointer or has the focus, and the picture is one stop for the keyboard.
(() => {
  const prepare = (figure) => {
    const line = figure.querySelector(".swimlanes-status");
    const hint = line ? line.textContent : "";
    // The whole summaries are in the widest picture only; the others are looked up there.
    const full = new Map();
    for (const link of figure.querySelectorAll(".wide .cells a")) {
      const title = link.querySelector("title");
      if (title) full.set(link.getAttribute("href"), title.textContent);
    }
    const words = (link) => {
      const own = link.querySelector("title");
      const known = full.get(link.getAttribute("href"));
      const text = own ? own.textContent : "";
      return known && /^\d+ /.test(text) ? known : text;
    };
    const say = (link) => {
      if (!line) return;
      line.textContent = link ? words(link) : hint;
      line.classList.toggle("now", Boolean(link));
    };
    const wire = (svg) => {
      const links = [...svg.querySelectorAll(".cells a")];
      if (!links.length) return;
      const places = new Map(links.map((link, place) => [link, place]));
      let stop = links[0];
      stop.setAttribute("tabindex", "0");
      const go = (link) => {
        if (!link) return;
        stop.setAttribute("tabindex", "-1");
        stop = link;
        stop.setAttribute("tabindex", "0");
        stop.focus();
      };
      const failed = (place, step) => {
        for (let at = place + step; at >= 0 && at < links.length; at += step) {
          if (links[at].classList.contains("f")) return links[at];
        }
        return null;
      };
      const keys = {
        ArrowRight: (place) => links[place + 1],
        ArrowLeft: (place) => links[place - 1],
        ArrowDown: (place) => failed(place, 1),
        ArrowUp: (place) => failed(place, -1),
        Home: () => links[0],
        End: () => links[links.length - 1],
      };
      svg.addEventListener("keydown", (event) => {
        const place = places.get(event.target.closest("a"));
        if (place === undefined || event.altKey || event.ctrlKey || event.metaKey || !(event.key in keys)) return;
        event.preventDefault();
        go(keys[event.key](place));
      });
      // Listening to the focus on the picture itself would make it a stop of its own in Chromium.
      const around = svg.parentElement;
      around.addEventListener("focusin", (event) => {
        const link = event.target.closest("a");
        if (places.has(link) && link !== stop) {
          stop.setAttribute("tabindex", "-1");
          stop = link;
          stop.setAttribute("tabindex", "0");
        }
        say(link);
      });
      around.addEventListener("focusout", () => say(null));
      svg.addEventListener("pointerover", (event) => {
        const link = event.target.closest("a");
        if (link) say(link);
      });
      svg.addEventListener("pointerleave", () => say(svg.contains(document.activeElement) ? document.activeElement.closest("a") : null));
    };
    for (const svg of figure.querySelectorAll("svg.order, svg.time")) wire(svg);
    figure.addEventListener("drawn", (event) => wire(event.detail));
  };
  for (const figure of document.querySelectorAll("figure.swimlanes")) prepare(figure);
})();
