"use strict";

// Tables: press a head to sort by its column. The order is kept in the address, so that it can be handed on.
function sortTable(table, column, direction) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    if (place === column) head.setAttribute("aria-sort", direction);
    else head.removeAttribute("aria-sort");
  });
  const sign = direction === "ascending" ? 1 : -1;
  const valueOf = (row) => {
    const cell = row.cells[column];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  const compare = (a, b) => {
    // What is not known stands last, whichever way.
    if (a === "" || b === "") return (a === "") - (b === "");
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort((one, other) => compare(valueOf(one), valueOf(other))));
}

function sortOnPress(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const numeric = table.tBodies[0].rows[0]?.cells[column].matches(".number");
      // The best, which is mostly the highest, is what one looks for first in numbers.
      const first = numeric ? "descending" : "ascending";
      const second = numeric ? "ascending" : "descending";
      const direction = head.getAttribute("aria-sort") === first ? second : first;
      sortTable(table, column, direction);
      history.replaceState(null, "", `#sort=${table.id},${column},${direction}`);
    });
  });
}

function sortAsTheAddressSays() {
  const [, id, column, direction] = /^#sort=([^,]+),(\d+),(ascending|descending)$/.exec(location.hash) || [];
  const table = id && document.getElementById(id);
  if (!table || Number(column) >= table.tHead.rows[0].cells.length) return;
  table.closest("details")?.setAttribute("open", "");
  sortTable(table, Number(column), direction);
  table.scrollIntoView();
}

const WORDS = {
  compare: "",
  joins: "; green joins are right, orange ones wrong",
  mistakes: "; framed orange as joined, framed green beside the true neighbour",
};

// Puzzles: the chosen result, seen through a slider, by its joins, or by its mistakes.
function watchPuzzle(puzzle) {
  const viewer = puzzle.querySelector(".viewer");
  const find = (selector) => viewer.querySelector(selector);
  const compare = find(".compare");
  const slider = find("input");
  const choices = [...puzzle.querySelectorAll(".choose")];
  const views = [...viewer.querySelectorAll(".views button")];
  const before = puzzle.querySelector("img.before");
  let chosen = choices.find((choice) => choice.getAttribute("aria-pressed") === "true") || choices[0];
  let view = "compare";

  const press = (buttons, pressed) =>
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === pressed)));

  function slide() {
    compare.style.setProperty("--cut", `${slider.value}%`);
    slider.setAttribute("aria-valuetext", `${slider.value} percent before`);
  }

  function show() {
    const card = chosen.closest(".card");
    const comparing = view === "compare";
    const picture = comparing ? card.querySelector("img.after") : card.querySelector(`img.${view}`);
    compare.hidden = !comparing || !before;
    find(".slide").hidden = compare.hidden;
    find(".single").hidden = !compare.hidden || !picture;
    find(".nothing").hidden = Boolean(picture);
    const name = card.querySelector("figcaption").textContent.replace(/([\d.]+%)$/, ": $1 of joins right");
    find(".caption").textContent = picture ? name + WORDS[view] : name;
    if (!picture) find(".nothing").textContent = view === "mistakes" ? "There are no mistakes." : "There is no picture of this.";
    else if (compare.hidden) Object.assign(find(".single"), { src: picture.src, alt: picture.alt });
    else {
      Object.assign(find(".under"), { src: picture.src, alt: picture.alt });
      Object.assign(find(".over"), { src: before.src, alt: before.alt });
    }
  }

  choices.forEach((choice) =>
    choice.addEventListener("click", () => {
      chosen = choice;
      press(choices, choice);
      show();
    }),
  );
  views.forEach((button) =>
    button.addEventListener("click", () => {
      view = button.dataset.view;
      press(views, button);
      show();
    }),
  );
  slider.addEventListener("input", slide);
  const followPointer = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = compare.getBoundingClientRect();
    slider.value = String(Math.round((100 * (event.clientX - box.left)) / box.width));
    slide();
  };
  compare.addEventListener("pointerdown", followPointer);
  compare.addEventListener("pointermove", followPointer);
  viewer.hidden = false;
  slide();
  show();
}

document.querySelectorAll("table").forEach(sortOnPress);
document.querySelectorAll(".puzzle").forEach(watchPuzzle);
sortAsTheAddressSays();
