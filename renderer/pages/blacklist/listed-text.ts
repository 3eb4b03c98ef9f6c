import type { NamesOf } from '../../../electron/contract/given-names.ts';
import { csvLine, inertText } from '../../../electron/contract/log-text.ts';
import { isoTime } from '../../../electron/contract/names.ts';

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

/** Reads one address a line, lines of `address,reason,until,onlyHere`, or JSON: an array of addresses or of such objects. */
export function readList(text: string): ReadList {
  const typed = text.trim();
  if (typed === '') return { users: [], faults: [] };
  const rows = typed.startsWith('[') ? jsonRows(typed) : lineRows(text);
  if ('fault' in rows) return { users: [], faults: [{ line: 1, reason: rows.fault }] };
  const users = new Map<string, ListedUser>();
  const faults: { line: number; reason: string }[] = [];
  for (const { line, address, reason, until, onlyHere } of rows.rows) {
    const end = until.trim() === '' ? null : Date.parse(until);
    const fault = !ADDRESS.test(address)
      ? `“${address.slice(0, 24)}” is not an address.`
      : end !== null && Number.isNaN(end)
        ? `“${until.slice(0, 24)}” is not a time.`
        : reason.length > LONGEST_REASON
          ? 'The reason is longer than 500 characters.'
          : !['', 'true', 'false'].includes(onlyHere)
            ? `“${onlyHere.slice(0, 24)}” is neither true nor false for onlyHere.`
            : null;
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

type Row = { line: number; address: string; reason: string; until: string; onlyHere: string };

function jsonRows(text: string): { rows: Row[] } | { fault: string } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return { fault: 'This is not JSON.' };
  }
  if (!Array.isArray(read)) return { fault: 'The JSON is not an array.' };
  const field = (entry: object, name: string) => {
    const value: unknown = name in entry ? (entry as Record<string, unknown>)[name] : null;
    return typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : '';
  };
  return {
    rows: read.map((entry: unknown, index) => {
      if (typeof entry !== 'object' || entry === null)
        return { line: index + 1, address: String(entry), reason: '', until: '', onlyHere: '' };
      return {
        line: index + 1,
        address: field(entry, 'address'),
        reason: field(entry, 'reason'),
        until: field(entry, 'until'),
        onlyHere: field(entry, 'onlyHere'),
      };
    }),
  };
}

function lineRows(text: string): { rows: Row[] } {
  const rows: Row[] = [];
  text.split(/\r?\n/).forEach((content, index) => {
    const [address = '', reason = '', until = '', onlyHere = ''] = csvFields(content);
    if (content.trim() === '' || (index === 0 && address.trim().toLowerCase() === 'address')) return;
    rows.push({ line: index + 1, address: address.trim(), reason, until, onlyHere: onlyHere.trim() });
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
          const name = names.user(address);
          const called = name === undefined ? null : inertText(name);
          return csvLine([address, oneLine(reason), stamp(until), onlyHere ? 'true' : null, called]);
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
