import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { writePrivateFile } from '../signer/private-file.ts';

/** Says of a folder that its desk is one of a fleet: started alone, it would write beside the others. */
const FILE = 'fleet.json';
/** `follows`: it has the journal of the desk that writes, and nothing of its own; `isSurface`: it has none. */
const fileSchema = z.object({
  fleet: z.string(),
  follows: z.boolean().default(false),
  isSurface: z.boolean().optional(),
});
type Membership = z.infer<typeof fileSchema>;

export async function joinFleet(folder: string, membership: Membership): Promise<void> {
  await writePrivateFile(join(folder, FILE), `${JSON.stringify(membership)}\n`);
}

/**
 * Says of a folder that its desk is one of a fleet, before its journal is held against what the fleet has. Whether it follows stays as it was: one
 * that is behind has to go on with that.
 */
export async function enterFleet(folder: string, fleet: string): Promise<void> {
  const found = membershipOf(folder);
  const before = found === null || found === 'unreadable' ? { follows: found !== null } : found;
  await joinFleet(folder, { ...before, fleet });
}

/** Whether the desk of this folder is one of a fleet; also where that cannot be told. */
export function isInFleet(folder: string): boolean {
  return membershipOf(folder) !== null;
}

/** From now on the desk of this folder may be started alone. */
export function leaveFleet(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Throws DeskError `fleet_needed` where the desk of this folder is one of a fleet; also where its file cannot be read. */
export function expectAlone(folder: string): void {
  const found = membershipOf(folder);
  if (found === null) return;
  const name = found === 'unreadable' ? '' : ` ${found.fleet}`;
  throw new DeskError(
    'fleet_needed',
    `The desk in this folder is one of the fleet${name}: alone, it would trade beside the others.`,
    {
      remedy:
        'Start it with --fleet and that address. Only when no other desk of the fleet will ever run again: --no-fleet.',
    },
  );
}

/**
 * Throws DeskError `fleet_standby` where this folder follows another desk: whoever opens a journal may write a row there, and a journal
 * with a row of its own can never follow again.
 */
export function expectNoStandby(folder: string): void {
  const found = membershipOf(folder);
  if (found === null || (found !== 'unreadable' && !found.follows)) return;
  if (found !== 'unreadable' && found.isSurface) {
    throw new DeskError('fleet_standby', `This folder is of a surface of ${found.fleet}: no desk is in it.`, {
      remedy: `Ask the desk, in its own folder or with --attach; for surfaces: makerdesk fleet status --fleet ${found.fleet}.`,
    });
  }
  const name = found === 'unreadable' ? 'a fleet' : found.fleet;
  throw new DeskError('fleet_standby', `This folder follows the desk of ${name}, and has nothing of its own.`, {
    remedy:
      'Ask the desk that writes. Its rows are checked here too (makerdesk verify). Once no other desk of the fleet will ever run again: serve --no-fleet.',
  });
}

function membershipOf(folder: string): Membership | 'unreadable' | null {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), 'utf8');
  } catch (error) {
    // Beneath a file there is no folder, and so no desk of any fleet.
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : 'unreadable';
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}
