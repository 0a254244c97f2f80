// Keeps a seat's page up to date, and sends what is pressed, each thing once. Without it the page still works,
// by whole pages.
"use strict";

const log = document.getElementById("log");
const panel = document.getElementById("panel");
const notice = document.getElementById("notice");
const state = document.getElementById("line-state");
const sheet = document.getElementById("sheet");
const aside = document.getElementById("aside");
const menu = document.getElementById("menu");
const pulled = [...document.querySelectorAll("#sheets > details")];
const under_way = new Set();
const titled = document.title;

// Whether the newest message stays in sight: until somebody scrolls up, and again after what he does himself.
let follows = true;

function follow() {
  if (follows && log) log.scrollTop = newest();
}

// The end; of a private answer that is longer than the log, where it begins. A public one is longer since it
// was added to.
function newest() {
  const last = log.lastElementChild;
  const end = log.scrollHeight - log.clientHeight;
  return last && last.matches(".private") && last.offsetHeight > log.clientHeight ? end - last.offsetHeight + log.clientHeight - 8 : end;
}

if (log) {
  log.addEventListener("scroll", () => {
    follows = log.scrollTop > newest() - 60;
  });
  log.addEventListener("load", follow, true);
  new ResizeObserver(follow).observe(log);
}

// What happens

let at = document.body.dataset.at;
let source;

function listen() {
  source = new EventSource("events?after=" + encodeURIComponent(at));
  source.onopen = () => say_state("");
  source.onerror = () => {
    say_state("Reconnecting...");
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
  on("put", put);
  on("gone", gone);
  on("all", all);
  on("seats", seats);
  on("scene", scene);
  on("again", () => location.reload());
}

function on(kind, act) {
  source.addEventListener(kind, (event) => {
    if (event.lastEventId) at = event.lastEventId;
    act(JSON.parse(event.data));
  });
}

function say_state(text) {
  if (state && state.textContent !== text) state.textContent = text;
}

function made(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  leave_own(holder.content);
  return holder.content.firstElementChild;
}

// A button for some people alone is theirs without saying so, and nobody else's.
function leave_own(part) {
  for (const each of part.querySelectorAll("button")) {
    const only = /^(.+?)( \(|, )only (.+)\)$/.exec(each.textContent);
    if (!only) continue;
    if (only[3].split(" and ").includes(document.body.dataset.name)) each.textContent = only[1] + only[2].replace(" (", "").replace(", ", ")");
    else each.hidden = true;
  }
}

function put(shown) {
  if (!log) return;
  const old = document.getElementById(shown.id);
  const fresh = made(shown.html);
  if (fresh.classList.contains("private")) document.dispatchEvent(new CustomEvent("ground"));
  if (shown.panel) fold(fresh);
  fall(fresh, old || (shown.panel && panel.firstElementChild));
  if (!shown.stays) hear(fresh, shown.panel ? panel.firstElementChild : old);
  if (shown.panel) setTimeout(attend, AFTER_CARD);
  if (old && (shown.stays || old.parentElement === (shown.panel ? panel : is_mine(fresh) ? aside : log))) return exchange(old, fresh);
  if (old && old.parentElement === panel) close_card(old);
  else if (old) old.remove();
  if (old) tell_newest();
  if (shown.panel) {
    const before = panel.firstElementChild;
    if (before && later(before.id, shown.id)) return;
    if (is_left()) clear_aside();
    if (before) exchange(before, fresh);
    else panel.append(fresh);
    fit();
    return arrange();
  }
  if (is_mine(fresh)) set_aside(fresh);
  else file(fresh);
  arrange();
}

// A closed card stands, with nothing to press, until the next one comes: a private answer may come between them.
const NEXT_CARD = 3000;

function close_card(card) {
  card.removeAttribute("id");
  card.inert = true;
  setTimeout(() => {
    card.remove();
    arrange();
  }, NEXT_CARD);
}

function is_mine(fresh) {
  return aside && panel.firstElementChild && fresh.classList.contains("private");
}

// What one person alone sees stands above the thumb bar until it is closed or answered; then the log has it.
function set_aside(fresh) {
  if (fresh.parentElement !== aside) clear_aside();
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.textContent = "Close";
  close.addEventListener("click", clear_aside);
  fresh.prepend(close);
  fresh.since = Date.now();
  aside.append(fresh);
}

function clear_aside() {
  const old = aside && aside.firstElementChild;
  if (!old) return;
  const close = old.querySelector(".close");
  if (close) close.remove();
  file(old);
}

// Whether it has stood for a while, and nobody is about to choose from it: it gives way when the game goes on.
function is_left() {
  const old = aside && aside.firstElementChild;
  return old && Date.now() - (old.since ??= Date.now()) > 3000 && !old.contains(document.activeElement) && !old.querySelector("details[open], input");
}

// What came, for readers of the screen: its headline, unless the card before told it, and what is waited for. What is
// older than the card, or was told before, only goes into the log.
function hear(fresh, before) {
  const told = (one) => one?.querySelector(".told p")?.textContent || "";
  const card = panel.firstElementChild;
  if (fresh.matches(".public") && before !== card && (told(before) || (card && later(card.id, fresh.id)))) return;
  const headline = fresh.querySelector(".told.past") && told(fresh) === told(before) ? "" : told(fresh);
  document.getElementById("heard").textContent = [headline, fresh.querySelector(".next > p")?.textContent].filter(Boolean).join(" ");
}

// Into the log, in its order.
function file(fresh) {
  const next = [...log.children].find((each) => later(each.id, fresh.id));
  if (next && next === log.firstElementChild && log.children.length >= 80) return fresh.remove();
  log.insertBefore(fresh, next || null);
  tell_newest();
  follow();
}

function tell_newest() {
  const first = log.lastElementChild && log.lastElementChild.querySelector(".told p");
  document.getElementById("newest").textContent = first ? first.textContent : "";
}

// Dice fall in where they were not there before.
function fall(fresh, old) {
  const said = (one) => [...one.querySelectorAll(".told:not(.past) .roll .hidden")].map((each) => each.textContent).join();
  if (said(fresh) && !(old && said(old) === said(fresh))) fresh.classList.add("fresh");
}

function later(one, other) {
  return one.length === other.length ? one > other : one.length > other.length;
}

// A message in its new form: what was focused and what stood open stays so, by its words.
function exchange(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement.textContent : null;
  const open = [...old.querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  for (const summary of fresh.querySelectorAll("details > summary")) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  }
  const close = old.querySelector(":scope > .close");
  if (close) fresh.prepend(close);
  fresh.since = old.since;
  old.replaceWith(fresh);
  if (focused !== null) {
    const same = [...fresh.querySelectorAll("button, summary, a")].find((each) => each.textContent === focused);
    (same || fresh).focus({ preventScroll: true });
  }
  follow();
}

function gone(what) {
  const old = document.getElementById(what.id);
  if (old) old.remove();
  if (log) arrange();
}

function all(shown) {
  if (!log) return location.reload();
  const standing = new Set(shown.messages.map((each) => each.id));
  for (const each of [...log.children, ...panel.children, ...aside.children]) if (!standing.has(each.id)) each.remove();
  const last = shown.messages.at(-1);
  for (const each of shown.messages) {
    const old = document.getElementById(each.id);
    if (old || each === last || each.panel || !is_mine(made(each.html))) put({ ...each, stays: log.contains(old) });
    else file(made(each.html));
  }
  document.dispatchEvent(new CustomEvent("ground"));
  arrange();
}

// The bar, the crews and the board

function scene(shown) {
  for (const name of ["bar", "acting", "crews", "board"]) {
    const part = document.getElementById(name);
    if (!part) continue;
    const open = [...part.querySelectorAll(":scope details[open] .name")].map((each) => each.textContent);
    part.innerHTML = shown[name];
    for (const each of part.querySelectorAll("details")) each.open = open.includes(each.querySelector(".name").textContent);
  }
  mark_own();
  attend();
  document.dispatchEvent(new CustomEvent("ground", { detail: shown.ground }));
}

// What is one's own: the crew stands first, and the bar is lit when it is one's turn. Who has no crew yet may join.
function mark_own() {
  const own = (each) => each.dataset.users.split(" ").includes(document.body.dataset.user);
  const named = document.querySelector("#bar .clock[data-users]");
  const crews = [...document.querySelectorAll(".crew")];
  for (const each of crews) each.classList.toggle("mine", own(each));
  document.body.classList.toggle("others", !!named && named.dataset.users !== "" && !own(named));
  document.body.classList.toggle("guest", crews.length > 0 && !crews.some(own));
  const sides = [...document.querySelectorAll(".whose")];
  const waits = document.body.classList.toggle("yours", sides.length ? sides.some(own) : !!named && own(named));
  if (panel && panel.firstElementChild) fold(panel.firstElementChild);
  document.title = waits ? "● Your turn" : titled;
}

// What the card asks of this person can be seen as soon as it is asked: what lies over it goes into the log or down,
// but for what has just come or is being filled in, over which a bar leads to the card. The bar of the sides, which
// tells who is awaited, may come after the card.
const AFTER_CARD = 300, JUST_NOW = 3000;
const call = document.createElement("button");
call.type = "button";
call.className = "call main";
call.textContent = "The game waits for you";
call.addEventListener("click", uncover);
let question = "", calls = false;

function attend() {
  const words = panel?.querySelector(".next > p")?.textContent.replace(/\(.*?\)/g, "") || "";
  const now = document.body.matches(".yours[data-seat=seated]") ? words : "";
  if (now !== question) {
    question = now;
    calls = !!now && is_covered();
    if (calls) make_way();
  }
  lead();
}

function is_covered() {
  const lies_over = sheet.open || aside.firstElementChild || document.body.matches(".large-ground") || pulled.some((one) => one.open && !stands(one));
  const next = panel.querySelector(".next");
  return lies_over && [next.querySelector("p"), next.querySelector(":scope > .buttons button:not([hidden])")].some((each) => {
    const box = each?.getBoundingClientRect();
    return each && !each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
  });
}

function make_way() {
  const article = aside.firstElementChild;
  const is_filled = (part) => [...part.querySelectorAll("input")].some((each) => each.checked !== each.defaultChecked || each.value !== each.defaultValue);
  if (article && Date.now() - article.since > JUST_NOW && !is_filled(article)) clear_aside();
  if (!line?.value) push_down();
  if (menu) menu.open = false;
  fit();
}

function lead() {
  calls = calls && !!question && is_covered();
  const over = sheet?.open ? sheet : panel?.parentElement;
  if (!calls) call.remove();
  else if (call.parentElement !== over) over.prepend(call);
}

function uncover() {
  if (sheet.open) sheet.close();
  document.querySelector("[data-do=large][aria-pressed=true]")?.click();
  clear_aside();
  push_down();
  fit();
}

document.addEventListener("click", () => setTimeout(lead));

// While another is awaited, what is his to press stands in a fold with his name, apart from what is for all. The card may come before the bar
// that goes with it: whoever the card itself names has his buttons at once.
function fold(card) {
  const next = card.querySelector(".next");
  if (!next) return;
  const has = document.body.classList;
  const whose = document.querySelector("#bar .whose small");
  const waits = next.querySelector("p")?.textContent.split(" to ")[0] || "";
  const theirs = has.contains("others") && !has.contains("yours") && whose && !waits.includes(document.body.dataset.name) ? `For ${whose.textContent.trim()}` : "";
  const old = next.querySelector(":scope > .theirs");
  if (old) {
    if (theirs === old.firstElementChild.textContent) return;
    old.replaceWith(...old.lastElementChild.childNodes);
  }
  const parts = theirs ? [...next.querySelectorAll("button, details.menu")].filter((one) => !one.parentElement.closest("details") && !("forAll" in one.dataset)) : [];
  if (!parts.length) return;
  const details = document.createElement("details");
  const [summary, inner] = ["summary", "div"].map((name) => document.createElement(name));
  details.className = "theirs";
  summary.textContent = theirs;
  inner.append(...parts);
  details.append(summary, inner);
  next.append(details);
}

// The dice of the card are whole, and its buttons stand below a private answer only where there is room for all.
function fit() {
  const told = panel.querySelector(".told");
  if (!told) return;
  const last = [...told.querySelectorAll(".roll")].at(-1) || told.querySelector("p");
  const room = innerWidth > innerHeight ? 0.4 : 0.3;
  if (last && told.checkVisibility()) {
    const needed = last.getBoundingClientRect().bottom - told.getBoundingClientRect().top + told.scrollTop + 4;
    told.style.minHeight = `${Math.min(needed, innerHeight * room)}px`;
  }
  panel.classList.remove("tight");
  const next = panel.querySelector(".next");
  panel.classList.toggle("tight", !!next && !!aside.firstElementChild && next.offsetHeight > panel.clientHeight - 6);
}

if (panel) for (const each of [panel, aside, document.querySelector("main")]) new ResizeObserver(fit).observe(each);

// Sheets: side by side where there is room; else one at a time is pulled up.
const tablet = matchMedia("(min-width: 700px) and (min-height: 501px)");
const desktop = matchMedia("(min-width: 1100px) and (min-height: 501px)");

function stands(one) {
  if (one.id === "crews-sheet") return tablet.matches;
  return desktop.matches || !panel.firstElementChild;
}

let played = null;

function arrange() {
  const plays = !!panel.firstElementChild;
  if (plays === played) return;
  played = plays;
  const focused = plays && pulled.some((one) => one.contains(document.activeElement) && !stands(one));
  for (const one of pulled) one.open = stands(one);
  if (focused) panel.firstElementChild.focus({ preventScroll: true });
  follow();
}

for (const one of pulled) {
  one.addEventListener("toggle", () => {
    if (!one.open) return;
    for (const other of pulled) if (other !== one && !stands(other)) other.open = false;
    follow();
  });
}

function push_down() {
  for (const one of pulled) if (!stands(one)) one.open = false;
}

for (const room of [tablet, desktop]) {
  room.addEventListener("change", () => {
    played = null;
    arrange();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  push_down();
  if (menu) menu.open = false;
});

document.addEventListener("click", (event) => {
  if (menu && menu.open && !menu.contains(event.target)) menu.open = false;
  if (event.target.closest("#panel, #board")) push_down();
  if (event.target.closest("#board img")) document.getElementById("board").classList.toggle("large");
  if (event.target.closest(".glance")) document.getElementById("crews-sheet").open = true;
});

function seats(shown) {
  const list = document.getElementById("seat-list");
  if (!list) return;
  list.innerHTML = shown.html;
  document.getElementById("waits").textContent = shown.waits ? `${shown.waits} waiting` : "";
  if (shown.waits) menu.open = true;
}

// What is sent

function word() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((each) => each.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!["act", "form", "say", "attach", "seats"].includes(form.getAttribute("action"))) return;
  event.preventDefault();
  const filled = new FormData(form);
  const body = form.enctype === "multipart/form-data" ? filled : new URLSearchParams(filled);
  const photo = form.enctype === "multipart/form-data" && filled.get("file");
  const pressed = event.submitter;
  if (pressed && pressed.name) body.append(pressed.name, pressed.value);
  const key = form.id + (pressed ? pressed.name + pressed.value : "");
  if (under_way.has(key)) return;
  if (form.id === "line") hide();
  under_way.add(key);
  body.set("once", word());
  const before = aside && aside.firstElementChild;
  const menus = document.querySelectorAll("details.menu[open]");
  if (pressed?.name === "pick") pressed.closest("details").open = false;
  smaller(photo)
    .then((small) => small && body.set("file", small, "photo.jpg"))
    .then(() => send(form.action, body, pressed))
    .then((result) => answered(form, result, before, menus))
    .finally(() => under_way.delete(key));
});

// A phone's photograph is larger than the table takes: it is sent as large as it is kept.
const PHOTO_SIDE = 1400;

async function smaller(file) {
  if (!file || !file.type?.startsWith("image/") || file.size < 300000) return null;
  try {
    const whole = await createImageBitmap(file);
    const scale = Math.min(1, PHOTO_SIDE / Math.max(whole.width, whole.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(whole.width * scale), Math.round(whole.height * scale)];
    canvas.getContext("2d").drawImage(whole, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.82));
  } catch (unreadable) {
    return null;
  }
}

async function send(action, body, pressed) {
  if (pressed) pressed.setAttribute("aria-busy", "true");
  say("");
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await fetch(action, { method: "POST", body, headers: { Accept: "application/json" } });
        if (tries && source?.readyState === EventSource.OPEN) say_state("");
        if (answer.ok) return await answer.json();
        return { say: await answer.text() };
      } catch (lost) {
        if (tries === 5) return { say: "The table isn't answering. Check whether your action was carried out before you try again." };
        say_state("Reconnecting...");
        await new Promise((done) => setTimeout(done, 500 * 2 ** tries));
      }
    }
  } finally {
    if (pressed) pressed.removeAttribute("aria-busy");
  }
}

// before, menus: what stood aside and was open when it was sent; the answer may have come already.
function answered(form, result, before, menus = []) {
  if (result.say) {
    if (sheet && sheet.contains(form)) say_in(form, result.say);
    else say(result.say);
    return;
  }
  if (form.id === "line") form.reset();
  for (const each of menus) each.open = false;
  if (before && aside.firstElementChild === before && !result.form) clear_aside();
  if (form.id !== "line" && form.id !== "seats") push_down();
  follows = true;
  follow();
  if (result.form) open_sheet(result.form);
  else if (sheet && sheet.contains(form)) sheet.close();
}

function say(text) {
  if (!notice) return;
  notice.replaceChildren();
  if (!text) return;
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  notice.append(line);
}

function say_in(form, text) {
  let line = form.querySelector(".notice");
  if (!line) {
    line = document.createElement("p");
    line.className = "notice";
    line.setAttribute("role", "alert");
    form.querySelector("h2").after(line);
  }
  line.textContent = text;
}

let opener = null;

function open_sheet(html) {
  opener = document.activeElement;
  sheet.innerHTML = html;
  sheet.setAttribute("aria-label", sheet.querySelector("h2").textContent);
  if (!sheet.open) sheet.showModal();
  const first = sheet.querySelector("input:not([type=hidden]), select, textarea");
  if (first) first.focus();
}

if (sheet) {
  sheet.addEventListener("click", (event) => {
    if (!event.target.closest("[data-close]")) return;
    event.preventDefault();
    sheet.close();
  });
  sheet.addEventListener("close", () => {
    sheet.replaceChildren();
    lead();
    if (opener && opener.isConnected) opener.focus();
  });
}

// A list that is dropped on the page, or pasted beside its fields, becomes a crew

function bring(file) {
  const form = document.getElementById("line");
  if (!form) return;
  const body = new FormData();
  body.set("token", new FormData(form).get("token"));
  body.set("line", "/crew import");
  body.set("file", file);
  body.set("once", word());
  send("attach", body, null).then((result) => answered(document.createElement("form"), result));
}

document.addEventListener("dragover", (event) => {
  if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const file = event.dataTransfer.files[0];
  if (!file) return;
  event.preventDefault();
  bring(file);
});

document.addEventListener("paste", (event) => {
  const file = event.clipboardData.files[0];
  if (file) return bring(file);
  if (event.target.closest && event.target.closest("input, textarea")) return;
  const plain = event.clipboardData.getData("text/plain");
  const text = event.clipboardData.getData("text/html") || plain;
  if (plain.includes("\n")) bring(new File([text], "pasted.txt"));
});

// What a line may go on with

const line = document.getElementById("said");
const offers = document.getElementById("offers");
let asked = 0;
let waiting;
let chosen = -1;

if (line) {
  line.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(offer, 200);
  });
  line.addEventListener("focus", offer);
  line.addEventListener("blur", () => setTimeout(hide, 200));
  line.addEventListener("keydown", (event) => {
    const listed = [...offers.children];
    if (event.key === "Escape") hide();
    else if (offers.hidden || !listed.length) return;
    else if (event.key === "ArrowDown") mark((chosen + 1) % listed.length);
    else if (event.key === "ArrowUp") mark((chosen + listed.length) % (listed.length + 1) - 1);
    else if (event.key === "Enter" && chosen >= 0) take(listed[chosen]);
    else return;
    event.preventDefault();
  });
  offers.addEventListener("pointerdown", (event) => {
    const one = event.target.closest("li");
    if (!one) return;
    event.preventDefault();
    take(one);
  });
}

async function offer() {
  const number = (asked += 1);
  let found;
  try {
    const answer = await fetch("suggest?line=" + encodeURIComponent(line.value));
    found = answer.ok ? await answer.json() : [];
  } catch (lost) {
    return;
  }
  if (number !== asked || document.activeElement !== line) return;
  chosen = -1;
  offers.replaceChildren(...found.map(offered));
  offers.hidden = !found.length;
  line.setAttribute("aria-expanded", String(!!found.length));
  line.removeAttribute("aria-activedescendant");
}

function offered(each, number) {
  const one = document.createElement("li");
  one.id = "offer" + number;
  one.setAttribute("role", "option");
  one.setAttribute("aria-selected", "false");
  one.dataset.line = each.line;
  one.textContent = each.shown;
  return one;
}

function mark(number) {
  chosen = number;
  [...offers.children].forEach((each, place) => each.setAttribute("aria-selected", String(place === number)));
  if (number < 0) return line.removeAttribute("aria-activedescendant");
  line.setAttribute("aria-activedescendant", "offer" + number);
  offers.children[number].scrollIntoView({ block: "nearest" });
}

function take(one) {
  line.value = one.dataset.line;
  hide();
  line.focus();
  if (/[ :]$/.test(line.value)) offer();
}

function hide() {
  clearTimeout(waiting);
  asked += 1;
  chosen = -1;
  offers.hidden = true;
  line.setAttribute("aria-expanded", "false");
  line.removeAttribute("aria-activedescendant");
}

if (log) {
  leave_own(document);
  const first = aside.firstElementChild;
  if (first) set_aside(first);
  arrange();
  mark_own();
  attend();
  tell_newest();
}
follow();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && source.readyState === EventSource.CLOSED) listen();
});
listen();
