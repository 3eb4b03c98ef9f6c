import type { Page } from '@playwright/test';

/** From now on every notice of the page is kept: one goes by itself, and a machine that stands still looks too late. */
export async function noticesOf(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const told = new Set<string>();
    const keep = () => {
      for (const one of document.querySelectorAll('#notices > *')) told.add(one.textContent ?? '');
    };
    Object.assign(window, { told });
    keep();
    const anything = { childList: true, subtree: true };
    new MutationObserver(keep).observe(document.getElementById('layers') ?? document.body, anything);
  });
  return () => page.evaluate(() => [...(window as unknown as { told: Set<string> }).told].join('\n'));
}
