"use strict";
document.documentElement.classList.add("has-script");
// What the page holds packed is put in its places; what needs it waits for that.
const unpacked = (async () => {
  const packed = document.getElementById("packed");
  if (!packed) return;
  const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
  const parts = document.createElement("template");
  parts.innerHTML = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
  for (const [at, part] of [...parts.content.children].entries()) {
    document.getElementById(part.dataset.of).append(...part.childNodes);
    // A page of thousands is to be seen before all of it is there.
    if (at % 400 === 399) await new Promise((next) => setTimeout(next, 20));
  }
})();
