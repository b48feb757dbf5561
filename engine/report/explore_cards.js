// The best terms of each class, on cards that are filled when they come in sight.

// makeCards fills a box with cards. events are onClass(c), onOpen(i, byKey), and filterOf(c,
// sign), as the list has it, or null while it is wrong.
function makeCards(box, data, values, events) {
  const most = data.classes.length > 3 ? 10 : 20;
  const seen = new IntersectionObserver((entries) => {
    for (const e of entries) if (e.isIntersecting) fill(e.target);
  }, { rootMargin: "200px" });
  let shown = "", by = "", sign = "";

  // show shows the cards by a measure, unless they are there. key tells what else they hang on.
  function show(name, wantedSign, key) {
    key += "\n" + name + "\n" + wantedSign;
    if (data.classes.length === 0 || key === shown) return;
    const m = measures.get(name);
    [shown, by, sign] = [key, name, m.combine === "total" ? wantedSign : wantedSign || "more"];
    seen.disconnect();
    if (m.value === null) {
      box.replaceChildren(element("p", { class: "note" }, name + " has one value over all classes, and none of a single class: choose another measure."));
      return;
    }
    box.replaceChildren(...data.classes.map((_, c) => {
      const pick = plainButton(ofClass(data, c), () => events.onClass(c));
      const card = element("article", { class: "card", "data-cls": c }, element("h3", {}, pick), element("ol"));
      seen.observe(card);
      return card;
    }), element("p", { class: "note", hidden: true }, "No term: "));
  }

  async function fill(card) {
    const c = Number(card.dataset.cls), key = shown;
    seen.unobserve(card);
    const column = await values.column(by, c, () => key === shown);
    if (!column || key !== shown) return;
    const filter = events.filterOf(c, sign);
    if (filter === null) return;
    const best = bestOf(column, filter.keeps), digits = digitsFor(best.map((i) => column[i]));
    if (best.length === 0) { // its name goes to the end, among others in their order
      const pick = card.querySelector("button"), rest = box.lastChild;
      pick.dataset.cls = c;
      rest.insertBefore(pick, [...rest.children].find((e) => e.dataset.cls > c) ?? null);
      rest.hidden = false;
      return card.remove();
    }
    card.classList.add("filled");
    card.querySelector("ol").replaceChildren(...best.map((i) => {
      const pick = plainButton(element("bdi", {}, data.shown(i)), (e) => events.onOpen(i, e.detail === 0));
      return element("li", {}, element("div", { class: "line" }, pick, element("span", {}, signedValue(data, column[i], digits, c, i))));
    }));
  }

  // bestOf returns the terms with the largest values of those that are kept.
  function bestOf(column, keeps) {
    const best = [];
    for (let i = 0; i < column.length; i++) {
      if (Number.isNaN(column[i]) || (best.length === most && compareTerms(data, column, i, best[most - 1]) > 0) || !keeps(i)) continue;
      let at = best.length;
      while (at > 0 && compareTerms(data, column, i, best[at - 1]) < 0) at--;
      best.splice(at, 0, i);
      best.length = Math.min(best.length, most);
    }
    return best;
  }

  return { show };
}
