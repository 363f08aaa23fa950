// Tables of the class "sortable": the header cells with data-sort="number" or "text" become buttons. A cell sorts by its data-value, else by its text;
// cells without a value stay at the end. Rows with equal values keep their order.
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell === undefined ? "" : (cell.dataset.value ?? cell.textContent).trim();
  };
  const compare = (numeric, sign) => (one, other) => {
    const [first, second] = [one.key, other.key];
    if (first === "" || second === "") return (first === "") - (second === "") || one.place - other.place;
    const order = numeric ? Number(first) - Number(second) : first.localeCompare(second, "en", { numeric: true, sensitivity: "base" });
    return sign * order || one.place - other.place;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const head = table.tHead && table.tHead.rows[0];
    const body = table.tBodies[0];
    if (!head || !body) continue;
    const places = new Map([...body.rows].map((row, place) => [row, place]));
    for (const cell of head.cells) {
      const kind = cell.dataset.sort;
      if (!kind) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => {
        const now = cell.getAttribute("aria-sort");
        const first = cell.dataset.first ?? (kind === "number" ? "descending" : "ascending");
        const next = now === null ? first : now === "ascending" ? "descending" : "ascending";
        for (const other of head.cells) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", next);
        const column = cell.cellIndex;
        const rows = [...places.keys()].map((row) => ({ row, place: places.get(row), key: value(row, column) }));
        rows.sort(compare(kind === "number", next === "ascending" ? 1 : -1));
        body.append(...rows.map((entry) => entry.row));
      });
    }
  }
})();
