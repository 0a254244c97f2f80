// Shows the wall anew whenever the table changed.
"use strict";

const wall = document.getElementById("wall");
// Over a picture the letters stay small, so that most of it is seen.
const MOST = document.body.classList.contains("clear") ? 110 : 220;
const SIZES = [220, 190, 170, 150, 135, 120, 110, 100, 92, 85, 78];
const LEAF_MS = 8000;

function is_over(section) {
  return section.scrollHeight > section.clientHeight + 2 || section.scrollWidth > section.clientWidth + 2;
}

// Letters as large as the screen has room for, with statblocks where these can still be read from afar; what is too
// long even so is shown leaf by leaf.
function fit() {
  for (const section of wall.querySelectorAll(".crew, .results")) {
    const most = section.matches(".middle:has(.drawn) .results") ? 120 : MOST; // the picture needs the room
    const plain = SIZES.filter((size) => size <= most).map((size) => [size, false]);
    const tries = section.querySelector(".stats") ? [...SIZES.filter((size) => size >= 120 && size <= most).map((size) => [size, true]), ...plain] : plain;
    for (const [size, stats] of tries) {
      section.style.fontSize = `${size}%`;
      section.classList.toggle("bare", !stats);
      if (!is_over(section)) break;
    }
  }
}

function leaf() {
  for (const section of wall.querySelectorAll(".crew, .results")) {
    const left = section.scrollHeight - section.clientHeight - section.scrollTop;
    section.scrollTop = left > 2 ? section.scrollTop + section.clientHeight * 0.8 : 0;
  }
}

function rolls() {
  return [...wall.querySelectorAll(".results .roll .hidden")].map((each) => each.textContent).join();
}

function listen() {
  const source = new EventSource("/wall/events");
  source.addEventListener("wall", (event) => {
    const said = rolls();
    wall.innerHTML = event.data;
    if (rolls() !== said) wall.querySelector(".results")?.classList.add("fresh");
    fit();
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

addEventListener("resize", fit);
setInterval(leaf, LEAF_MS);
fit();
listen();
