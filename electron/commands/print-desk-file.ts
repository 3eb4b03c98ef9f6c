import { realpathSync, statSync, writeFileSync } from 'node:fs';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { writePrivateFile } from '../signer/private-file.ts';
import { print } from './print.ts';

/** Writes a desk file as people read it: into a file of its user's alone, whole or not at all, or to stdout where none is named. Throws DeskError `not_written`. */
export async function printDeskFile(desk: object, file: string | undefined): Promise<void> {
  const text = `${JSON.stringify(desk, null, 2)}\n`;
  if (file === undefined) return print(text);
  try {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined) await writePrivateFile(file, text);
    else if (there.isFile()) await writePrivateFile(realpathSync(file), text);
    else writeFileSync(file, text); // a pipe or a device, in whose place no file may come
  } catch (cause) {
    const why = systemFault(cause);
    throw new DeskError('not_written', `The desk file could not be written to ${file}${why ? `: ${why}` : ''}.`, {
      remedy: 'Name another file, or none to have it on stdout.',
      cause,
    });
  }
}
