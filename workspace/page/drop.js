// Files dragged onto a place.

const carriesFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");

// `take` gets the files dropped onto `place`, which has the class `dropping` while they hover over it.
export function acceptDrops(place, take) {
  let depth = 0;
  const hover = (change) => { depth = Math.max(0, depth + change); place.classList.toggle("dropping", depth > 0); };
  place.addEventListener("dragenter", (event) => { if (carriesFiles(event)) { event.preventDefault(); hover(1); } });
  place.addEventListener("dragleave", (event) => { if (carriesFiles(event)) hover(-1); });
  place.addEventListener("dragover", (event) => { if (carriesFiles(event)) event.preventDefault(); });
  place.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    hover(0);
    take([...event.dataTransfer.files]);
  });
}

// A file dropped beside every such place must not take the page away.
export function ignoreStrayDrops() {
  for (const type of ["dragover", "drop"]) window.addEventListener(type, (event) => { if (carriesFiles(event)) event.preventDefault(); });
}
