import type { Page } from '@playwright/test';

/**
 * Which of the page's words and figures cannot be read as it stands now, in sentences; nothing when all is well. Text may end in
 * an ellipsis where a tooltip says all of it, and may lie outside of what scrolls; anywhere else it has to be seen whole,
 * nothing lies under HALT, and no number has more digits than anybody reads.
 */
export function cutText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    const faults = new Map<string, { first: string; count: number }>();
    const halt = document.querySelector('#halt > *')?.getBoundingClientRect();
    // What is only read out is a pixel that shows nothing; the charts measure their words outside of the window.
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      getComputedStyle(element).clipPath === 'none' &&
      element.closest('.only-read, [cmdk-label], #recharts_measurement_span') === null;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const element = node.parentElement;
      if (element === null || wordsOf(node) === '' || element.closest('svg, select, script, style')) continue;
      if (!isShown(element)) continue;
      if (
        /\.\d{13}|(?<![0-9a-fx])\d{17}/.test(wordsOf(node)) &&
        element.closest('[aria-label="X-ray"], [aria-label="Event"]') === null
      ) {
        add(element, 'shows a raw number', wordsOf(node));
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) if (line.width > 0) look(element, node, line);
    }
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
      if (isShown(field) && field.clientWidth > 0) lookInto(field);
    }
    for (const scroller of document.querySelectorAll('body *')) {
      const isSlit = scroller.clientHeight < 40 && scroller.scrollHeight > scroller.clientHeight + 1;
      if (isSlit && scrolls(getComputedStyle(scroller).overflowY) && isShown(scroller)) {
        add(scroller, `is seen through a slit of ${scroller.clientHeight} px`, wordsOf(scroller));
      }
    }
    return [...faults].map(
      ([what, { first, count }]) => `${what}: “${first}”${count > 1 ? ` and ${count - 1} more` : ''}`,
    );

    /** Follows a line of text outwards through everything that could hide some of it; the first that does is told. */
    function look(element: Element, node: Node, line: Box): void {
      const words = wordsOf(node);
      // Letters are less high than their line.
      const rest = (line.bottom - line.top) / 4;
      let seen: Box = { left: line.left, right: line.right, top: line.top + rest, bottom: line.bottom - rest };
      let position = 'static';
      let isBoxed = false;
      for (let over: Element | null = element; over !== null && over !== document.body; over = over.parentElement) {
        const style = getComputedStyle(over);
        if (position === 'fixed') break;
        if (position === 'absolute' && style.position === 'static') continue;
        position = style.position;
        if (style.display === 'inline' || style.display === 'contents') continue;
        const isOwn = !isBoxed && !/flex|grid/.test(style.display);
        isBoxed ||= !style.display.startsWith('inline');
        if (over.matches('td, th') && !over.matches('[data-group] > *') && style.overflowX === 'visible') {
          const cell = over.getBoundingClientRect();
          if (seen.left < cell.left - 1 || seen.right > cell.right + 1)
            return void add(over, 'is too narrow for', words);
        }
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const box = over.getBoundingClientRect();
        const [left, top] = [box.left + over.clientLeft, box.top + over.clientTop];
        const inner: Box = { left, top, right: left + over.clientWidth, bottom: top + over.clientHeight };
        const isWide = seen.left < inner.left - 1 || seen.right > inner.right + 1;
        const isHigh = seen.top < inner.top - 1 || seen.bottom > inner.bottom + 1;
        const hidden = [isWide && hides(style.overflowX), isHigh && hides(style.overflowY)];
        if (hidden[0] || hidden[1]) {
          // An ellipsis ends the lines that a box has itself, not those of the boxes in it.
          const ends = hidden[1] ? style.webkitLineClamp !== 'none' : isOwn && style.textOverflow === 'ellipsis';
          if (!ends) return void add(over, 'cuts without an ellipsis', words);
          if (!says(element, words)) return void add(over, 'has no tooltip that says all of', words);
        }
        // What is scrolled away can be scrolled to where its scroller is seen; what was cut is seen as far as it is.
        if (isWide) seen = { ...seen, left: Math.max(seen.left, inner.left), right: Math.min(seen.right, inner.right) };
        if (isWide && seen.right < seen.left) seen = { ...seen, left: inner.left, right: inner.right };
        if (isHigh) seen = { ...seen, top: inner.top + 1, bottom: Math.max(inner.top + 1, inner.bottom - 1) };
      }
      if (seen.right > innerWidth + 1 || seen.left < -1 || seen.bottom > innerHeight + 1 || seen.top < -1) {
        add(element, 'lies outside of the window', words);
      }
      if (halt !== undefined && element.closest('#halt') === null && touches(seen, halt)) {
        add(element, 'lies under HALT', words);
      }
    }

    /** Whether what stands in a field, or is chosen in it, has room. */
    function lookInto(field: HTMLInputElement | HTMLSelectElement): void {
      const style = getComputedStyle(field);
      const isText = field instanceof HTMLInputElement;
      if (isText && !['text', 'search', 'number', 'url'].includes(field.type)) return;
      const words = isText ? field.value || field.placeholder : (field.selectedOptions[0]?.text ?? '');
      const pen = document.createElement('canvas').getContext('2d');
      if (pen === null || words === '') return;
      pen.font = style.font;
      // The arrow of a choice stands beside its words.
      const beside = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight) + (isText ? 0 : 18);
      if (pen.measureText(words).width <= field.clientWidth - beside + 3) return;
      if (style.textOverflow !== 'ellipsis') add(field, 'has no room for', words);
      else if (!says(field, words)) add(field, 'has no tooltip that says all of', words);
      if (field.clientWidth - beside < 24) add(field, 'shows not even the begin of', words);
    }

    /** Whether a pointer on it is told every word and every figure of it. */
    function says(element: Element, words: string): boolean {
      element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      const title = element.closest('[title]')?.getAttribute('title') ?? '';
      document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
      return title.replace(/\s+/g, ' ').includes(words.replace(/\s+/g, ' '));
    }

    function add(element: Element, how: string, words: string): void {
      const what = `${nameOf(element)} ${how}`;
      const known = faults.get(what);
      faults.set(what, { first: known?.first ?? words.slice(0, 60), count: (known?.count ?? 0) + 1 });
    }

    function nameOf(element: Element): string {
      const around = element.closest('section[aria-label], [role="dialog"], nav[aria-label]');
      const names = element.getAttribute('class')?.trim().replace(/\s+/g, '.') ?? '';
      const tag = `<${element.tagName.toLowerCase()}${names === '' ? '' : `.${names}`}>`;
      return around === null || around === element ? tag : `${around.getAttribute('aria-label') ?? 'dialog'}: ${tag}`;
    }

    function wordsOf(node: Node): string {
      return (node.textContent ?? '').trim().replace(/\s+/g, ' ');
    }

    function hides(overflow: string): boolean {
      return overflow === 'hidden' || overflow === 'clip';
    }

    function scrolls(overflow: string): boolean {
      return overflow === 'auto' || overflow === 'scroll';
    }

    function touches(a: Box, b: Box): boolean {
      const [width, height] = [
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      ];
      return width > 1 && height > 1;
    }
  });
}
