// Shows the wall anew whenever the table changed.
"use strict";

const wall = document.getElementById("wall");

function listen() {
  const source = new EventSource("/wall/events");
  source.addEventListener("wall", (event) => {
    if (wall.innerHTML !== event.data) wall.innerHTML = event.data;
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
}

listen();
