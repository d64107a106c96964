"use strict";
// Filters the changes. What is chosen stands in the address after #, so that a
// link shows the same.
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const find = document.getElementById("find");
  const kind = document.getElementById("kind");
  const on = document.getElementById("on");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const unfold = document.getElementById("unfold");
  const boxes = [...form.querySelectorAll("input[name=class]")];
  const sections = [...document.querySelectorAll("main section")].map((section) => ({
    section,
    count: section.querySelector(".count"),
    changes: [...section.querySelectorAll(".change")].map((element) => {
      // What its history says is not part of what is searched.
      const text = [...element.children].filter((c) => c.tagName !== "DETAILS").map((c) => c.textContent);
      return { element, data: element.dataset, on: element.dataset.platforms.split(" ").filter(Boolean), text: text.join(" ").toLowerCase() };
    }),
  }));
  const total = sections.reduce((sum, s) => sum + s.changes.length, 0);

  const apply = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const classes = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let all = 0;
    for (const { section, count, changes } of sections) {
      let here = 0;
      for (const change of changes) {
        const matches = classes.has(change.data.class) &&
          (!kind.value || change.data.kind === kind.value) &&
          (!on.value || change.on.length === 0 || change.on.includes(on.value)) &&
          words.every((word) => change.text.includes(word));
        change.element.hidden = !matches;
        if (matches) here++;
      }
      section.hidden = here === 0;
      count.textContent = here === changes.length ? `${here}` : `${here} of ${changes.length}`;
      all += here;
    }
    none.hidden = all > 0;
    shown.textContent = `${all} of ${total} changes shown`;
  };

  // Names of changes are places in the page: they hold no "=".
  const read = () => {
    if (!location.hash.includes("=")) return;
    const chosen = new URLSearchParams(location.hash.slice(1));
    find.value = chosen.get("find") || "";
    kind.value = chosen.get("kind") || "";
    on.value = chosen.get("on") || "";
    const classes = chosen.has("class") ? chosen.get("class").split(",") : null;
    for (const box of boxes) box.checked = !classes || classes.includes(box.value);
  };
  const write = () => {
    const chosen = new URLSearchParams();
    if (find.value) chosen.set("find", find.value);
    if (kind.value) chosen.set("kind", kind.value);
    if (on.value) chosen.set("on", on.value);
    const classes = boxes.filter((box) => box.checked).map((box) => box.value);
    if (classes.length < boxes.length) chosen.set("class", classes.join(","));
    const hash = chosen.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  };
  const changed = () => { apply(); write(); };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  document.getElementById("reset").addEventListener("click", () => { form.reset(); changed(); });
  unfold.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    unfold.setAttribute("aria-pressed", String(open));
    unfold.textContent = open ? "Close histories" : "Open histories";
    for (const details of document.querySelectorAll(".change details")) details.open = open;
  });
  addEventListener("hashchange", () => { read(); apply(); });
  addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      find.focus();
    }
  });
  form.hidden = false;
  read();
  apply();
})();
