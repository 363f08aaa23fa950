// A stretch of a long session: chosen by dragging over the picture, by Shift with the arrow keys, or by its steps; drawn larger, and the list of
// actions follows. Everything that is drawn is taken from that list.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, attributes, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const place = (name) => {
    const found = /^(.*?)(?:lane-(\d+)-)?step-(\d+)$/.exec(name || "");
    return found && { prefix: found[1], lane: found[2] || "0", step: Number(found[3]) };
  };

  const prepare = (figure) => {
    const form = figure.querySelector("form.stretch");
    const timeline = form && figure.closest("section.session, main").querySelector(".timeline");
    if (!timeline) return;
    const field = { first: form.querySelector(".first"), last: form.querySelector(".last") };
    const output = form.querySelector("output");
    const enlarged = figure.querySelector(".enlarged");
    const letters = JSON.parse(form.dataset.letters);
    const rows = form.dataset.rows.split(" ");
    const pictures = [...figure.querySelectorAll("svg.order, svg.time")];
    const lanes = new Map();
    for (const step of timeline.querySelectorAll(".step")) {
      const lane = step.dataset.lane || "0";
      if (!lanes.has(lane)) lanes.set(lane, []);
      lanes.get(lane).push(step);
    }
    const number = (step) => place(step.id).step;
    const end = (lane) => (lanes.has(lane) ? number(lanes.get(lane)[lanes.get(lane).length - 1]) : 1);
    let chosen = null;
    let lane = "0";

    // Where the columns of a picture are, line by line; measured when first needed, since what isn't seen has no size.
    const measured = new Map();
    const lines = (svg) => {
      if (!measured.has(svg)) {
        const all = [...svg.querySelectorAll("g.chart-line")].map((group) => {
          const columns = [...group.querySelectorAll(".cells a")].map((link) => {
            const box = link.getBBox();
            return { ...place(link.getAttribute("href").slice(1)), left: box.x, right: box.x + box.width };
          });
          const box = group.getBBox();
          return { group, columns, lane: columns.length ? columns[0].lane : "", top: box.y, bottom: box.y + box.height };
        }).filter((line) => line.columns.length);
        const columns = all.flatMap((line) => line.columns);
        columns.forEach((column, at) => {
          const next = columns[at + 1];
          column.last = next && next.lane === column.lane ? next.step - 1 : end(column.lane);
        });
        if (all.some((line) => line.bottom > line.top)) measured.set(svg, all);
        else return all;
      }
      return measured.get(svg);
    };
    const under = (svg, event, wanted) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const apart = (line) => Math.max(line.top - at.y, at.y - line.bottom, 0);
      const candidates = lines(svg).filter((line) => wanted === undefined || line.lane === wanted);
      const line = candidates.reduce((best, each) => (best && apart(best) <= apart(each) ? best : each), null);
      return line && line.columns.reduce((best, each) => (each.left <= at.x ? each : best), line.columns[0]);
    };
    const mark = (range) => {
      for (const svg of pictures) {
        for (const old of svg.querySelectorAll(".chosen")) old.remove();
        if (!range || !svg.checkVisibility()) continue;
        for (const line of lines(svg)) {
          const inside = line.lane === range.lane ? line.columns.filter((each) => each.last >= range.first && each.step <= range.last) : [];
          if (!inside.length) continue;
          const left = inside[0].left - 2;
          line.group.prepend(make("rect", {
            class: "chosen", x: left, y: line.top - 2, width: inside[inside.length - 1].right + 2 - left, height: line.bottom - line.top + 4,
          }));
        }
      }
    };

    const choose = (range, quietly) => {
      const within = range && (lanes.get(range.lane) || []).filter((step) => number(step) >= range.first && number(step) <= range.last);
      chosen = within && within.length ? { lane: range.lane, first: number(within[0]), last: number(within[within.length - 1]) } : null;
      lane = chosen ? chosen.lane : "0";
      for (const input of Object.values(field)) input.max = end(lane);
      field.first.value = chosen ? chosen.first : "";
      field.last.value = chosen ? chosen.last : "";
      for (const button of form.querySelectorAll("button[data-do]")) {
        const what = button.dataset.do;
        button.hidden = !chosen;
        button.disabled = !chosen || (what === "earlier" && chosen.first <= 1) || (what === "later" && chosen.last >= end(lane));
      }
      mark(chosen);
      enlarged.hidden = !chosen;
      enlarged.replaceChildren();
      if (chosen) draw(within);
      if (!quietly) timeline.dispatchEvent(new CustomEvent("stretch", { detail: chosen }));
      say(within || []);
    };
    const say = (within) => {
      if (!chosen) {
        output.replaceChildren();
        return;
      }
      const failed = within.filter((step) => step.dataset.status === "error").length;
      const name = within[0].querySelector(".line .tag");
      const where = chosen.lane === "0" || !name ? "" : ` of ${name.textContent}`;
      const steps = chosen.first === chosen.last ? `Step ${chosen.first}` : `Steps ${chosen.first}-${chosen.last}`;
      const link = document.createElement("a");
      link.href = `#${form.dataset.prefix}timeline`;
      link.textContent = "list of actions";
      output.replaceChildren(`${steps} of ${end(chosen.lane)}${where}, ${failed || "none"} failed. The `, link, ` shows only ${within.length === 1 ? "this one" : "these"}.`);
    };
    const remember = () => {
      const part = chosen && (chosen.lane === "0" ? "" : `lane-${chosen.lane}-`);
      try {
        history.replaceState(history.state, "", chosen ? `#${form.dataset.prefix}${part}steps-${chosen.first}-${chosen.last}` : location.href.split("#")[0]);
      } catch {
        // A browser that refuses this for files keeps the address it has.
      }
    };
    const pick = (range) => {
      choose(range);
      remember();
    };

    const draw = (within) => {
      const wide = figure.querySelector(".by-order .wide").checkVisibility() || figure.querySelector(".by-time")?.checkVisibility() && innerWidth > 900;
      const width = wide ? 1120 : 360, gutter = wide ? 62 : 54, height = wide ? 30 : 24;
      const room = width - gutter - 12;
      const pitch = Math.min(wide ? 44 : 26, Math.max(wide ? 14 : 13, room / within.length));
      const perLine = Math.floor(room / pitch + 0.001);
      const used = chosen.lane === "0" ? rows : rows.filter((row) => within.some((step) => step.classList.contains(row)));
      const svg = make("svg", { class: "swimlane-chart order", role: "group", "aria-label": `Actions ${chosen.first} to ${chosen.last}, enlarged` });
      let y = 4;
      for (let at = 0; at < within.length; at += perLine) y = drawLine(svg, within.slice(at, at + perLine), { pitch, gutter, height, used, width }, y) + 12;
      const whole = wide ? Math.max(320, gutter + pitch * Math.min(perLine, within.length) + 140) : width;
      const across = Math.min(width, whole);
      for (const [key, value] of Object.entries({ viewBox: `0 0 ${across} ${y}`, width: across, height: y })) svg.setAttribute(key, value);
      enlarged.replaceChildren(svg);
      figure.dispatchEvent(new CustomEvent("drawn", { detail: svg }));
    };
    const drawLine = (svg, steps, size, top) => {
      const x = (at) => size.gutter + size.pitch * at;
      const covers = covered(steps, x, size.width);
      const begin = top + covers.levels * 22;
      const below = begin + size.height * size.used.length;
      svg.append(make("path", { class: "row-lines", d: size.used.map((_, row) => `M${size.gutter} ${begin + size.height * (row + 0.5)}H${x(steps.length)}`).join("") }));
      const names = make("g", { class: "name", "aria-hidden": "true" });
      size.used.forEach((row, at) => names.append(make("text", { x: size.gutter - 6, y: begin + size.height * (at + 0.5) + 4.5 }, row)));
      const links = make("g", { class: "cells" });
      const over = [];
      const ticks = make("g", { class: "tick", "aria-hidden": "true" });
      const every = [1, 2, 5, 10, 20, 50].find((each) => each * size.pitch >= 8 * String(end(chosen.lane)).length + 12) || 50;
      let group = "";
      steps.forEach((step, at) => {
        const row = size.used.findIndex((each) => step.classList.contains(each));
        const bad = step.dataset.status === "error", open = step.dataset.status === "unknown";
        const tall = bad ? size.height : Math.round(size.height * 0.6) - (open ? 1 : 0);
        const middle = begin + size.height * (row + 0.5);
        const kind = `k${rows.indexOf(size.used[row])}`;
        const words = step.querySelector(".line").textContent;
        const what = step.querySelector("summary").children[1].textContent;
        const title = `Step ${number(step)}, ${what}, ${bad ? "failed" : open ? "unknown" : "done"}: ${words.length > 160 ? `${words.slice(0, 159)}…` : words}`;
        const box = { x: x(at) + 1, y: middle - tall / 2, width: size.pitch - 2, height: tall };
        links.append(make("a", { href: `#${step.id}`, class: bad ? "f" : open ? `${kind} u` : kind, tabindex: "-1" },
          make("title", {}, title), make("path", { d: `M${box.x} ${box.y}h${box.width}v${box.height}h-${box.width}z` })));
        const centre = x(at + 0.5), r = Math.min(size.pitch - 4, size.height - 10, 12) / 2;
        if (bad) over.push(make("path", { class: "cross", d: `M${centre - r} ${middle - r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}` }));
        else over.push(make("text", { class: open ? "letter hollow" : "letter", x: centre, y: middle + 4.5, "aria-hidden": "true" }, letters[what] || ""));
        const back = step.dataset.group || "";
        if (back && (back !== group || size.pitch >= 24)) over.push(make("text", { class: "returned", x: centre, y: below + 10, "aria-hidden": "true" }, back));
        group = back;
        if (at === 0 || number(step) % every === 0 && at * size.pitch >= 8 * String(number(step)).length) ticks.append(make("text", { x: centre, y: below + 26 }, String(number(step))));
      });
      svg.append(names, links, ...over, ...covers.drawn(begin), ticks);
      return below + 30;
    };
    // The findings that hold steps of a line, above them: consecutive steps of one finding have one span.
    const covered = (steps, x, width) => {
      const spans = [], ends = [];
      steps.forEach((step, at) => {
        const own = step.parentElement.classList.contains("row") ? step.parentElement.querySelectorAll(".links a:not(.group)") : [];
        for (const link of own) {
          const href = link.getAttribute("href");
          const known = spans.find((span) => span.href === href && span.last === at - 1);
          if (known) known.last = at;
          else spans.push({ href, first: at, last: at });
        }
      });
      const kept = [];
      for (const span of spans.sort((a, b) => b.last - b.first - (a.last - a.first))) {
        const short = `finding ${span.href.slice(span.href.lastIndexOf("-") + 1)}`;
        const card = document.getElementById(span.href.slice(1));
        const heading = card && card.querySelector("h3, h4");
        const long = heading ? heading.textContent.trim().replace(/\s+/g, " ") : short;
        span.title = long;
        span.text = long.length * 8 <= Math.max(x(span.last + 1) - x(span.first), 8 * short.length) ? long : short;
        const start = Math.min(x(span.first), width - span.text.length * 8);
        const from = Math.min(start, x(span.first)), to = Math.max(x(span.last + 1), start + span.text.length * 8) + 6;
        const level = [0, 1, 2].find((each) => (ends[each] || []).every(([a, b]) => to <= a || from >= b));
        if (level === undefined) continue;
        (ends[level] ||= []).push([from, to]);
        kept.push({ ...span, level, start });
      }
      return {
        levels: ends.length,
        drawn: (begin) => kept.map((span) => {
          const y = begin - 6 - 22 * span.level;
          return make("a", { href: span.href, class: "covers" }, make("title", {}, span.title),
            make("path", { class: "span", d: `M${x(span.first) + 1} ${y + 4}V${y}H${x(span.last + 1) - 1}V${y + 4}` }),
            make("text", { x: span.start, y: y - 4 }, span.text));
        }),
      };
    };

    let from = null;
    let dragged = false;
    for (const svg of pictures) {
      svg.addEventListener("dragstart", (event) => event.preventDefault());
      svg.addEventListener("pointerdown", (event) => {
        dragged = false;
        from = event.button === 0 && event.isPrimary ? { svg, x: event.clientX, y: event.clientY, column: under(svg, event) } : null;
      });
      svg.addEventListener("pointermove", (event) => {
        if (!from || from.svg !== svg || !from.column) return;
        if (!dragged && Math.hypot(event.clientX - from.x, event.clientY - from.y) < 6) return;
        if (!dragged) svg.setPointerCapture(event.pointerId);
        dragged = true;
        from.range = between(from.column, under(svg, event, from.column.lane));
        mark(from.range);
      });
      svg.addEventListener("pointerup", () => {
        if (from && dragged) pick(from.range);
        from = null;
      });
      svg.addEventListener("pointercancel", () => {
        from = null;
        mark(chosen);
      });
      // What was dragged over isn't opened as well.
      svg.addEventListener("click", (event) => {
        if (dragged) event.preventDefault();
        dragged = false;
      }, true);
    }
    const between = (one, other) => ({ lane: one.lane, first: Math.min(one.step, other.step), last: Math.max(one.last, other.last) });

    let anchor = null;
    const column = (link) => {
      const svg = link && link.closest("svg");
      const name = link && place((link.getAttribute("href") || "").slice(1));
      return name && pictures.includes(svg) ? lines(svg).flatMap((line) => line.columns).find((each) => each.lane === name.lane && each.step === name.step) : null;
    };
    figure.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && chosen) {
        const inside = enlarged.contains(document.activeElement);
        pick(null);
        if (inside) field.first.focus();
      } else if (!event.shiftKey) anchor = null;
      else if (/^(Arrow|Home$|End$)/.test(event.key)) anchor = anchor || column(event.target.closest(".cells a"));
    }, true);
    figure.addEventListener("keydown", (event) => {
      const here = anchor && event.shiftKey && /^(Arrow|Home$|End$)/.test(event.key) ? column(document.activeElement.closest(".cells a")) : null;
      if (here && here.lane === anchor.lane) pick(between(anchor, here));
    });

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const first = Number(field.first.value) || 1, last = Number(field.last.value) || end(lane);
      pick({ lane, first: Math.min(first, last), last: Math.max(first, last) });
    });
    form.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-do]");
      if (!button || !chosen) return;
      const what = button.dataset.do, size = chosen.last - chosen.first;
      if (what === "whole") {
        pick(null);
        field.first.focus();
        return;
      }
      const first = Math.max(1, Math.min(end(lane) - size, what === "later" ? chosen.last + 1 : chosen.first - size - 1));
      pick({ lane, first, last: first + size });
      if (button.disabled) form.querySelector("button[type=submit]").focus();
    });
    timeline.addEventListener("cleared", () => choose(null, true));
    figure.addEventListener("change", () => mark(chosen));
    matchMedia("(max-width: 56rem)").addEventListener("change", () => choose(chosen, true));

    const named = () => {
      const found = /^(.*?)(?:lane-(\d+)-)?steps-(\d+)-(\d+)$/.exec(location.hash.slice(1));
      if (!found || found[1] !== form.dataset.prefix) return;
      if (form.closest("details")) form.closest("details").open = true;
      choose({ lane: found[2] || "0", first: Number(found[3]), last: Number(found[4]) });
    };
    for (const input of Object.values(field)) input.max = end("0");
    addEventListener("hashchange", named);
    named();
  };
  unpacked.then(() => document.querySelectorAll("figure.swimlanes").forEach(prepare));
})();
