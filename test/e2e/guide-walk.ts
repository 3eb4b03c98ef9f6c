import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, TestInfo } from '@playwright/test';
import { GUIDE, guidePage, literal } from '../readme/guide-page.ts';
import { expect } from './console-test.ts';
import { dismissNotices } from './looker.ts';

/** Pictures go into the guide only where that is asked for, else to what the test leaves. */
const INTO_THE_GUIDE = process.env.MAKERDESK_PICTURES === '1';
const SIZE = { width: 1280, height: 800 };
/** Of WebP: letters stay sharp, and a page takes some 50 kB. */
const QUALITY = 70;
const ROLES = ['button', 'link', 'radio', 'switch', 'checkbox'] as const;

/** Walks a page of the guide on a desk: whatever is pressed, typed into or looked for by it has to stand in bold on that page. */
export interface Walk {
  /** Presses what has these words, in a part of the screen or anywhere. */
  press(words: string, within?: Locator): Promise<void>;
  /** Goes to a page of the navigation, or to a section of Settings. */
  opens(words: string): Promise<void>;
  types(words: string, text: string, within?: Locator): Promise<void>;
  sees(...words: string[]): Promise<void>;
  /** Takes one of its pictures, of the whole page or of a part. */
  picture(name: string, part?: Locator): Promise<void>;
  /** Every bold word of its steps was met, but those that are said here. */
  ends(besides?: string[]): void;
}

export function guideWalk(page: Page, file: string, info: TestInfo): Walk {
  const { words: all, stepWords, pictures } = guidePage(file);
  const met = new Set<string>();
  const taken = new Set<string>();
  const named = (words: string) => {
    expect(all, `${file} does not name “${words}” in bold`).toContain(words);
    met.add(words);
  };
  const click = async (words: string, within: Page | Locator) => {
    // A button may show its keys or a count behind its name.
    const name = new RegExp(`^${literal(words)}( |$)`);
    const [first, ...others] = ROLES.map((role) => within.getByRole(role, { name }));
    const found = others.reduce((some, other) => some.or(other), first as Locator);
    await found.filter({ visible: true }).first().click();
  };
  return {
    press: async (words, within) => {
      named(words);
      await click(words, within ?? page);
    },
    opens: async (words) => {
      named(words);
      const link = page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${literal(words)}\\b`) });
      await link.filter({ visible: true }).first().click();
    },
    types: async (words, text, within) => {
      named(words);
      await (within ?? page).getByLabel(words).filter({ visible: true }).first().fill(text);
    },
    sees: async (...sought) => {
      for (const words of sought) {
        named(words);
        const stands = page
          .getByText(words)
          .or(page.getByLabel(words))
          .or(page.getByRole('button', { name: words }));
        await expect(stands.filter({ visible: true }).first(), `“${words}” of ${file}`).toBeVisible();
      }
    },
    picture: async (name, part) => {
      expect(pictures, `${file} does not show it`).toContain(`pictures/${name}.webp`);
      taken.add(`pictures/${name}.webp`);
      await page.setViewportSize(SIZE);
      await dismissNotices(page);
      await page.mouse.move(0, 0);
      const clip = part === undefined ? { x: 0, y: 0, ...SIZE } : await part.boundingBox();
      if (clip === null) throw new Error(`there is nothing to take a picture ${name} of`);
      const browser = await page.context().newCDPSession(page);
      const { data } = await browser.send('Page.captureScreenshot', {
        format: 'webp',
        quality: QUALITY,
        clip: { ...clip, scale: 1 },
      });
      await browser.detach();
      const path = INTO_THE_GUIDE ? join(GUIDE, 'pictures', `${name}.webp`) : info.outputPath(`${name}.webp`);
      writeFileSync(path, Buffer.from(data, 'base64'));
    },
    ends: (besides = []) => {
      expect(stepWords.filter((words) => !met.has(words) && !besides.includes(words))).toEqual([]);
      expect(pictures.filter((name) => !taken.has(name))).toEqual([]);
    },
  };
}
