// The bar at the top of each page of the documentation: a link to its first page, and a search over the
// guides and symbols of all modules. Scripts/search_index.py makes the index, search.json.
"use strict";

(() => {
  const base = new URL(".", document.currentScript.src);
  const shown = 12;

  /** The entries of the index, which is loaded when someone begins to search. */
  let index = null;
  const load = () =>
    (index ??= fetch(new URL("search.json", base))
      .then((response) => response.json())
      .then((entries) =>
        entries.map(([title, kind, parent, path, text]) => ({
          title, kind, parent, path, text,
          key: title.toLowerCase(),
          context: `${parent} ${kind} ${text}`.toLowerCase(),
          isGuide: kind === "Guide",
        }))
      ));

  /** How well an entry answers some words, or 0. Titles count more than texts, guides more than symbols. */
  function score(entry, words) {
    let sum = 0;
    for (const word of words) {
      const place = entry.key.indexOf(word);
      if (entry.key === word || entry.key.split(/[(:]/)[0] === word) sum += 100;
      else if (place === 0) sum += 60;
      else if (place > 0) sum += /[\s_.(:]/.test(entry.key[place - 1]) ? 50 : 30;
      else if (entry.context.includes(word)) sum += 6;
      else return 0;
    }
    // Sections and members come after pages and types.
    return sum + (entry.isGuide ? 8 : 0) - entry.path.split("/").length - entry.title.length / 40;
  }

  function find(entries, query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const seen = new Set();
    return entries
      .map((entry) => ({ entry, score: score(entry, words) }))
      .filter((hit) => hit.score > 0)
      .sort((one, other) => other.score - one.score)
      .map((hit) => hit.entry)
      .filter((entry) => {
        const name = `${entry.title} ${entry.parent}`;
        return !seen.has(name) && seen.add(name);
      });
  }

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const field = element("input", {
    type: "search", id: "site-search-field", placeholder: "Search guides and symbols", autocomplete: "off",
  });
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-label", "Search all modules");
  field.setAttribute("aria-expanded", "false");
  field.setAttribute("aria-controls", "site-search-hits");
  const list = element("ul", { id: "site-search-hits", hidden: true });
  list.setAttribute("role", "listbox");
  const bar = element("div", { id: "site-search" },
    element("a", { href: new URL("documentation/wellspring", base).href, textContent: "Wellspring" }),
    element("div", {}, field, list));

  let selected = -1;
  function select(number) {
    const hits = list.querySelectorAll("a");
    selected = hits.length === 0 ? -1 : (number + hits.length) % hits.length;
    hits.forEach((hit, place) => hit.parentElement.setAttribute("aria-selected", place === selected));
    hits[selected]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
  }

  async function search() {
    const query = field.value.trim();
    if (query === "") return close();
    const hits = find(await load(), query);
    // Someone may have typed on.
    if (field.value.trim() !== query) return;
    list.replaceChildren(...hits.slice(0, shown).map((hit) => {
      const item = element("li", {}, element("a", { href: new URL(hit.path, base).href },
        element("strong", { textContent: hit.title }),
        element("span", { textContent: [hit.kind, hit.parent].filter(Boolean).join(" · ") })));
      item.setAttribute("role", "option");
      return item;
    }));
    if (hits.length === 0) list.replaceChildren(element("li", { textContent: `Nothing is named “${query}”.` }));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    select(0);
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else if (event.key === "Enter") list.querySelectorAll("a")[selected]?.click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => bar.contains(event.target) || close());

  const style = element("link", { rel: "stylesheet", href: new URL("search.css", base).href });
  document.head.append(style);
  const insert = () => document.body.prepend(bar);
  document.body ? insert() : document.addEventListener("DOMContentLoaded", insert);
})();
