// The board in inches: zoomed and dragged, a model moved along a path that bends, a tape, a target tapped.
// It only fills in lines that anybody may type (/board move, /board measure); what they do is decided elsewhere.
"use strict";

(() => {
  const ground = document.getElementById("ground");
  if (!ground) return;
  const view = document.getElementById("ground-view");
  const says = document.getElementById("ground-says");
  const tools = document.getElementById("ground-tools");
  const act = document.getElementById("ground-act");
  const plays = document.body.dataset.seat === "seated";
  const NEAR = 14, FINGER = 24, SLIP = 6;
  // Half the least width of what a finger hits, and of the pin in which a small base stands where others are near.
  const GRIP = 12, PIN = 8;
  const REST = 120;
  const MOST_PARTS = 8;
  const HOW = "Use the arrow keys to move the model by a tenth of an inch (an inch with Shift), B to bend the path, Enter to move, Escape to cancel.";
  const LETTERS = 11;

  let svg, depth = 0, width = 0, pieces = [], acting = [], lands = [], words = [], notes = {}, begun_game = true;
  let eye = null;
  let stamp = "";
  // What is planned: the model that moves with the corners of its path, or the ends of the tape.
  let plan = null, tape = null;

  // ---------------------------------------------------------------- what is drawn

  function read() {
    svg = view.querySelector("svg.board");
    ground.hidden = !svg;
    if (!svg) return drop();
    const drawing = view.querySelector(".drawing");
    const own = new Map(drawing.dataset.own.trim().split(" ").map((one) => one.split(":")));
    acting = drawing.dataset.acting.split(" ").filter(Boolean);
    begun_game = !!drawing.dataset.begun;
    notes = JSON.parse(drawing.dataset.notes);
    width = Number(svg.dataset.width);
    depth = Number(svg.dataset.depth);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `Board of ${width} by ${depth} inches`);
    svg.querySelector(":scope > title")?.remove();
    pieces = [...svg.querySelectorAll("circle.base[data-number]")].map((base) => piece(base, own));
    for (const one of pieces) {
      one.base.setAttribute("tabindex", "0");
      one.base.setAttribute("role", "button");
      one.base.setAttribute("aria-label", one.told);
    }
    lands = [...svg.querySelectorAll("polygon.terrain")].map(land);
    words = ["text.name", "text.label:not(.zone)", "text.zone"].flatMap((kind) => [...svg.querySelectorAll(kind)]).map(word);
    if (act.hidden) tools.hidden = false;
    marked();
    ground.classList.add("live");
    if (!eye || eye.width !== width || eye.depth !== depth) whole();
    else look();
  }

  function piece(base, own) {
    const told = base.querySelector("title")?.textContent || "";
    const number = base.dataset.number;
    const one = {
      base, number, told, name: told.split(",")[0], own: own.has(number), is_hidden: number in notes,
      parts: parts(base), sign: "",
      paces: (own.get(number) || "").split("/").filter(Boolean).map(Number),
      at: [Number(base.getAttribute("cx")), Number(base.getAttribute("cy"))], r: Number(base.getAttribute("r")),
    };
    one.sign = one.parts.find((each) => each.matches(".sign"))?.textContent || "";
    // A base that is too small for a finger stands in a larger pin of its colour.
    one.pin = made("circle", "pin", { cx: one.at[0], cy: one.at[1], fill: base.getAttribute("fill") });
    base.before(one.pin);
    return one;
  }

  // What is drawn on and around a base grows with its pin.
  function parts(base) {
    const found = base.previousElementSibling?.matches(".facing") ? [base.previousElementSibling] : [];
    for (let one = base.nextElementSibling; one?.matches(".shape, .sign, .watch, .down"); one = one.nextElementSibling) found.push(one);
    return [...found, ...svg.querySelectorAll(`.acting[data-number="${base.dataset.number}"]`)];
  }

  // A name stands below or above its base, a label on its terrain, or below it where it would hide it.
  function word(one) {
    const at = [Number(one.getAttribute("x")), Number(one.getAttribute("y"))];
    const of = (one.matches(".name") ? pieces : one.matches(".zone") ? [] : lands).find((each) => each.number === one.dataset.number);
    return { one, at, of, letters: one.textContent.length };
  }

  function* spots({ one, at, of }, small) {
    const high = LETTERS * 0.6 * small;
    if (!of) return yield at;
    if (one.matches(".label")) {
      if (of.high > 4 * high) return yield at;
      yield [at[0], of.low + high];
      return yield [at[0], of.low - of.high - high];
    }
    const off = (of.wide + high) * (of.at[1] > depth ? -1 : 1);
    yield [of.at[0], of.at[1] + off];
    yield [of.at[0], of.at[1] - off];
  }

  function land(shape) {
    const told = shape.querySelector("title")?.textContent || "";
    const points = shape.getAttribute("points").split(" ").map((one) => one.split(",").map(Number));
    const ys = points.map((one) => one[1]);
    return {
      roof: Number(shape.dataset.roof || 0), widest: Number(shape.dataset.widest || 0),
      number: shape.dataset.number, told, points, low: Math.max(...ys), high: Math.max(...ys) - Math.min(...ys), name: told.split(" at ")[0], slow: shape.dataset.slows || "",
    };
  }

  // ---------------------------------------------------------------- what a path crosses

  function beside(p, a, b) {
    const along = far(a, b) ** 2;
    const part = along ? Math.min(1, Math.max(0, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / along)) : 0;
    return far(p, [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]);
  }

  const turn = (a, b, c) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  const meet = (a, b, c, d) => turn(a, b, c) !== turn(a, b, d) && turn(c, d, a) !== turn(c, d, b);

  function holds(points, p) {
    let inside = false;
    points.forEach((a, place) => {
      const b = points.at(place - 1);
      if (a[1] > p[1] !== b[1] > p[1] && p[0] < a[0] + ((p[1] - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
    });
    return inside;
  }

  function touches(a, b, r, points) {
    return holds(points, a) || points.some((c, place) => {
      const d = points.at(place - 1);
      return meet(a, b, c, d) || Math.min(beside(c, a, b), beside(a, c, d), beside(b, c, d)) < r - 1e-6;
    });
  }

  const crossed = (path, r) => lands.filter((one) => path.slice(1).some((b, place) => touches(path[place], b, r, one.points)));

  // Where the middle of a base would be inside something that can be climbed, the model stands on top of it,
  // unless it is too narrow for the base.
  const roof = (at, r) => Math.max(0, ...lands.filter((one) => r <= one.widest && holds(one.points, at)).map((one) => one.roof));

  const table = () => [[0, 0], [width, 0], [width, depth], [0, depth]];
  const numbered = (number) => pieces.find((one) => one.number === number);
  const far = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const inches = (value) => `${(Math.floor(value * 10 + 0.5) / 10).toFixed(1)} in`;
  const place = (at) => `${round(at[0])} ${round(depth - at[1])}`;
  const cell = (at) => {
    const size = Math.max(width, depth) <= 52 ? 2 : 4;
    const column = Math.min(Math.floor(at[0] / size), Math.ceil(width / size) - 1);
    const row = Math.min(Math.floor(at[1] / size), Math.ceil(depth / size) - 1);
    return `${column < 26 ? "" : "A"}${String.fromCharCode(65 + (column % 26))}${row + 1}`;
  };
  const round = (value) => Math.round(value * 100) / 100;

  // A newer board waits while a finger is down. An enemy that is tapped before the board shows who acts
  // is measured as soon as it does.
  let asked = 0, soon = 0, newer = null, tapped = null;
  const PATIENCE = 1000, AGAIN = 2000;

  document.addEventListener("ground", (event) => {
    if (event.detail && event.detail === stamp) return;
    if (event.detail) stamp = event.detail;
    clearTimeout(soon);
    soon = setTimeout(renew, 40);
  });

  async function renew() {
    const number = (asked += 1);
    let text = null;
    try {
      const answer = await fetch("ground");
      if (answer.ok) text = await answer.text();
    } catch (lost) {
      // It is asked again.
    }
    if (number !== asked) return;
    if (text === null) {
      soon = setTimeout(renew, AGAIN);
      return;
    }
    newer = text;
    if (!fingers.size) exchange();
  }

  function exchange() {
    const focused = svg?.contains(document.activeElement) ? document.activeElement.dataset.number : null;
    const open = !!view.querySelector("details[open]");
    const acted = acting.join();
    view.innerHTML = newer;
    newer = null;
    read();
    if (!svg) return;
    view.querySelector("details").open = open;
    // What was sent has been answered. A plan stays while its model stands where it stood and nobody else begins to act.
    const stays = plan && !plan.sent && (acting.join() === acted || acting.includes(plan.number));
    const mover = stays && numbered(plan.number);
    if (mover && far(mover.at, plan.path[0]) < 0.01) {
      plan.paces.clear();
      draw();
      if (plan.path.length > 1 && !begun?.moves) tell();
    }
    else if (plan) drop();
    if (focused) numbered(focused)?.base.focus({ preventScroll: true });
    const target = tapped && Date.now() - tapped.when < PATIENCE && numbered(tapped.number);
    if (target) measure(target);
  }

  // ---------------------------------------------------------------- the view

  // While a place is asked for, all of the board lies below the words.
  function whole() {
    const margin = 1.6;
    const box = svg.getBoundingClientRect();
    const left = wanted || tape?.scale ? says.offsetTop + says.offsetHeight : 0;
    const shape = box.width && box.height > left ? (box.height - left) / box.width : 1;
    const w = Math.max(width + 2 * margin, (depth + 2 * margin) / shape);
    eye = { width, depth, x: (width - w) / 2, y: (depth - w * shape) / 2 - (left * w) / (box.width || 1), w, most: w };
    look();
  }

  const refit = () => svg && eye && (eye.w < eye.most - 0.01 ? look() : whole());

  function ask_for_place(text) {
    say(text);
    says.classList.add("up");
    refit();
  }

  function look() {
    const box = svg.getBoundingClientRect();
    const shape = box.width && box.height ? box.height / box.width : 1;
    eye.w = Math.min(Math.max(eye.w, 4), eye.most * 1.5);
    const h = eye.w * shape;
    eye.x = bound(eye.x, eye.w, width);
    eye.y = bound(eye.y, h, depth);
    svg.setAttribute("viewBox", `${eye.x} ${eye.y} ${eye.w} ${h}`);
    readable();
    if (plan || tape) draw();
  }

  // The view shows no more than a strip beside the table, or all of the table.
  function bound(from, size, side) {
    const strip = Math.max(1.6, size * 0.15);
    const [low, high] = [-strip, side + strip - size].sort((one, other) => one - other);
    return Math.min(Math.max(from, low), high);
  }

  // Letters and pins keep their size on the screen; names and labels are shown where there is room.
  function readable() {
    const small = dot();
    svg.style.setProperty("--dot", small);
    for (const one of pieces) {
      const free = Math.min(...pieces.map((other) => (other === one ? Infinity : far(one.at, other.at) / 2)));
      one.wide = Math.max(one.r, Math.min(GRIP * small, Math.max(PIN * small, free)));
      one.pin.setAttribute("r", one.wide);
      for (const part of one.parts) {
        const grown = one.wide / one.r;
        if (part.matches(".sign")) part.style.fontSize = `${Math.max(one.r, one.wide, 10 * small)}px`;
        else if (part.matches(".acting")) part.setAttribute("r", one.wide + 2.5 * small);
        else part.setAttribute("transform", `translate(${one.at.map((each) => each * (1 - grown)).join(" ")}) scale(${grown})`);
      }
      one.base.classList.toggle("pinned", one.wide > one.r);
    }
    const taken = pieces.map((one) => [...one.at, one.wide, one.wide]);
    for (const each of words) {
      const size = [each.letters * LETTERS * (each.one.matches(".name") ? 0.36 : 0.28) * small, LETTERS * 0.55 * small];
      const free = [...spots(each, small)].find((at) =>
        taken.every((other) => Math.abs(at[0] - other[0]) >= size[0] + other[2] || Math.abs(at[1] - other[1]) >= size[1] + other[3]));
      each.one.classList.toggle("crowded", !free);
      if (!free) continue;
      taken.push([...free, ...size]);
      each.one.setAttribute("x", free[0]);
      each.one.setAttribute("y", free[1]);
    }
  }

  // One inch stays where it is on the screen while what is around it grows.
  function zoom(factor, at) {
    const box = svg.getBoundingClientRect();
    const middle = at || [eye.x + eye.w / 2, eye.y + (eye.w * box.height) / box.width / 2];
    const before = eye.w;
    eye.w = Math.min(Math.max(eye.w / factor, 4), eye.most * 1.5);
    eye.x = middle[0] - ((middle[0] - eye.x) * eye.w) / before;
    eye.y = middle[1] - ((middle[1] - eye.y) * eye.w) / before;
    look();
  }

  const dot = () => eye.w / (svg.getBoundingClientRect().width || 1);

  function at(event) {
    const box = svg.getBoundingClientRect();
    return [eye.x + (event.clientX - box.left) * dot(), eye.y + (event.clientY - box.top) * dot()];
  }

  // The model whose base is nearest to a finger, of those that it hits: bases and so much around them.
  function nearest(point, dots) {
    const found = pieces
      .map((one) => [far(one.at, point) - one.r, one])
      .filter(([gap, one]) => gap < Math.max(dots, GRIP - one.r / dot()) * dot())
      .sort((one, other) => one[0] - other[0]);
    return found.length ? found[0][1] : null;
  }

  // ---------------------------------------------------------------- what is planned

  function made(form, kind, given) {
    const one = document.createElementNS("http://www.w3.org/2000/svg", form);
    one.setAttribute("class", kind);
    for (const [name, value] of Object.entries(given)) one.setAttribute(name, value);
    return one;
  }

  function draw() {
    svg.querySelector(".plan")?.remove();
    const layer = made("g", "plan", {});
    const size = 15 * dot();
    if (plan) {
      const mover = numbered(plan.number);
      const end = plan.path.at(-1);
      if (plan.path.length > 1) {
        const gone = length(plan.path);
        const over = goes() && paces().length && gone > paces().at(-1) + 0.005 ? " over" : "";
        rings(layer, mover, plan.path.at(-2), length(plan.path.slice(0, -1)));
        for (const one of crossed(plan.path, mover.r)) layer.append(made("polygon", "across", { points: one.points.map((each) => each.join(",")).join(" ") }));
        layer.append(line(plan.path, `way${over}`));
        for (const one of plan.path.slice(1, -1)) layer.append(made("circle", `bend${over}`, { cx: one[0], cy: one[1], r: 4 * dot() }));
        layer.append(made("circle", `ghost${over}${plan.route?.barred && !plan.asks ? " barred" : ""}`, { cx: end[0], cy: end[1], r: mover.r }));
        if (goes()) layer.append(label(end, Math.max(mover.r, 12 * dot()), inches(gone), size));
      } else {
        rings(layer, mover, mover.at, 0);
        layer.append(made("circle", "chosen", { cx: end[0], cy: end[1], r: mover.wide + 3 * dot() }));
      }
    }
    if (tape?.to) {
      layer.append(line([tape.from, tape.to], "tape"));
      layer.append(label(tape.to, 0, inches(far(tape.from, tape.to)), size));
    }
    svg.append(layer);
    // What is said stands where the model is not.
    const shown = plan?.path.at(-1) || tape?.to || tape?.from;
    const box = svg.getBoundingClientRect();
    if (shown) says.classList.toggle("up", shown[1] > eye.y + (eye.w * box.height) / box.width / 2);
  }

  // What a route runs over, on which it depends how far the model gets; and how far that is, as the game has told it.
  const underfoot = (path, r) => [...crossed(path, r).map((one) => one.name), roof(path.at(-1), r)].join();
  function paces() {
    const mover = numbered(plan.number);
    return plan.paces.get(underfoot(plan.path, mover.r)) || mover.paces;
  }

  // How far the model gets from here with each of its moves: its base stays inside the ring.
  function rings(layer, mover, from, gone) {
    paces().forEach((pace, place) => {
      if (pace <= gone || !goes()) return;
      layer.append(made("circle", `ring pace${place}`, { cx: from[0], cy: from[1], r: pace - gone + mover.r }));
    });
  }

  const line = (points, kind) => made("polyline", kind, { points: points.map((one) => one.join(",")).join(" ") });

  function label(point, r, text, size) {
    const above = point[1] - r - size > eye.y + size;
    const one = made("text", "measured", {
      x: point[0], y: above ? point[1] - r - size * 0.6 : point[1] + r + size * 1.3,
      "font-size": size, "stroke-width": size / 4, "text-anchor": "middle",
    });
    one.textContent = text;
    return one;
  }

  const together = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  const length = (path) => path.slice(1).reduce((sum, one, place) => sum + far(path[place], one), 0);

  function say(text) {
    if (says.textContent !== text) says.textContent = text;
  }

  // What can be sent: the game's own move where it allows one, and a move that is only one on the board. Where
  // the game refuses the move, nothing but to cancel it is the likely button.
  function offer() {
    const choice = plan?.path.length === 1 && choice_of(plan.number);
    act.hidden = !plan || (plan.path.length < 2 && !choice);
    tools.hidden = !act.hidden;
    const [main, acts, bends, only, cancel] = ["send", "acts", "bend", "only", "cancel"].map((name) => act.querySelector(`[data-do=${name}]`));
    const route = plan?.route || {};
    acts.hidden = !choice;
    acts.classList.toggle("main", !!choice);
    main.classList.toggle("main", !choice);
    if (choice) acts.textContent = `${acting.length ? "Choose" : "Act with"} ${numbered(plan.number).name}`;
    main.hidden = !!choice || refused();
    bends.hidden = !!choice || (plan && !goes());
    cancel.classList.toggle("main", main.hidden && !choice);
    only.hidden = !route.label && !route.refused;
    main.disabled = only.disabled = !!plan?.asks;
    main.textContent = plan && !goes() ? (numbered(plan.number).is_hidden ? "Hide here" : "Place here") : route.label || "Move here";
    if (plan && !act.hidden) act.elements.line.value = route.line || line_of();
  }

  // Whether the planned model moves as its game has it, and is not only placed.
  const goes = () => begun_game && !numbered(plan.number).is_hidden;

  // The card's button for a model, where it asks for one.
  const choice_of = (number) => [...document.querySelectorAll("#panel .next button:not(:disabled)")]
    .find((one) => one.firstChild?.textContent.trim() === numbered(number)?.name);

  const refused = () => !plan?.asks && !!(plan?.route?.barred || plan?.route?.refused);

  function drop(text = "") {
    plan = null;
    tape = tape && tape.on ? { on: true } : null;
    svg?.querySelector(".plan")?.remove();
    offer();
    say(text);
  }

  function choose(mover) {
    if (plan?.number === mover.number) return;
    drop();
    plan = { number: mover.number, path: [mover.at], sent: false, paces: new Map() };
    offer();
    say(`${mover.told}. ${goes() ? "Drag it, or tap a target." : "Drag it to its place, or tap the place."}`);
    draw();
  }

  // An enemy that is nearly touched is touched; bases don't overlap, and the whole base stays on the table.
  function settled(point) {
    const mover = numbered(plan.number);
    let [x, y] = [Math.min(Math.max(point[0], mover.r), width - mover.r), Math.min(Math.max(point[1], mover.r), depth - mover.r)];
    for (const other of pieces) {
      const apart = far([x, y], other.at);
      const gap = apart - mover.r - other.r;
      if (other === mover || !apart || gap >= (other.own ? 0 : Math.max(0.25, 6 * dot()))) continue;
      const scale = (mover.r + other.r) / apart;
      [x, y] = [other.at[0] + (x - other.at[0]) * scale, other.at[1] + (y - other.at[1]) * scale];
      break;
    }
    return [round(x), round(y)];
  }

  function go(point) {
    if (plan.path.length === 1) plan.path.push(point);
    else plan.path[plan.path.length - 1] = point;
    draw();
  }

  // In words: how far of how much, where to, through what, and whom it touches.
  function told() {
    const mover = numbered(plan.number);
    const end = plan.path.at(-1);
    const top = roof(end, mover.r) ? `, on top at level ${roof(end, mover.r)}` : "";
    if (!goes()) return `${mover.name} at ${cell(end)}${top}.`;
    const gone = length(plan.path);
    const pace = paces().find((one) => gone <= one + 0.005) || paces().at(-1);
    const over = pace && gone > pace + 0.005 ? `, ${inches(gone - pace)} too far` : "";
    const touched = pieces.filter((one) => one !== mover && far(one.at, end) - one.r - mover.r < 0.05).map((one) => one.name);
    const met = pieces.filter((one) => one !== mover && !touched.includes(one.name) &&
      plan.path.slice(1).some((b, place) => beside(one.at, plan.path[place], b) < one.r + mover.r - 0.02)).map((one) => one.name);
    const through = crossed(plan.path, mover.r).map((one) => `${one.name}${one.slow ? ` (${one.slow})` : ""}`);
    const lost = pace && mover.paces.length === paces().length ? mover.paces[paces().indexOf(pace)] - pace : 0;
    return `${mover.name} moves ${inches(gone)}${pace && !over ? ` of ${Math.round(pace * 10) / 10} in` : ""} to ${cell(end)}${over}${top}` +
      `${through.length ? `, across ${together(through)}${lost > 0.05 ? `, which costs ${inches(lost)}` : ""}` : ""}${met.length ? `, over the base of ${together(met)}` : ""}` +
      `${touched.length ? `, in contact with ${together(touched)}` : ""}.`;
  }

  function line_of(only) {
    if (numbered(plan.number).is_hidden) return `${notes[plan.number]} where:${place(plan.path.at(-1))}`;
    const level = roof(plan.path.at(-1), numbered(plan.number).r);
    const where = begun_game ? plan.path.slice(1).map(place).join(" then ") : place(plan.path.at(-1));
    return `/board ${begun_game ? "move" : "place"} model:#${plan.number} where:${where}${level ? ` level:${level}` : ""}${only && begun_game ? " freely:true" : ""}`;
  }

  // What the game makes of the move, and what would refuse it, is asked before it can be sent.
  async function tell() {
    const now = plan;
    const line = line_of();
    now.asks = line;
    say(told());
    offer();
    const route = await asked_of(now);
    if (plan !== now || now.asks !== line) return;
    now.asks = "";
    now.route = route;
    if (route.barred) say(route.barred);
    else say(`${told()} ${route.refused || route.told || ""}`.trim());
    offer();
    draw();
    if (now.enters && !refused()) act.requestSubmit();
    now.enters = false;
  }

  async function asked_of(now) {
    const r = numbered(now.number).r;
    const ground = underfoot(now.path, r);
    const known = now.paces;
    let route = {};
    try {
      const answer = await fetch(`way?${new URLSearchParams({ model: now.number, where: line_of().split("where:")[1].split(" level:")[0], level: roof(now.path.at(-1), r) })}`);
      if (answer.ok) route = await answer.json();
    } catch (lost) {
      // It is sent as it is, and answered then.
    }
    if (route.paces && !route.barred) known.set(ground, route.paces);
    return route;
  }

  // While the finger rests, the ring follows the terrain that the route runs over.
  let rests = 0;
  async function rest() {
    const now = plan;
    if (!now || !begun?.moves || !goes() || now.paces.has(underfoot(now.path, numbered(now.number).r))) return;
    await asked_of(now);
    if (plan !== now || !begun?.moves) return;
    draw();
    say(told());
  }

  function bend() {
    if (!plan || plan.path.length < 2) return;
    if (plan.path.length > MOST_PARTS) return say(`A path can have at most ${MOST_PARTS} parts.`);
    plan.path.push([...plan.path.at(-1)]);
    say(`The path bends here. ${inches(length(plan.path))} so far; keep dragging.`);
    draw();
  }

  function measure(target) {
    tapped = null;
    const last = acting.length === 1 ? acting[0] : !acting.length || acting.includes(picked) ? picked : "";
    const from = numbered(plan ? plan.number : last);
    if (from?.is_hidden || target.is_hidden) return say(`${from ? `${from.name} to ` : ""}${target.name}: ${inches(Math.max(0, far((from || target).at, target.at) - from?.r - target.r))}.`);
    if (!plays) return say(target.told);
    if (!from || from === target) {
      tapped = { number: target.number, when: Date.now() };
      return say(`${target.told}. Choose one of your models first to measure from it.`);
    }
    drop();
    act.elements.line.value = `/board measure model:#${from.number} to:#${target.number}`;
    act.requestSubmit();
  }

  function tap(target, point) {
    tapped = null;
    if (wanted) return spotted(target && wanted.field.dataset.pointed !== "spots" ? target.at : point);
    if (tape?.on) return stretch(point, target);
    if (!target && plan && !goes() && holds(table(), point)) {
      go(settled(point));
      return tell();
    }
    // What was measured before makes room for the card again.
    if (!target || target.own) document.querySelector("#aside .close")?.click();
    if (!target) return drop(lands.find((one) => holds(one.points, point))?.told);
    if (target.own && plays) return plan?.number === target.number ? drop() : choose(target);
    measure(target);
  }

  function stretch(point, target) {
    if (tape.scale) return corner(point);
    const here = target ? target.at : point;
    if (!tape.from || tape.to) tape = { on: true, from: here, base: target };
    else {
      const [a, b] = [tape.from, here];
      const apart = far(a, b) || 1;
      const cut = (from, to, r) => [from[0] + ((to[0] - from[0]) * r) / apart, from[1] + ((to[1] - from[1]) * r) / apart];
      tape.from = cut(a, b, tape.base?.r || 0);
      tape.to = cut(b, a, target?.r || 0);
      const ends = tape.base && target ? " from base to base" : "";
      say(`Tape measure: ${inches(far(tape.from, tape.to))}${ends}. Only you can see it.`);
    }
    if (!tape.to) say("Tap the other end.");
    draw();
  }

  // Two opposite corners of the table in the photograph.
  function corner(point) {
    if (!tape.from) {
      tape.from = point;
      return say("Now tap the opposite corner.");
    }
    act.elements.line.value = `/board scale one:${place(tape.from)} other:${place(point)}`;
    tape = null;
    drop();
    refit();
    act.requestSubmit();
  }

  // ---------------------------------------------------------------- fingers and the mouse

  const fingers = new Map();
  let begun = null;

  view.addEventListener("pointerdown", (event) => {
    if (!svg || !svg.contains(event.target) || event.button) return;
    svg.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size > 1) {
      if (begun?.moves) drop();
      begun = { pinch: true };
      return;
    }
    const point = at(event);
    const end = plan && plan.path.length > 1 && far(plan.path.at(-1), point) < Math.max(numbered(plan.number).r, NEAR * dot());
    const hit = end ? numbered(plan.number) : nearest(point, NEAR / 2);
    const held = !tape?.on && plays && hit?.own && hit;
    begun = { point, held, goes_on: end, slipped: false, at: [event.clientX, event.clientY], eye: { ...eye } };
  });

  view.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId) || !begun) return;
    const before = fingers.get(event.pointerId);
    const now = [event.clientX, event.clientY];
    if (begun.pinch) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, now);
      if (!other || !far(before, other)) return;
      zoom(far(now, other) / far(before, other), at({ clientX: (now[0] + other[0]) / 2, clientY: (now[1] + other[1]) / 2 }));
      eye.x -= ((now[0] - before[0]) / 2) * dot();
      eye.y -= ((now[1] - before[1]) / 2) * dot();
      return look();
    }
    fingers.set(event.pointerId, now);
    if (!begun.slipped && far(begun.at, now) < SLIP) return;
    if (!begun.slipped && begun.held && !begun.goes_on) {
      if (plan?.number !== begun.held.number || plan.path.length > 1) drop();
      if (!plan) choose(begun.held);
    }
    begun.slipped = true;
    if (begun.held) {
      begun.moves = true;
      plan.route = {};
      const grip = begun.goes_on ? [0, 0] : [begun.held.at[0] - begun.point[0], begun.held.at[1] - begun.point[1]];
      const point = at(event);
      go(settled([point[0] + grip[0], point[1] + grip[1]]));
      say(told());
      clearTimeout(rests);
      rests = setTimeout(rest, REST);
    } else {
      eye.x = begun.eye.x - (now[0] - begun.at[0]) * dot();
      eye.y = begun.eye.y - (now[1] - begun.at[1]) * dot();
      look();
    }
  });

  function end(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (newer !== null && !fingers.size) exchange();
    if (!begun) return;
    if (event.type === "pointerup" && begun.moves) plan && tell();
    else if (event.type === "pointerup" && !begun.slipped && !begun.pinch) tap(nearest(begun.point, FINGER), begun.point);
    if (!fingers.size) begun = null;
  }
  view.addEventListener("pointerup", end);
  view.addEventListener("pointercancel", end);
  // A tap that brings a form back under the finger ends there: its click would press what stands in the form.
  view.addEventListener("touchend", (event) => sheet?.open && event.preventDefault());

  view.addEventListener("wheel", (event) => {
    if (!svg?.contains(event.target)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, at(event));
  }, { passive: false });

  // ---------------------------------------------------------------- the keyboard

  let stepped = 0;
  const STEPS = { ArrowUp: [0, -0.1], ArrowDown: [0, 0.1], ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0] };

  view.addEventListener("keydown", (event) => {
    const pressed = { "+": "nearer", "=": "nearer", "-": "farther", 0: "whole", t: "tape" }[event.key.toLowerCase()];
    if (svg && pressed && !event.ctrlKey && !event.metaKey) {
      DOES[pressed](tools.querySelector(`[data-do=${pressed}]`));
      return event.preventDefault();
    }
    const one = svg && numbered(event.target.dataset?.number);
    if (!one) return;
    const moving = plan && plan.number === one.number && !tape?.on;
    const step = STEPS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      if (moving && plan.path.length > 1 && plan.asks) plan.enters = true;
      else if (moving && plan.path.length > 1) refused() || act.requestSubmit();
      else if (tape?.on) stretch(one.at, one);
      else if (one.own && plays) {
        choose(one);
        say(`${one.told}. ${HOW}`);
      } else measure(one);
    } else if (event.key === "Escape" && (plan || tape || wanted)) {
      wanted = null;
      drop("Cancelled.");
      refit();
    }
    else if (moving && step) {
      const size = event.shiftKey ? 10 : 1;
      const last = plan.path.at(-1);
      const r = one.r;
      go([round(Math.min(Math.max(last[0] + step[0] * size, r), width - r)), round(Math.min(Math.max(last[1] + step[1] * size, r), depth - r))]);
      clearTimeout(stepped);
      stepped = setTimeout(() => plan && tell(), 150);
      say(told());
      plan.asks = line_of();
      offer();
    } else if (moving && event.key.toLowerCase() === "b") bend();
    else return;
    event.preventDefault();
  });

  view.addEventListener("focusin", (event) => {
    const one = svg && numbered(event.target.dataset?.number);
    const box = svg?.getBoundingClientRect();
    if (!one || !box.width) return;
    const high = (eye.w * box.height) / box.width;
    if (one.at[0] > eye.x && one.at[0] < eye.x + eye.w && one.at[1] > eye.y && one.at[1] < eye.y + high) return;
    [eye.x, eye.y] = [one.at[0] - eye.w / 2, one.at[1] - high / 2];
    look();
  });

  // ---------------------------------------------------------------- buttons

  const DOES = {
    nearer: () => zoom(1.5),
    farther: () => zoom(1 / 1.5),
    whole,
    bend,
    cancel: () => drop(),
    acts: () => {
      const choice = choice_of(plan.number);
      drop();
      choice?.click();
    },
    send: () => {},
    only: () => {
      act.elements.line.value = line_of(true);
      act.requestSubmit();
    },
    tape: (button) => {
      drop();
      tape = tape ? null : { on: true };
      button.setAttribute("aria-pressed", String(!!tape));
      say(tape ? "Tap two places or models. Only you can see the tape measure." : "");
    },
    where: (button) => {
      const list = view.querySelector("details.where");
      list.open = !list.open;
      button.setAttribute("aria-expanded", String(list.open));
    },
    scale: () => {
      drop();
      tape = { on: true, scale: true };
      view.querySelector("details.where").open = false;
      ask_for_place("Tap a corner of the table in the photograph, then the opposite one.");
    },
    large: (button) => {
      const large = document.body.classList.toggle("large-ground");
      button.setAttribute("aria-pressed", String(large));
      whole();
    },
  };

  // A form that asks for a route says first that the model can be dragged; buttons that name a model have its number.
  const sheet = document.getElementById("sheet");

  function marked() {
    const signs = new Map([...pieces].reverse().filter((one) => !one.is_hidden).map((one) => [one.name, one.sign]));
    for (const one of document.querySelectorAll("#panel button, #aside button, #panel .check > span, #aside .check > span, #sheet .check > span")) {
      const name = [...one.childNodes].map((each) => (each.nodeType === Node.TEXT_NODE ? each.textContent.trim() : "")).join("");
      const sign = signs.get(name);
      if (sign && one.dataset.sign !== sign) one.dataset.sign = sign;
      else if (!sign && one.dataset.sign) delete one.dataset.sign;
    }
  }

  function dragged() {
    if (!svg || !sheet || sheet.querySelector(".on-board")) return;
    for (const field of sheet.querySelectorAll("[data-pointed=spot]")) field.closest(".field").append(button_for("Tap the place on the board", () => pick_spot(field)));
    for (const field of sheet.querySelectorAll("[data-pointed=spots]")) field.closest(".field").append(button_for("Tap a place on the board", () => pick_spot(field)));
    const mover = acting.length === 1 ? numbered(acting[0]) : null;
    if (!sheet.querySelector("[data-pointed=route]") || !begun_game || (mover ? !mover.own : !acting.length)) return;
    const words = document.createElement("p");
    words.append(button_for(mover ? `Drag ${mover.name} on the board` : "Drag a model on the board", () => {
      sheet.close();
      if (mover) choose(mover);
      else say("Drag the model that moves.");
    }), " or enter the route here:");
    sheet.querySelector("h2").after(words);
  }

  function button_for(text, does) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "on-board";
    button.textContent = text;
    button.addEventListener("click", does);
    return button;
  }

  // The form makes room for the board until its place is tapped, and then goes on with what was filled in.
  let wanted = null;

  function pick_spot(field) {
    wanted = { field, form: sheet.querySelector("form") };
    sheet.close();
    drop();
    ask_for_place("Tap the place.");
  }

  function spotted(point) {
    const { field, form } = wanted;
    wanted = null;
    sheet.replaceChildren(form);
    const earlier = field.dataset.pointed === "spots" && field.value.trim();
    field.value = earlier ? `${earlier}; ${place(point)}` : place(point);
    sheet.showModal();
    field.focus();
    say("");
    refit();
  }

  const asked_again = new MutationObserver(() => {
    marked();
    dragged();
    // A model that was chosen before the card asked for it can be chosen now.
    if (plan?.path.length === 1) offer();
  });
  for (const part of ["panel", "aside", "sheet"]) {
    const one = document.getElementById(part);
    if (one) asked_again.observe(one, { childList: true, subtree: true });
  }

  // Who was chosen on the card last: of several that act, the one from which an enemy is measured.
  let picked = "";
  document.addEventListener("click", (event) => {
    const name = event.target.closest?.(".next button, .menu button")?.firstChild?.textContent.trim();
    picked = (name && pieces.find((one) => one.own && one.name === name)?.number) || picked;
  }, true);

  ground.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && svg) DOES[button.dataset.do](button);
  });

  document.getElementById("ground-more").addEventListener("submit", () => {
    view.querySelector("details.where").open = false;
    tools.querySelector("[data-do=where]").setAttribute("aria-expanded", "false");
  });

  act.addEventListener("submit", () => {
    if (plan) plan.sent = true;
    act.hidden = true;
    tools.hidden = false;
  });

  // A move that was sent is planned no longer once its question is closed, and goes on after a refusal.
  const aside = document.getElementById("aside");
  const notice = document.getElementById("notice");
  new MutationObserver(() => {
    if (!plan?.sent) return;
    if (notice.firstElementChild) {
      plan.sent = false;
      offer();
    } else if (!aside.firstElementChild) drop();
  }).observe(aside.parentElement, { childList: true, subtree: true });

  new ResizeObserver(refit).observe(view);
  read();
  dragged();
})();
