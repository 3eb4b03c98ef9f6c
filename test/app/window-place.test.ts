import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { boxOnDisplays, readPlaces, writePlaces } from '../../electron/app/window-place.ts';

const MAIN = { x: 0, y: 25, width: 1920, height: 1055 };
const RIGHT = { x: 1920, y: 0, width: 2560, height: 1440 };
const folder = mkdtempSync(join(tmpdir(), 'makerdesk-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('where a window is shown', () => {
  test('as it was, on whichever display that is, also where it hangs over an edge', () => {
    for (const box of [
      { x: 100, y: 100, width: 1280, height: 800 },
      { x: 2200, y: 300, width: 1280, height: 800 },
      { x: -1000, y: 500, width: 1280, height: 800 },
    ]) {
      expect(boxOnDisplays(box, [MAIN, RIGHT])).toEqual(box);
    }
  });

  test('in the middle of the main display where its own is gone, no larger than that', () => {
    const box = { x: 2200, y: 300, width: 2400, height: 800 };
    expect(boxOnDisplays(box, [MAIN])).toEqual({ x: 0, y: 152, width: 1920, height: 800 });
  });

  test('never where its upper edge cannot be taken hold of', () => {
    const above = boxOnDisplays({ x: 100, y: -400, width: 1280, height: 800 }, [MAIN]);
    expect(above.y).toBeGreaterThanOrEqual(MAIN.y);
    const aside = boxOnDisplays({ x: 1900, y: 100, width: 1280, height: 800 }, [MAIN]);
    expect(aside.x + aside.width).toBeLessThanOrEqual(MAIN.width);
  });

  test('smaller, where its display has become smaller', () => {
    const small = { x: 0, y: 0, width: 1024, height: 700 };
    expect(boxOnDisplays({ x: 0, y: 0, width: 1920, height: 1080 }, [small])).toEqual(small);
  });
});

describe('the file of the windows', () => {
  const place = { page: '/fills?since=1&user=0x7c', box: { x: -5, y: 9, width: 1280, height: 800 }, maximized: true };

  test('gives back what was written', () => {
    const file = join(folder, 'windows.json');
    writePlaces(file, [place, { ...place, page: '/' }]);
    expect(readPlaces(file)).toEqual([place, { ...place, page: '/' }]);
  });

  test.each([
    ['is missing', null],
    ['is cut off', '[{"page":"/"'],
    ['names an address elsewhere', JSON.stringify([{ ...place, page: 'https://example.com/' }])],
    ['has a box without end', JSON.stringify([{ ...place, box: { ...place.box, width: 1e300 } }])],
    ['has more windows than there may be', JSON.stringify(Array.from({ length: 13 }, () => place))],
  ])('one that %s has no windows, and the app starts with its first', (what, text) => {
    const file = join(folder, `${what}.json`);
    if (text !== null) writeFileSync(file, text);
    expect(readPlaces(file)).toEqual([]);
  });

  test('a disk that takes nothing keeps nobody from working', () => {
    expect(() => writePlaces(join(folder, 'no', 'such', 'folder.json'), [place])).not.toThrow();
  });
});
