import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** A rectangle of the screen, in its own points. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest window in which every page has room. */
export const LEAST_SIZE = { width: 1_024, height: 640 } as const;

/** So much of the upper edge of a window has to be on a display: enough to see it and to take hold of it. */
const HELD = { width: 120, height: 40 } as const;

const pointSchema = z.int().min(-100_000).max(100_000);
const lengthSchema = z.int().min(1).max(100_000);

/** A page of the console, as it stands in its address behind `#`. */
export const pageSchema = z
  .string()
  .max(500)
  .regex(/^\/[\x21-\x7e]*$/);

const placeSchema = z.object({
  page: pageSchema,
  box: z.object({ x: pointSchema, y: pointSchema, width: lengthSchema, height: lengthSchema }),
  maximized: z.boolean(),
});

/** What a window showed, and where. `box`: when it is not maximized. */
export type WindowPlace = z.infer<typeof placeSchema>;

/** No more windows than these: each has a page, a line to the desk and its own memory. */
export const MOST_WINDOWS = 12;

const placesSchema = z.array(placeSchema).max(MOST_WINDOWS);

/** Returns the windows there were; none where the file is missing or is not what was written. */
export function readPlaces(file: string): WindowPlace[] {
  try {
    return placesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

/** Writes the windows there are. Where the disk does not take them the next start has fewer windows, and that is all. */
export function writePlaces(file: string, places: readonly WindowPlace[]): void {
  try {
    writeFileSync(`${file}.new`, JSON.stringify(places));
    renameSync(`${file}.new`, file);
  } catch {
    // Nothing of the desk is in it.
  }
}

/**
 * Where a window may be shown now: as it was, while its upper edge is on a display; else in the middle of the first display,
 * no larger than that. `displays` are the parts of the displays that windows may use, the main one first.
 */
export function boxOnDisplays(box: Box, displays: readonly Box[]): Box {
  const home = displays.find((display) => isHeld(box, display)) ?? displays[0];
  if (home === undefined) return box;
  const width = Math.min(box.width, home.width);
  const height = Math.min(box.height, home.height);
  if (isHeld(box, home)) return { x: box.x, y: box.y, width, height };
  return {
    x: home.x + Math.floor((home.width - width) / 2),
    y: home.y + Math.floor((home.height - height) / 2),
    width,
    height,
  };
}

function isHeld(box: Box, display: Box): boolean {
  const width = Math.min(box.x + box.width, display.x + display.width) - Math.max(box.x, display.x);
  const height = Math.min(box.y + HELD.height, display.y + display.height) - Math.max(box.y, display.y);
  return width >= Math.min(HELD.width, box.width) && height >= HELD.height;
}
