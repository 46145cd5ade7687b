const slider = document.getElementById("slider");
const steps = [...document.querySelectorAll(".step")];
const lines = [...document.querySelectorAll(".line[data-steps]")].filter((line) => line.dataset.steps);

// Puts a mark around what a step is about; without one the line is as it was.
function mark(line, start, end) {
  const text = [...line.lastChild.textContent];
  const part = (from, to) => document.createTextNode(text.slice(from, to).join(""));
  if (start === undefined) return line.lastChild.replaceChildren(part(0));
  const marked = document.createElement("mark");
  marked.append(part(start - 1, end - 1));
  line.lastChild.replaceChildren(part(0, start - 1), marked, part(end - 1));
}

function show(number) {
  steps.forEach((step, at) => { step.hidden = at !== number; });
  for (const line of lines) {
    const spans = line.dataset.steps.split(" ").map((span) => span.split(":").map(Number));
    const here = spans.find(([step]) => step === number);
    line.classList.toggle("now", here !== undefined);
    mark(line, ...(here ?? []).slice(1));
    if (here) line.scrollIntoView({ block: "nearest" });
  }
  slider.value = number;
  history.replaceState(null, "", "#" + (number + 1));
}

function move(by) {
  show(Math.max(0, Math.min(steps.length - 1, Number(slider.value) + by)));
}

if (slider) {
  slider.addEventListener("input", () => show(Number(slider.value)));
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("on").addEventListener("click", () => move(1));
  document.addEventListener("keydown", (event) => {
    if (event.target === slider) return;
    if (event.key === "ArrowLeft") move(-1);
    if (event.key === "ArrowRight") move(1);
  });
  for (const line of lines) {
    line.addEventListener("click", () => {
      const all = line.dataset.steps.split(" ").map((span) => Number(span.split(":")[0]));
      show(all.find((step) => step > Number(slider.value)) ?? all[0]);
    });
  }
  const asked = Number(location.hash.slice(1));
  show(asked >= 1 && asked <= steps.length ? asked - 1 : 0);
}
