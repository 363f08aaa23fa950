// The table of sessions: all of them from the data in the page, of which a hundred rows are drawn. The view is recorded in the address, so that a view can be shared.
(() => {
  const source = document.getElementById("sessions-data"), table = document.getElementById("table"), form = document.getElementById("filters");
  if (!source || !table || !form) return;
  const data = JSON.parse(source.textContent), ROWS = 100, count = data.id.length;
  const body = table.tBodies[0], shown = document.getElementById("shown"), where = document.getElementById("where");
  const previous = document.getElementById("previous"), next = document.getElementById("next");
  const has = name => body.rows.length > 0 && table.querySelector(`th[data-sort~="${name}"]`) !== null;
  const SEVERITIES = ["high", "medium", "low"];
  const word = (name, row) => { const at = data[name].of[row]; return at < 0 ? "" : data[name].words[at]; };
  const phrase = text => text.replace(/[-_]/g, " ");
  const rank = row => { const at = SEVERITIES.indexOf(word("worst", row)); return at < 0 ? SEVERITIES.length : at; };
  const LABELS = { title: "Session", outcome: "Ended", severity: "Severity", about: "Finding", actions: "Actions", loops: "In loops", seconds: "Time", tokens: "Tokens", usd: "Cost",
    agent: "Agent", model: "Model", format: "Format", started: "Began" };
  const DOWN = new Set(["actions", "loops", "seconds", "tokens", "usd", "started"]);

  // Text, as the page itself writes it.
  const grouped = value => String(value).replace(/\B(?=(\d{3})+$)/g, " ");
  const percent = part => part > 0 && part < .01 ? "<1%" : part > .99 && part < 1 ? ">99%" : `${Math.round(100 * part)}%`;
  const short = value => String(Math.floor(value * 10 + .5) / 10);
  const whole = value => Math.floor(value + .5);
  const time = seconds => {
    if (seconds === null) return "";
    for (const [size, most, unit] of [[1, 60, "s"], [60, 3600, "min"], [3600, 172800, "h"]])
      if (seconds < most) { const value = seconds / size; return `${value < 10 && unit !== "min" ? short(value) : whole(value)} ${unit}`; }
    return `${whole(seconds / 86400)} days`;
  };
  const amount = value => {
    if (value === null) return "";
    for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) if (value >= size) return `${value / size < 10 ? short(value / size) : whole(value / size)}${unit}`;
    return String(value);
  };
  const money = value => value === null ? "" : value >= .01 || value === 0 ? `$${value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, " ")}` : `$${value.toFixed(4)}`;
  const inside = row => data.loops[row] && data.actions[row] ? `${grouped(data.loops[row])} (${percent(data.loops[row] / data.actions[row])})` : "";

  // What is asked for.
  const FILTERS = ["q", "outcome", "severity", "finding", "failure", "agent", "model", "format"];
  let asked = {}, chosen = [], page = 0;
  const option = (select, value, text) => { const made = document.createElement("option"); made.value = value; made.textContent = text; select.append(made); };
  for (const name of ["outcome", "agent", "model", "format"]) {
    const select = form.elements[name], counts = new Map();
    for (const at of data[name].of) counts.set(at, (counts.get(at) || 0) + 1);
    data[name].words.forEach((text, at) => option(select, text, `${name === "outcome" ? phrase(text) : text} (${grouped(counts.get(at))})`));
    if (!data[name].words.length) select.parentElement.hidden = true;
  }
  SEVERITIES.forEach((name, at) => option(form.elements.severity, name, at ? `${name} or worse` : name));
  for (const [name, keys, texts, lists] of [["finding", "theme_keys", "themes", "has"], ["failure", "group_keys", "groups", "hit"]]) {
    const counts = new Array(data[keys].length).fill(0);
    for (const list of data[lists]) for (const at of list) counts[at] += 1;
    data[keys].forEach((key, at) => { if (counts[at]) option(form.elements[name], key, `${data[texts][at].slice(0, 70)} (${grouped(counts[at])})`); });
    if (!data[keys].length) form.elements[name].parentElement.hidden = true;
  }
  for (const name of Object.keys(LABELS)) if (has(name)) for (const way of DOWN.has(name) ? ["down", "up"] : ["up", "down"])
    option(form.elements.sort, `${name}-${way}`, `${LABELS[name]}, ${DOWN.has(name) ? (way === "down" ? "most first" : "least first") : (way === "up" ? "A to Z" : "Z to A")}`);

  let words = null;
  const haystack = () => words || (words = Array.from({ length: count }, (_, row) =>
    [word("title", row), data.id[row], word("agent", row), word("model", row), word("format", row), word("family", row), word("about", row), data.key.slice(16 * row, 16 * row + 16), data.more[row]]
      .join("\n").toLowerCase()));
  // Where a word that is searched for is in none of the cells: the words around it.
  const asking = () => (asked.q || "").toLowerCase().split(/\s+/).filter(Boolean);
  function found(row) {
    const all = asking();
    if (!all.length) return "";
    const seen = [word("title", row), data.id[row], word("agent", row), word("model", row), word("format", row), word("about", row)].join("\n").toLowerCase();
    const hidden = all.find(part => !seen.includes(part)), text = data.more[row], at = hidden === undefined ? -1 : text.toLowerCase().indexOf(hidden);
    if (at < 0) return "";
    const first = Math.max(0, at - 40), last = Math.min(text.length, at + hidden.length + 80);
    return `${first ? "…" : ""}${text.slice(first, last)}${last < text.length ? "…" : ""}`;
  }
  const KEYS = {
    title: row => word("title", row).toLowerCase(), outcome: row => word("outcome", row), severity: rank, about: row => word("about", row), agent: row => word("agent", row).toLowerCase(),
    model: row => word("model", row).toLowerCase(), format: row => word("format", row), started: row => data.started[row],
    actions: row => data.actions[row], loops: row => data.loops[row], seconds: row => data.seconds[row], tokens: row => data.tokens[row], usd: row => data.usd[row],
  };

  function choose() {
    const tests = [];
    const text = asking();
    if (text.length) { const all = haystack(); tests.push(row => text.every(part => all[row].includes(part))); }
    for (const name of ["outcome", "agent", "model", "format"])
      if (asked[name]) { const at = data[name].words.indexOf(asked[name]); tests.push(row => at >= 0 && data[name].of[row] === at); }
    if (asked.severity) { const most = SEVERITIES.indexOf(asked.severity); tests.push(row => rank(row) <= most); }
    for (const [name, keys, lists] of [["finding", "theme_keys", "has"], ["failure", "group_keys", "hit"]])
      if (asked[name]) { const at = data[keys].indexOf(asked[name]); tests.push(row => data[lists][row].includes(at)); }
    chosen = [];
    for (let row = 0; row < count; row += 1) if (tests.every(test => test(row))) chosen.push(row);
    const [name, way] = (asked.sort || "").split("-");
    if (!Object.hasOwn(KEYS, name)) return;
    const keys = new Array(count), sign = way === "down" ? -1 : 1;
    for (const row of chosen) keys[row] = KEYS[name](row);
    // What is unknown comes last either way.
    const missing = value => value === null || value === "";
    chosen.sort((a, b) => {
      const one = keys[a], other = keys[b];
      if (missing(one) || missing(other)) return missing(one) - missing(other) || a - b;
      return one < other ? -sign : one > other ? sign : a - b;
    });
  }

  // Rows.
  const element = (name, text, classes) => { const made = document.createElement(name); if (text) made.textContent = text; if (classes) made.className = classes; return made; };
  const cell = (label, text, classes) => { const made = element("td", text, classes); made.dataset.label = label; return made; };
  function drawn(row) {
    const line = document.createElement("tr"), head = element("th"), ending = { h: ".html", m: ".md" }[data.page[row]], title = word("title", row), id = data.id[row];
    head.scope = "row";
    if (ending) { const link = element("a", title); link.href = `sessions/${data.key.slice(16 * row, 16 * row + 16)}${ending}`; head.append(link); } else head.append(element("span", title, "title"));
    if (id !== title) head.append(element("span", id, "id"));
    const why = found(row);
    if (why) head.append(element("span", why, "found"));
    const picture = element("td", "", "picture");
    if (data.thumbnail[row]) picture.append(thumbnail(data.thumbnail[row]));
    const outcome = cell("Ended"), finding = cell("Finding"), severity = word("worst", row), about = word("about", row);
    outcome.append(element("span", phrase(word("outcome", row)), `outcome o-${word("outcome", row)}`));
    if (severity) finding.append(element("span", severity, `severity ${severity}`));
    if (about) finding.append(` ${about}`);
    line.append(head, picture, outcome, finding, cell("Actions", grouped(data.actions[row]), "n"), cell("In loops", inside(row), "n"));
    if (has("seconds")) line.append(cell("Time", time(data.seconds[row]), "n"));
    if (has("tokens")) line.append(cell("Tokens", amount(data.tokens[row]), "n"));
    if (has("usd")) line.append(cell("Cost", money(data.usd[row]), "n"));
    const who = cell("Agent, model", word("agent", row)), what = cell("Format", word("format", row));
    if (word("model", row)) who.append(element("span", word("model", row), "id"));
    if (data.started[row]) what.append(element("span", data.started[row].replace("T", " "), "id"));
    line.append(who, what);
    return line;
  }
  function draw() {
    const pages = Math.max(1, Math.ceil(chosen.length / ROWS));
    page = Math.min(Math.max(0, page), pages - 1);
    const first = page * ROWS, rows = chosen.slice(first, first + ROWS);
    body.replaceChildren(...rows.map(drawn));
    const text = `${grouped(chosen.length)} of ${grouped(count)} sessions`;
    if (shown.textContent !== text) shown.textContent = text;
    where.textContent = rows.length ? `${grouped(first + 1)}-${grouped(first + rows.length)} of ${grouped(chosen.length)}` : "";
    previous.disabled = page === 0;
    next.disabled = page >= pages - 1;
    const [name, way] = (asked.sort || "").split("-");
    for (const head of table.tHead.rows[0].cells) {
      head.removeAttribute("aria-sort");
      for (const button of head.querySelectorAll("button")) {
        const by = button.dataset.key === name;
        button.classList.toggle("by", by);
        button.classList.toggle("down", by && way === "down");
        if (by) head.setAttribute("aria-sort", way === "down" ? "descending" : "ascending");
      }
    }
  }

  // The address.
  const address = () => {
    const wanted = new URLSearchParams();
    for (const name of [...FILTERS, "sort"]) if (asked[name]) wanted.set(name, asked[name]);
    if (page) wanted.set("page", String(page + 1));
    return wanted.toString();
  };
  const show = () => { choose(); draw(); };
  const remember = () => { const text = address(); history.replaceState(null, "", text ? `#${text}` : "#sessions"); };
  function fill() {
    for (const name of [...FILTERS, "sort"]) {
      const field = form.elements[name];
      field.value = asked[name] || "";
      if (field.tagName === "SELECT" && field.selectedIndex < 0) { asked[name] = ""; field.value = ""; }
    }
  }
  function read(scroll) {
    const text = location.hash.slice(1);
    const meant = text.includes("=");
    if (!meant && scroll) return;
    const given = new URLSearchParams(meant ? text : "");
    asked = {};
    for (const name of [...FILTERS, "sort"]) asked[name] = given.get(name) || "";
    page = (Number.parseInt(given.get("page") || "1", 10) || 1) - 1;
    fill();
    show();
    if (meant) document.getElementById("sessions").scrollIntoView();
    if (meant && scroll) document.getElementById("sessions").focus({ preventScroll: true });
  }

  for (const head of table.tHead.rows[0].cells) {
    if (!head.dataset.sort) continue;
    head.textContent = "";
    for (const name of head.dataset.sort.split(" ")) {
      const button = element("button", LABELS[name]);
      button.type = "button";
      button.dataset.key = name;
      button.addEventListener("click", () => {
        const first = DOWN.has(name) ? "down" : "up", second = first === "up" ? "down" : "up";
        asked.sort = asked.sort === `${name}-${first}` ? `${name}-${second}` : asked.sort === `${name}-${second}` ? "" : `${name}-${first}`;
        page = 0;
        fill();
        show();
        remember();
      });
      head.append(button);
    }
  }
  let waiting = 0;
  const take = () => {
    for (const name of [...FILTERS, "sort"]) asked[name] = form.elements[name].value;
    page = 0;
    show();
    remember();
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(take, 120); });
  form.addEventListener("submit", event => { event.preventDefault(); take(); });
  form.addEventListener("reset", () => setTimeout(take));
  const turn = by => { page += by; draw(); remember(); document.getElementById("sessions").scrollIntoView(); };
  previous.addEventListener("click", () => turn(-1));
  next.addEventListener("click", () => turn(1));
  addEventListener("hashchange", () => read(true));
  read(false);
})();
