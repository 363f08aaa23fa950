// The picture of a session: a line of text says what is under the pointer or has the focus, and the picture is one stop for the keyboard.
(() => {
  const prepare = (figure) => {
    const line = figure.querySelector(".swimlanes-status");
    // What a link of one action stands for is in the list of actions.
    const words = (link) => {
      const title = link.querySelector("title")?.textContent || "";
      const step = document.getElementById(link.getAttribute("href").slice(1));
      if (/^Steps /.test(title) || !step?.matches(".step")) return title;
      const [number, kind, status, line] = [...step.querySelector("summary").children].map((part) => part.textContent);
      return `${number} ${kind}, ${status.slice(2)}: ${line}`;
    };
    const say = (link) => {
      if (line) line.textContent = line.title = link ? words(link) : "";
    };
    const wire = (svg) => {
      const links = [...svg.querySelectorAll(".cells a")];
      if (!links.length) return;
      for (const link of links) link.setAttribute("aria-label", words(link));
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
    const wired = new Set();
    const wireAll = () => {
      for (const svg of figure.querySelectorAll("svg.order, svg.time")) if (!wired.has(svg)) wire(svg), wired.add(svg);
    };
    wireAll();
    unpacked.then(wireAll);
    figure.addEventListener("drawn", (event) => wire(event.detail));
  };
  document.querySelectorAll("figure.swimlanes").forEach(prepare);
})();
