import { isDeepStrictEqual } from 'node:util';
import { DeskError } from '../protocol/desk-error.ts';
import { type Fault, FaultyInput } from './faults.ts';

/**
 * Expects that what is saved over is still what the person had in view: `seen`, field by field; a field that is not there was not
 * seen, and is not looked at. Throws FaultyInput `changed_meanwhile` that says of each other field what it is now. `now` is undefined where it is
 * not there any more; `by` is who changed it, where that is known.
 */
export function expectSeen(
  what: string,
  { seen, now, by }: { seen: object | undefined; now: object | undefined; by: string | null },
): void {
  if (seen === undefined) return;
  const inForce = new Map<string, unknown>(Object.entries(now ?? {}));
  const faults = Object.entries(seen).flatMap(([path, value]: [string, unknown]): Fault[] => {
    const is = inForce.get(path);
    return isDeepStrictEqual(is ?? null, value ?? null) ? [] : [{ path, message: `is ${wordOf(is)} now` }];
  });
  if (now !== undefined && faults.length === 0) return;
  const whom = by === null ? '' : ` by ${by}`;
  const became = now === undefined ? 'removed' : 'changed';
  throw new FaultyInput('changed_meanwhile', what, now === undefined ? [] : faults, {
    sentence: `${what} was ${became} meanwhile${whom}, so yours was not saved.`,
    remedy: 'Look at what it is now, and change that.',
  });
}

/** Expects that what is added is not there yet: `now` is what is there. Throws DeskError `changed_meanwhile`. */
export function expectNew(what: string, now: object | undefined): void {
  if (now === undefined) return;
  throw new DeskError('changed_meanwhile', `${what} is there already, so yours was not saved.`, {
    remedy: 'Change the one that is there.',
  });
}

/** A setting as a form shows it; where it is several in one, each by its name. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return String(value ?? '') || 'empty';
  const parts = Array.isArray(value)
    ? value.map(partWordOf)
    : Object.entries(value).map(([name, part]) => `${name} ${partWordOf(part)}`);
  return parts.join(', ') || 'empty';
}

function partWordOf(part: unknown): string {
  return typeof part === 'object' && part !== null ? `(${wordOf(part)})` : wordOf(part);
}
