import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SurfacePlace, surfacePlaceSchema } from '../contract/surface-place.ts';
import { writePrivateFile } from '../signer/private-file.ts';

const USUAL: SurfacePlace = { host: '127.0.0.1', port: 8787 };
const fileOf = (folder: string) => join(folder, 'surface.json');

/** Where the surface of the app's desk listens: where it was told at the start, else where a person put it in the window, else on 127.0.0.1:8787. */
export function placeOf(
  folder: string,
  told: { surfaceHost: string | null; surfacePort: number | null },
): { surfaceHost: string; surfacePort: number } {
  const kept = keptPlace(folder);
  return { surfaceHost: told.surfaceHost ?? kept.host, surfacePort: told.surfacePort ?? kept.port };
}

/** Keeps where a person put the surface, for the next start. */
export function keepPlace(folder: string, place: SurfacePlace): Promise<void> {
  return writePrivateFile(fileOf(folder), `${JSON.stringify(place, null, 2)}\n`);
}

/** A file that is not there or cannot be read counts as none: the usual place is this machine alone. */
function keptPlace(folder: string): SurfacePlace {
  try {
    return surfacePlaceSchema.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')));
  } catch {
    return USUAL;
  }
}
