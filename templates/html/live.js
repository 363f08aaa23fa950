// A served page: it's loaded again when the audit has changed, unless somebody is writing into it. The view is recorded in the address.
(() => {
  let known = "";
  const look = async () => {
    if (document.hidden || document.activeElement?.matches("input, select")) return;
    const answer = await fetch("state").catch(() => null);
    if (!answer?.ok) return;
    const state = await answer.text();
    if (known && state !== known) location.reload();
    known = state;
  };
  look();
  setInterval(look, 5000);
})();
