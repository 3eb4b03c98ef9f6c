import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { writePrivateFile } from '../signer/private-file.ts';

/** Says of a folder that its desk is one of a fleet: started alone, it would write beside the others. */
const FILE = 'fleet.json';
const fileSchema = z.object({ fleet: z.string() });

export async function joinFleet(folder: string, url: string): Promise<void> {
  await writePrivateFile(join(folder, FILE), `${JSON.stringify({ fleet: url })}\n`);
}

/** From now on the desk of this folder may be started alone. */
export function leaveFleet(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Throws DeskError `fleet_needed` where the desk of this folder is one of a fleet; also where its file cannot be read. */
export function expectAlone(folder: string): void {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw needed('', error);
  }
  throw needed(nameIn(text));
}

function nameIn(text: string): string {
  try {
    return ` ${fileSchema.parse(JSON.parse(text)).fleet}`;
  } catch {
    return '';
  }
}

function needed(name: string, cause?: unknown): DeskError {
  return new DeskError(
    'fleet_needed',
    `The desk in this folder is one of the fleet${name}: alone, it would trade beside the others.`,
    {
      remedy:
        'Start it with --fleet and that address. Only when no other desk of the fleet will ever run again: --no-fleet.',
      cause,
    },
  );
}
