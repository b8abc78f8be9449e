// Runs axe. Contrast, by far its dearest rule, is asked of texts that look like none judged before: texts of the same
// colours on the same layers, of one size and weight, have one contrast. Tells what is wrong and which looks it judged.
async ([options, judgedBefore]) => {
  const NO_LAYER = "rgba(0, 0, 0, 0),none,1,none";
  const EXEMPT = ":disabled, [aria-disabled=true], label:has(:disabled)";
  const layers = new Map([[null, ""]]);
  const known = new Set(judgedBefore);
  const looks = [];

  const behind = (element) => {
    if (!layers.has(element)) {
      const { backgroundColor, backgroundImage, opacity, filter } = getComputedStyle(element);
      const own = [backgroundColor, backgroundImage, opacity, filter].join();
      layers.set(element, behind(element.parentElement) + (own === NO_LAYER ? "" : `|${own}`));
    }
    return layers.get(element);
  };

  const lookOf = (element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const kind = [element.localName, element.type, Boolean(element.closest(EXEMPT))];
    return [...kind, color, fontSize, fontWeight, textShadow, behind(element)].join(";");
  };

  const isReadable = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return (hasText || element.matches("input")) && width > 1 && height > 1 &&
      element.checkVisibility({ visibilityProperty: true });
  };

  for (const element of document.body.querySelectorAll("*")) {
    const look = isReadable(element) && lookOf(element);
    if (look && !known.has(look)) {
      element.dataset.unjudged = looks.push(look) - 1;
    }
  }
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-unjudged]" }] });
  const { violations, incomplete } = await axe.run({ ...options, elementRef: true });
  const unsure = incomplete.filter(({ id }) => id === "color-contrast").flatMap(({ nodes }) => nodes);
  const open = new Set(unsure.map(({ element }) => looks[element.dataset.unjudged]));
  document.querySelectorAll("[data-unjudged]").forEach((element) => delete element.dataset.unjudged);
  return { violations, judged: [...new Set(looks)].filter((look) => !open.has(look)) };
}
