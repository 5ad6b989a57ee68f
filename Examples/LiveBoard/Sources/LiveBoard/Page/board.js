"use strict";

// The elements of the board in the order of the server: {part, value, node}. A patch is applied to
// this list; each part of the page shows its own elements in that order.
let elements = [];

const find = (id) => document.getElementById(id);
const lists = { item: find("items"), activity: find("activities") };

// What is wrong with a patch. The page then asks for the whole state.
class Misfit extends Error {}

const at = (list, index) => {
  if (!Number.isInteger(index) || index < 0 || index >= list.length) throw new Misfit(`${index}`);
  return list[index];
};

/// Returns the new list; the old one is not changed.
function patched(old, patch) {
  const list = old.map((element) => ({ ...element }));
  for (const { index, element } of patch.updated) {
    const entry = at(list, index);
    if (entry.part !== element.part || entry.value.id !== element.value.id) {
      throw new Misfit("an update of another element");
    }
    entry.value = element.value;
    entry.isUpdated = true;
  }
  const leaving = new Set([...patch.removed, ...patch.moved.map((move) => move.from)]);
  const arriving = [
    ...patch.inserted.map(({ index, element }) => ({ index, entry: { ...element } })),
    ...patch.moved.map(({ from, to }) => ({ index: to, entry: { ...at(list, from), isMoved: true } })),
  ].sort((a, b) => a.index - b.index);
  for (const index of leaving) at(list, index);
  const staying = list.filter((_, index) => !leaving.has(index));
  const result = [];
  let next = 0;
  for (const { index, entry } of arriving) {
    while (result.length < index && next < staying.length) result.push(staying[next++]);
    if (result.length !== index) throw new Misfit(`${index}`);
    result.push(entry);
  }
  return result.concat(staying.slice(next));
}

const format = (number) => number.toLocaleString("en").replace("-", "−");

// Everything that comes from the database becomes text, never HTML.
const fill = {
  item(node, item) {
    node.dataset.id = item.id;
    node.querySelector(".title").textContent = item.title;
    node.querySelector(".votes").textContent = format(item.votes);
    for (const [name, label] of [["up", "Vote for"], ["down", "Vote against"], ["remove", "Remove"]]) {
      node.querySelector(`.${name}`).setAttribute("aria-label", `${label} ${item.title}`);
    }
  },
  activity(node, activity) {
    const time = node.querySelector("time");
    const date = new Date(activity.time);
    time.dateTime = activity.time;
    time.textContent = isNaN(date) ? activity.time : date.toLocaleTimeString("en-GB");
    node.querySelector(".kind").textContent = activity.kind;
    node.querySelector(".title").textContent = activity.title;
  },
};

// What the page shows now. Patches that arrive within one frame are shown together.
let shown = [];
let isDue = false;

function schedule() {
  if (isDue) return;
  isDue = true;
  // A page in the background has no frames.
  if (document.hidden) setTimeout(show, 100);
  else requestAnimationFrame(show);
}

/// Shows the elements: the nodes of those that stay in their place are not touched.
function show() {
  isDue = false;
  const focused = document.activeElement;
  const isReordered = elements.length !== shown.length || elements.some((e) => !e.node || e.isMoved);
  const tops = isReordered && !isCalm.matches ? measure(shown) : new Map();
  const kept = new Set(elements.filter((e) => e.node && !e.isMoved).map((e) => e.node));
  for (const { node } of shown) if (node && !kept.has(node)) node.remove();
  const places = { item: lists.item.firstChild, activity: lists.activity.firstChild };
  const changed = [];
  for (const element of elements) {
    if (element.part === "totals") {
      for (const node of document.querySelectorAll("[data-total]")) {
        node.textContent = format(element.value[node.dataset.total]);
      }
      continue;
    }
    const isNew = !element.node;
    if (isNew) element.node = find(element.part).content.firstElementChild.cloneNode(true);
    if (isNew || element.isUpdated) fill[element.part](element.node, element.value);
    if (isNew || element.isMoved) {
      lists[element.part].insertBefore(element.node, places[element.part]);
    } else {
      places[element.part] = element.node.nextSibling;
    }
    if (!element.isQuiet && (isNew || element.isUpdated)) changed.push(element.node);
  }
  elements = elements.map(({ part, value, node }) => ({ part, value, node }));
  shown = elements;
  const items = elements.filter((e) => e.part === "item");
  const most = items.reduce((most, e) => Math.max(most, Math.abs(e.value.votes)), 1);
  for (const { node, value } of items) {
    node.classList.toggle("negative", value.votes < 0);
    node.style.setProperty("--share", Math.abs(value.votes) / most);
  }
  find("no-items").hidden = items.length > 0;
  find("no-activities").hidden = lists.activity.childElementCount > 0;
  if (focused !== document.activeElement && focused?.isConnected) focused.focus({ preventScroll: true });
  animate(tops, changed);
}

// Motion shows what has changed. Where nearly everything has, it would show nothing.

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

function measure(list) {
  const items = list.filter((e) => e.part === "item");
  return new Map(items.map((e) => [e.node, e.node.getBoundingClientRect().top]));
}

function animate(tops, changed) {
  if (isCalm.matches || changed.length > 20) return;
  if (tops.size > 0) {
    for (const [node, top] of measure(elements)) {
      const distance = (tops.get(node) ?? top) - top;
      if (Math.abs(distance) < 1) continue;
      node.animate([{ transform: `translateY(${distance}px)` }, {}], { duration: 250, easing: "ease-out" });
    }
  }
  const backgroundColor = getComputedStyle(document.documentElement).getPropertyValue("--flash");
  for (const node of changed) node.animate([{ backgroundColor }, {}], { duration: 900 });
}

// The connection. A browser connects again by itself, and the server begins with the whole state.

let source;

function say(state, text) {
  const node = find("connection");
  node.dataset.state = state;
  if (node.textContent !== text) node.textContent = text;
}

function receive(event, isState) {
  try {
    elements = patched(isState ? [] : elements, JSON.parse(event.data));
    if (isState) for (const element of elements) element.isQuiet = true;
    schedule();
    const root = document.documentElement.dataset;
    const name = isState ? "states" : "patches";
    root[name] = Number(root[name] ?? 0) + 1;
    say("live", "Live");
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    connect();
  }
}

function connect() {
  source?.close();
  source = new EventSource("/events");
  source.addEventListener("state", (event) => receive(event, true));
  source.addEventListener("patch", (event) => receive(event, false));
  source.addEventListener("error", () => {
    say("waiting", "Connecting again");
    // After an answer that is not a stream, the browser gives up; the page does not.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  });
}

// Writes. The page changes when the database has changed, not before.

async function post(path, fields) {
  let problem = "";
  try {
    const response = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
    if (!response.ok) problem = await response.text();
  } catch {
    problem = "The board can't be reached. Please try again.";
  }
  find("problem").textContent = problem;
  find("problem").hidden = !problem;
  return !problem;
}

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = find("title");
  const title = field.value;
  if (await post("/items", { title }) && field.value === title) field.value = "";
});

lists.item.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const path = `/items/${button.closest("li").dataset.id}`;
  if (button.classList.contains("up")) post(`${path}/votes`, { by: 1 });
  if (button.classList.contains("down")) post(`${path}/votes`, { by: -1 });
  if (button.classList.contains("remove")) post(`${path}/removal`, {});
});

connect();
