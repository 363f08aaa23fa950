// The thumbnail of a session, from the code that analyzer/report/picture/thumbnail.py describes and draws in the same way.
function thumbnail(code) {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const ROWS = { r: 0, s: 0, l: 0, b: 0, e: 1, t: 2, x: 3, k: 3, d: 3, w: 3, o: 3, h: 4, p: 4, f: 4 };
  const read = /^(\d+):([A-Za-z]*)(?:\|(\d+-\d+(?:,\d+-\d+)*))?$/.exec(code);
  if (!read || [...read[2]].some((letter) => !(letter.toLowerCase() in ROWS))) throw new Error("not the code of a thumbnail");
  const actions = Number(read[1]);
  const columns = read[2];
  const episodes = read[3] ? read[3].split(",").map((each) => each.split("-").map(Number)) : [];
  const left = (place) => (columns.length ? Math.min(Math.floor((16000 * place) / columns.length), 400 * place) : 0);
  const units = (hundredths) => String(hundredths / 100);
  const make = (name, attributes) => {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const paths = new Map();
  let failures = 0;
  [...columns].forEach((letter, place) => {
    const failed = letter !== letter.toLowerCase();
    const row = ROWS[letter.toLowerCase()];
    const x = left(place);
    const width = left(place + 1) - x;
    const inner = width - (width >= 300 ? 50 : 0);
    const y = Math.max(0, 60 + 330 * row - (failed ? 150 : 0));
    const name = failed ? "f" : `k${row}`;
    const d = `M${units(x)} ${units(y)}h${units(inner)}v${units(failed ? 560 : 260)}h-${units(inner)}z`;
    paths.set(name, (paths.get(name) || "") + d);
    failures += failed ? 1 : 0;
  });
  const words = [actions === 1 ? "1 action" : `${String(actions).replace(/\B(?=(\d{3})+$)/g, " ")} actions`];
  if (failures) words.push(columns.length === actions ? `${failures} failed` : `failures in ${failures} of ${columns.length} parts`);
  if (episodes.length) words.push(`${episodes.length} episode${episodes.length === 1 ? "" : "s"} of repetition`);
  const svg = make("svg", { class: "thumbnail", viewBox: "0 0 160 20", width: 160, height: 20, role: "img", "aria-label": words.join(", ") });
  for (const name of [...paths.keys()].sort()) svg.append(make("path", { class: name, d: paths.get(name) }));
  if (episodes.length) {
    const d = episodes.map(([first, last]) => `M${units(left(first - 1))} 19.2H${units(left(last) - 80)}`).join("");
    svg.append(make("path", { class: "episode", d }));
  }
  return svg;
}
