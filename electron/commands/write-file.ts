import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { writePrivateFile } from '../signer/private-file.ts';
import { print } from './print.ts';

/**
 * Writes into a file that a person named: its user's alone, whole or not at all, so that a full disk leaves the one that was there.
 * `name` is what it is. Throws DeskError `not_written`.
 */
export async function writeNamedFile(file: string, content: string | Uint8Array, name: string): Promise<void> {
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined) await writePrivateFile(file, content);
    else if (there.isFile()) await writePrivateFile(realpathSync(file), content);
    else writeFileSync(file, content); // a pipe or a device, in whose place no file may come
  } catch (cause) {
    const why = systemFault(cause);
    throw new DeskError('not_written', `The ${name} could not be written to ${file}${why ? `: ${why}` : ''}.`, {
      remedy: 'Name another file, or none to have it on stdout.',
      cause,
    });
  }
}

/** Writes a desk file as people read it: into a file, or to stdout where none is named. Throws as `writeNamedFile` does. */
export async function printDeskFile(desk: object, file: string | undefined): Promise<void> {
  const text = `${JSON.stringify(desk, null, 2)}\n`;
  await (file === undefined ? print(text) : writeNamedFile(file, text, 'desk file'));
}
