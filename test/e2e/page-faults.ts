import type { Page } from '@playwright/test';
import { cutText } from './cut-text.ts';

/** How often a page with a fault is looked at once more, and how long it has before. Milliseconds. */
const MORE_LOOKS = [250, 1_000, 3_000];

/**
 * What a look finds on a page again and again: what is wrong stays wrong, while a page that was just resized is not drawn
 * anew yet, and figures of another time are paler until those that were asked for are there.
 */
export async function lasting(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const sortOf = (fault: string) => fault.replace(/“[^”]*”|\d[\d.,]*/g, '');
  let faults = await look();
  for (const rest of MORE_LOOKS) {
    if (faults.length === 0) return faults;
    await page.waitForTimeout(rest);
    const sorts = new Set((await look()).map(sortOf));
    faults = faults.filter((fault) => sorts.has(sortOf(fault)));
  }
  return faults;
}

/**
 * What is cut, overlaps or scrolls sideways on the page as it stands, in words; nothing when all is well.
 * Compares scroll and client sizes of every element that shows something, and the boxes of what can be pressed.
 */
export function pageFaults(page: Page): Promise<string[]> {
  return lasting(page, () => faultsNow(page));
}

async function faultsNow(page: Page): Promise<string[]> {
  const cut = await cutText(page);
  const others = await page.evaluate(() => {
    const faults: string[] = [];
    const nameOf = (element: Element) => {
      const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
      const names = element.getAttribute('class')?.trim().replace(/\s+/g, '.') ?? '';
      return `<${element.tagName.toLowerCase()}${names === '' ? '' : `.${names}`}> “${text}”`;
    };
    const isShown = (element: Element) => {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      return box.width > 1 && box.height > 1 && style.visibility === 'visible' && style.opacity !== '0';
    };
    const all = [...document.querySelectorAll('body *')].filter(
      (element) => element.closest('svg') === null && isShown(element),
    );
    for (const element of all) {
      const style = getComputedStyle(element);
      const [wide, high] = [
        element.scrollWidth - element.clientWidth > 1,
        element.scrollHeight - element.clientHeight > 1,
      ];
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      const [scrollsX, scrollsY] = [scrolls(style.overflowX), scrolls(style.overflowY)];
      if (scrollsX && wide) {
        faults.push(`scrolls sideways: ${nameOf(element)} needs ${element.scrollWidth}, has ${element.clientWidth}`);
      }
      if (((scrollsX && wide) || (scrollsY && high)) && !isReached(element)) {
        faults.push(`no key reaches what scrolls: ${nameOf(element)}`);
      }
      if (element.tagName === 'BUTTON' && (wide || high) && style.overflowX === 'visible' && element.clientWidth > 0) {
        const inside = [...element.children].some((child) => getComputedStyle(child).position === 'absolute');
        if (!inside && !element.matches('[role="switch"]')) faults.push(`too small for its words: ${nameOf(element)}`);
      }
    }
    for (const table of document.querySelectorAll('table:has(thead)')) {
      const spanOf = (row: Element) => {
        const cells = [...row.querySelectorAll<HTMLTableCellElement>(':scope > :is(th, td)')];
        const shown = cells.filter((cell) => getComputedStyle(cell).display !== 'none');
        return shown.reduce((sum, cell) => sum + cell.colSpan, 0);
      };
      const columns = Math.max(...[...table.querySelectorAll('thead tr')].map(spanOf));
      for (const row of table.querySelectorAll('tbody tr, tfoot tr')) {
        if (spanOf(row) > columns) faults.push(`spans columns that are not there: ${nameOf(row)}`);
      }
    }
    const scroller = document.scrollingElement;
    if (scroller !== null && scroller.scrollHeight > innerHeight + 1) faults.push('the page itself scrolls');
    // A notice lies over the page on purpose for a while; on the emergency page it lies over nothing that can be pressed.
    const mayCover = document.querySelector('#emergency') === null;
    const isNotice = (element: Element) => element.closest('#notices') !== null;
    const pressable = all.filter((element) => element.matches('button, a[href], input, select') && inSight(element));
    for (const [index, element] of pressable.entries()) {
      const a = element.getBoundingClientRect();
      for (const other of pressable.slice(index + 1)) {
        if (element.contains(other) || other.contains(element)) continue;
        if (mayCover && isNotice(element) !== isNotice(other)) continue;
        const b = other.getBoundingClientRect();
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 1.5 && height > 1.5) faults.push(`overlap: ${nameOf(element)} and ${nameOf(other)}`);
      }
    }
    return faults;

    /** Whether the keyboard can stop at it, or at something in it, and so scroll it. */
    function isReached(element: Element): boolean {
      if (element.querySelector('button:enabled, a[href], input:enabled, select:enabled, [tabindex="0"]')) return true;
      if (!(element instanceof HTMLElement)) return false;
      // A question closes when the focus goes elsewhere: behind it nothing is focused to find that out.
      const question = document.querySelector('[role="dialog"]');
      if (question !== null && !question.contains(element)) return element.tabIndex >= 0;
      const before = document.activeElement;
      element.focus({ preventScroll: true });
      const reached = document.activeElement === element;
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true });
      else element.blur();
      return reached;
    }

    /** Whether its middle is where a press would reach it: what a panel has scrolled away is no neighbour. */
    function inSight(element: Element): boolean {
      const box = element.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const scroller = element.closest('.scroll')?.getBoundingClientRect();
      if (scroller !== undefined && (y < scroller.top || y > scroller.bottom)) return false;
      const found = document.elementFromPoint(x, y);
      return found !== null && (element.contains(found) || found.contains(element));
    }
  });
  return [...cut, ...others];
}
