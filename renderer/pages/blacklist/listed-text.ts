import { z } from 'zod';
import type { NamesOf } from '../../../electron/contract/given-names.ts';
import { csvLine, withoutApostrophe } from '../../../electron/contract/log-text.ts';
import { isoTime } from '../../../electron/contract/names.ts';
import { momentOf } from '../../state/time-zone.ts';
import { readMoment } from '../firm-log/filter-choice.ts';

/** Somebody on the list, as it leaves the desk and comes back. `until` is Unix milliseconds, null for good. `onlyHere`: the service is not told. */
export interface ListedUser {
  address: string;
  reason: string | null;
  until: number | null;
  onlyHere: boolean;
}

/** What a text names, and which lines of it name nobody. */
export interface ReadList {
  users: readonly ListedUser[];
  faults: readonly { line: number; reason: string }[];
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const LONGEST_REASON = 500;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Reads one address a line, lines of `address,reason,until,onlyHere`, or JSON: an array of addresses or of such objects. */
export function readList(text: string): ReadList {
  const typed = text.trim();
  if (typed === '') return { users: [], faults: [] };
  const rows = typed.startsWith('[') ? jsonRows(typed) : lineRows(text);
  if ('fault' in rows) return { users: [], faults: [{ line: 1, reason: rows.fault }] };
  const users = new Map<string, ListedUser>();
  const faults: { line: number; reason: string }[] = [];
  for (const { line, address, reason, until, onlyHere, fault: unread } of rows.rows) {
    const end = until.trim() === '' ? null : endOf(until.trim());
    const fault =
      unread ??
      (!ADDRESS.test(address)
        ? `“${address.slice(0, 24)}” is not an address.`
        : end !== null && Number.isNaN(end)
          ? `“${until.slice(0, 24)}” is not a time.`
          : reason.length > LONGEST_REASON
            ? 'The reason is longer than 500 characters.'
            : !['', 'true', 'false'].includes(onlyHere)
              ? `“${onlyHere.slice(0, 24)}” is neither true nor false for onlyHere.`
              : null);
    if (fault !== null) faults.push({ line, reason: fault });
    else
      users.set(address.toLowerCase(), {
        address: address.toLowerCase(),
        reason: reason.trim() || null,
        until: end,
        onlyHere: onlyHere === 'true',
      });
  }
  return { users: [...users.values()], faults };
}

/** A day and time with its zone behind it, as lists are exported. */
const ZONED =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?:(?<=\.\d{3})\d{1,6})?\s?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))$/i;

/** A day or a moment in Unix milliseconds: in the viewer's time zone, unless it names its own. NaN for what is none. */
function endOf(text: string): number {
  const [, day, clock, sign, hours = '0', minutes = '0'] = ZONED.exec(text) ?? [];
  if (day === undefined) return readMoment(text, 'first') ?? Number.NaN;
  const ahead = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  return (momentOf(`${day}T${clock}`, true) ?? Number.NaN) - (sign === '-' ? -ahead : ahead);
}

type Row = { line: number; address: string; reason: string; until: string; onlyHere: string; fault?: string };

function jsonRows(text: string): { rows: Row[] } | { fault: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return { fault: 'This is not JSON.' };
  }
  if (!Array.isArray(read)) return { fault: 'The JSON is not an array.' };
  return {
    rows: read.map((entry: unknown, index) => {
      const nobody = { line: index + 1, address: '', reason: '', until: '', onlyHere: '' };
      if (typeof entry === 'string') return { ...nobody, address: entry };
      const { data, error } = jsonEntrySchema.safeParse(entry);
      if (data === undefined) return { ...nobody, fault: jsonFault(error) };
      const { address, reason, until, onlyHere } = data;
      return { ...nobody, address, reason: reason ?? '', until: until ?? '', onlyHere: `${onlyHere ?? ''}` };
    }),
  };
}

/** What cannot be read as what it is to say is a fault: an end that is left out is none, and would bar somebody for good. */
const jsonEntrySchema = z.object({
  address: z.string(),
  reason: z.string().nullish(),
  until: z.string().nullish(),
  onlyHere: z
    .boolean()
    .or(z.enum(['true', 'false', '']))
    .nullish(),
});

const JSON_FAULTS: Record<string, string> = {
  address: 'It has no address.',
  reason: 'Its reason is no text.',
  until: 'Its end (until) is no time in quotes, such as "2026-12-24T18:00Z".',
  onlyHere: 'Its onlyHere is neither true nor false.',
};

function jsonFault({ issues: [first] }: z.ZodError): string {
  return JSON_FAULTS[String(first?.path[0])] ?? 'It is neither an address nor an object.';
}

function lineRows(text: string): { rows: Row[] } {
  const rows: Row[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    const [address = '', reason = '', until = '', onlyHere = ''] = csvFields(content);
    if (content.trim() === '' || (index === 0 && address.trim().toLowerCase() === 'address')) return;
    const told = { reason: withoutApostrophe(reason), until, onlyHere: onlyHere.trim() };
    rows.push({ line: index + 1, address: address.trim(), ...told });
  });
  return { rows };
}

/** The fields of one line; a field in quotes may hold commas. */
function csvFields(line: string): string[] {
  const fields: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  return fields;
}

const stamp = (until: number | null) => (until === null ? null : isoTime(until));

/** The list as a file: what `readList` reads back, which leaves the names people gave to themselves. */
export const LIST_FORMATS = {
  txt: {
    name: 'One address a line',
    type: 'text/plain',
    text: (users: readonly ListedUser[]) => users.map(({ address }) => `${address}\n`).join(''),
  },
  csv: {
    name: 'CSV',
    type: 'text/csv',
    text: (users: readonly ListedUser[], names: NamesOf) =>
      csvLine(['address', 'reason', 'until', 'onlyHere', 'name']) +
      users
        .map(({ address, reason, until, onlyHere }) => {
          const name = names.user(address) ?? null;
          return csvLine([address, oneLine(reason), stamp(until), onlyHere ? 'true' : null, name]);
        })
        .join(''),
  },
  json: {
    name: 'JSON',
    type: 'application/json',
    text: (users: readonly ListedUser[], names: NamesOf) =>
      `${JSON.stringify(
        users.map(({ address, reason, until, onlyHere }) => ({
          address,
          name: names.user(address),
          ...(reason === null ? {} : { reason }),
          ...(until === null ? {} : { until: stamp(until) }),
          ...(onlyHere ? { onlyHere } : {}),
        })),
        null,
        2,
      )}\n`,
  },
} as const;

function oneLine(reason: string | null): string | null {
  return reason === null ? null : reason.replace(/\s*\r?\n\s*/g, ' ');
}
