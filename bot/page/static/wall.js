// Shows the wall anew whenever the table changed.
"use strict";

const wall = document.getElementById("wall");
const SIZES = ["", "95%", "90%", "85%", "80%"];
const LEAF_MS = 8000;

function is_over(section) {
  return section.scrollHeight > section.clientHeight + 2;
}

// Letters as large as the screen has room for; what is too long even so is shown leaf by leaf.
function fit() {
  for (const section of wall.querySelectorAll("section:not(.picture)")) {
    for (const size of SIZES) {
      section.style.fontSize = size;
      if (!is_over(section)) break;
    }
  }
}

function leaf() {
  for (const section of wall.querySelectorAll("section:not(.picture)")) {
    const left = section.scrollHeight - section.clientHeight - section.scrollTop;
    section.scrollTop = left > 2 ? section.scrollTop + section.clientHeight * 0.8 : 0;
  }
}

function listen() {
  const source = new EventSource("/wall/events");
  source.addEventListener("wall", (event) => {
    wall.innerHTML = event.data;
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
