import type { AlertKind } from '../../electron/contract/alert-settings.ts';
import { type Attention, isQuiet } from '../../electron/contract/desk-view.ts';
import type { Line } from './connection.ts';
import type { DeskView } from './live-desk.ts';

/** Something that tripped: what it is, with its numbers. */
export interface Alert {
  kind: AlertKind;
  /** Tells two of the same kind apart. */
  code: string;
  title: string;
  detail: string;
  /** What it is about, where that may become more. */
  covers?: readonly string[];
}

/** What an alert is judged by. */
export interface Watched {
  status: DeskView['status'];
  attention: DeskView['attention'];
  line: Line['state'];
}

/** What tripped between two looks. The first look at a desk trips nothing: what was already so is on the screen. */
export function alertsBetween(before: Watched, now: Watched, heardAgo: string): Alert[] {
  return [...ofState(before, now), ...ofAttention(before, now), ...ofLine(before, now, heardAgo)];
}

function ofState(before: Watched, { status }: Watched): Alert[] {
  if (before.status === null || status === null || before.status.state === status.state) return [];
  const who = status.actor === null ? '' : ` by ${status.actor}`;
  const why = status.reason === null ? 'No reason given.' : `Reason: ${status.reason}`;
  if (status.state === 'HALTED') {
    return [
      { kind: 'halt', code: 'halted', title: `The desk is HALTED${who}`, detail: `No signature leaves it. ${why}` },
    ];
  }
  if (status.state === 'DRAIN') {
    return [
      {
        kind: 'halt',
        code: 'drain',
        title: `The desk drains${who}`,
        detail: `No grid is served; it halts by itself. ${why}`,
      },
    ];
  }
  return [];
}

function ofAttention(before: Watched, now: Watched): Alert[] {
  if (before.status === null) return [];
  const known = new Set(loudOf(before).flatMap((row) => keysOf(row.level, row)));
  return loudOf(now)
    .filter((row) => row.level !== 'note' && keysOf(row.level, row).some((key) => !known.has(key)))
    .map(({ level, code, title, detail, covers }) => ({
      kind: level === 'stop' ? 'stop' : 'look',
      code,
      title,
      detail,
      covers,
    }));
}

function ofLine(before: Watched, now: Watched, heardAgo: string): Alert[] {
  if (before.line === 'connected' && now.line === 'lost') {
    return [
      {
        kind: 'line',
        code: 'line',
        title: 'This screen is not connected',
        detail: `The desk may still be trading. Last heard ${heardAgo} ago.`,
      },
    ];
  }
  if (before.line !== 'lost' || now.line !== 'connected' || now.status === null) return [];
  const state = now.status.state;
  return [
    {
      kind: 'line',
      code: 'line',
      title: `This screen is connected again: the desk is ${state}`,
      detail: `Nothing was heard of it for ${heardAgo}.`,
    },
  ];
}

/** Without prices that nobody is quoted: those are news once they are. */
export function loudOf({ attention, status }: Watched): readonly Attention[] {
  return attention.filter((row) => !isQuiet(row, status));
}

/** What is new of a row where any of these is: one that only changes its numbers is not, one that covers something more is. */
export function keysOf(level: string, { code, covers = [] }: Pick<Alert, 'code' | 'covers'>): string[] {
  const key = `${level} ${code}`;
  return [key, ...covers.map((each) => `${key} ${each}`)];
}
