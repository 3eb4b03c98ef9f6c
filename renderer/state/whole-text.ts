/**
 * Gives whatever ends in an ellipsis a tooltip with all of it while the pointer is on it, a field too whose value is longer than
 * it is. A tooltip that says it already stays as it is; one that says something else stands below the whole text.
 */
export function tellWholeText(): void {
  let given: { on: HTMLElement; title: string; before: string | null } | null = null;
  const takeBack = () => {
    // What was drawn anew meanwhile has its own tooltip again.
    if (given !== null && given.on.getAttribute('title') === given.title) {
      if (given.before === null) given.on.removeAttribute('title');
      else given.on.setAttribute('title', given.before);
    }
    given = null;
  };
  document.addEventListener('pointerover', ({ target }) => {
    takeBack();
    const cut = target instanceof HTMLElement ? cutAround(target) : null;
    if (cut === null) return;
    const { element, text } = cut;
    const titled = (target as HTMLElement).closest<HTMLElement>('[title]');
    const on = titled !== null && element.contains(titled) ? titled : element;
    const before = on.getAttribute('title');
    if (before?.includes(text)) return;
    const title = before === null || before === '' ? text : `${text}\n${before}`;
    on.setAttribute('title', title);
    given = { on, title, before };
  });
}

/** What is cut around an element, as near as a cell or a line, and all of its text. */
function cutAround(from: HTMLElement): { element: HTMLElement; text: string } | null {
  if (from instanceof HTMLSelectElement) return { element: from, text: from.selectedOptions[0]?.text ?? '' };
  if (from instanceof HTMLInputElement) {
    const isCut = from.type !== 'password' && from.scrollWidth > from.clientWidth;
    return isCut ? { element: from, text: from.value || from.placeholder } : null;
  }
  // An ellipsis ends the lines that a box has itself, not those of the boxes in it.
  let isBoxed = false;
  for (let at: HTMLElement | null = from; at !== null; at = at.parentElement) {
    const { display, textOverflow, webkitLineClamp } = getComputedStyle(at);
    const isOwn = !isBoxed && !/flex|grid/.test(display);
    isBoxed ||= !/inline|contents/.test(display);
    const [isWide, isHigh] = [at.scrollWidth > at.clientWidth, at.scrollHeight > at.clientHeight];
    const ends = (isWide && isOwn && textOverflow === 'ellipsis') || (isHigh && webkitLineClamp !== 'none');
    if (ends) return { element: at, text: at.innerText.trim() };
    if (at.matches('td, th, li, section, header, footer')) return null;
  }
  return null;
}
