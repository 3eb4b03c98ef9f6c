import { readFileSync } from 'node:fs';
import { FaultyInput } from '../book/faults.ts';
import { REPEATED, readJson } from '../contract/json-text.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';

/**
 * Reads a JSON file that a person named, `-` for what is piped in. `name` is what it is to be, `remedy` names a sound one. Throws
 * DeskError `no_file`, `not_json` with the place, and FaultyInput `repeated_keys`.
 */
export function readJsonFile(file: string, { name, remedy }: { name: string; remedy: string }): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new DeskError('no_file', `The ${name} ${file} cannot be read${because(cause)}.`, {
      remedy: `Name ${remedy}, or one of that form.`,
      cause,
    });
  }
  let read: ReturnType<typeof readJson>;
  try {
    read = readJson(text);
  } catch (cause) {
    throw new DeskError('not_json', `The ${name} ${file} is not JSON${placeOf(cause, text)}.`, {
      remedy: `Fix it there, or take ${remedy}.`,
      cause,
    });
  }
  const faults = read.repeated.map((path) => ({ path, message: REPEATED }));
  if (faults.length > 0) throw new FaultyInput('repeated_keys', `The ${name} ${file}`, faults);
  return read.value;
}

function because(cause: unknown): string {
  const why = systemFault(cause);
  return why === null ? '' : `: ${why}`;
}

/** Where the parser stopped, as line and column. */
function placeOf(cause: unknown, text: string): string {
  if (text.trim() === '') return ': it is empty';
  const position = /position (\d+)/.exec(String(cause))?.[1];
  if (position === undefined) return ': it ends too early';
  const before = text.slice(0, Number(position)).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} cannot be read`;
}
