import { useEffect, useRef } from 'react';
import { PAGES, type Page } from './pages.ts';

/** A key, or several that belong together, as it is read and as the help shows it. */
interface Shortcut {
  where:
    | 'Everywhere'
    | 'Prices'
    | 'Firm log'
    | 'Firm log, Journal'
    | 'Desk, Firm log, Journal, Hedge'
    | 'Hedge'
    | 'Fills, on the prices'
    | 'Fills, on a handle of the time bar';
  /** Each as it is written on the screen: `Ctrl Shift H`, `J`, `Esc`. None where the part that moves reads its own keys. */
  keys: readonly string[];
  does: string;
  /** How the help shows it, where that is not one key after another. */
  shown?: string;
  /** Whether holding it down does it again and again. */
  repeats?: boolean;
}

const digits = (to: number) => Array.from({ length: to }, (_, at) => `Alt ${at + 1}`);

/** Every shortcut there is. What is heard, what the help lists, what buttons show and what assistive technology is told come from here. */
export const SHORTCUTS = {
  halt: { where: 'Everywhere', keys: ['Ctrl Shift H'], does: 'halt everything' },
  drain: { where: 'Everywhere', keys: ['Ctrl Shift D'], does: 'drain: no grid, 10 s more quotes, then halted' },
  go: {
    where: 'Everywhere',
    keys: ['G'],
    shown: `G, then ${PAGES.map((page) => page.letter.toUpperCase()).join(' ')}`,
    does: PAGES.map((page) => page.name).join(', '),
  },
  search: {
    where: 'Everywhere',
    keys: ['Ctrl K'],
    does: 'search every action, pair, page, user, hash; reprice: WETH +5bp, WETH/USDC wider 5bp, all sizes x0.5',
  },
  filter: { where: 'Everywhere', keys: ['/'], does: 'filter this page; find a pair, type an amount' },
  story: {
    where: 'Everywhere',
    keys: ['W'],
    does: 'who changed the cell, what changed the pair or token of the row; right click: also its order, user, taker',
  },
  window: { where: 'Everywhere', keys: ['Ctrl Shift O'], does: 'this page in one more window; a tab in the browser' },
  keys: { where: 'Everywhere', keys: ['?'], does: 'these keys' },
  close: { where: 'Everywhere', keys: ['Esc'], does: 'close, innermost first' },
  moveInLadder: { where: 'Prices', keys: [], shown: '← ↑ ↓ →  Tab', does: 'move between cells, with Shift select' },
  edgeOfLadder: {
    where: 'Prices',
    keys: [],
    shown: 'Home  End',
    does: 'first, last cell of the row; with Ctrl of the ladder',
  },
  selectAll: { where: 'Prices', keys: ['Ctrl A'], does: 'select the whole ladder' },
  editCell: {
    where: 'Prices',
    keys: ['F2', 'Enter'],
    shown: '0–9  F2  Enter',
    does: 'type over, edit, take and go down',
  },
  changeCell: { where: 'Prices', keys: [], shown: '+5  -2bp  *1.25', does: 'typed into a cell: change its own value' },
  nudge: { where: 'Prices', keys: [], shown: '[  ]  Alt ↓ ↑', does: 'one basis point down, up; with Shift ten' },
  insertLevel: { where: 'Prices', keys: ['Ins'], does: 'add a level' },
  removeLevels: { where: 'Prices', keys: ['Del', 'Backspace'], shown: 'Del', does: 'remove the selected levels' },
  copyRange: {
    where: 'Prices',
    keys: [],
    shown: 'Ctrl C  V',
    does: 'copy a range; paste one from anywhere, shown before it is taken',
  },
  undo: { where: 'Prices', keys: ['Ctrl Z'], does: 'undo' },
  redo: { where: 'Prices', keys: ['Ctrl Y', 'Ctrl Shift Z'], shown: 'Ctrl Y', does: 'redo' },
  publish: { where: 'Prices', keys: ['Ctrl Enter'], does: 'publish' },
  discard: { where: 'Prices', keys: [], shown: 'Esc Esc', does: 'discard the draft' },
  pairTab: { where: 'Prices', keys: digits(9), shown: 'Alt 1…9', does: 'pair' },
  logRow: { where: 'Firm log, Journal', keys: ['J', 'K'], does: 'next, previous row', repeats: true },
  openRow: { where: 'Firm log, Journal', keys: ['Enter'], does: 'open the row' },
  xray: { where: 'Firm log', keys: ['X'], does: 'X-ray of the row, close it' },
  copyBundle: { where: 'Firm log', keys: ['C'], does: 'copy the bundle of the open row' },
  hold: { where: 'Desk, Firm log, Journal, Hedge', keys: ['Space'], does: 'hold the live list still, let it run' },
  hedgeFill: {
    where: 'Hedge',
    keys: ['J', 'K'],
    does: 'next, previous unhedged fill; Space on it chooses it',
    repeats: true,
  },
  way: {
    where: 'Hedge',
    keys: digits(9),
    shown: 'Alt 1…9',
    does: 'way of hedging, in the order of the form',
  },
  place: { where: 'Hedge', keys: ['Ctrl Enter'], does: 'do what the button says' },
  moveChart: { where: 'Fills, on the prices', keys: [], shown: '←  →', does: 'earlier, later' },
  zoomChart: { where: 'Fills, on the prices', keys: [], shown: '+  −', does: 'less time, more time' },
  wholeChart: { where: 'Fills, on the prices', keys: [], shown: '0  Esc', does: 'all of it again' },
  moveHandle: {
    where: 'Fills, on a handle of the time bar',
    keys: [],
    shown: '←  →',
    does: 'one bar; with Shift or Page keys ten',
  },
  edgeOfBar: {
    where: 'Fills, on a handle of the time bar',
    keys: [],
    shown: 'Home  End',
    does: 'to the beginning, to now',
  },
  wholeBar: { where: 'Fills, on a handle of the time bar', keys: [], shown: 'Esc', does: 'all of it again' },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof SHORTCUTS;

/** Returns the keys of a shortcut as people read them: `Ctrl Shift H`, `J  K`. */
export function keysText(id: ShortcutId): string {
  const { keys, shown }: Shortcut = SHORTCUTS[id];
  return shown ?? keys.join('  ');
}

/** Returns the keys that go to a page: `G P`. */
export function pageKeys(id: Page['id']): string {
  return `${SHORTCUTS.go.keys[0]} ${PAGES.find((page) => page.id === id)?.letter.toUpperCase()}`;
}

/** Returns the keys of a shortcut for `aria-keyshortcuts`. */
export function ariaKeys(id: ShortcutId): string {
  return SHORTCUTS[id].keys.map((key) => key.replace('Ctrl', 'Control').replaceAll(' ', '+')).join(' ');
}

/** What of a keyboard event says which keys were pressed. */
export type Combination = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** What the keyboard calls keys that the screen calls otherwise. */
const NAMES: Readonly<Record<string, string>> = { Esc: 'Escape', Space: ' ', Ins: 'Insert', Del: 'Delete' };

/** Returns which of its keys were pressed, from 0; -1 where it was none of them. */
export function pressedAt(id: ShortcutId, press: Combination): number {
  return SHORTCUTS[id].keys.findIndex((keys) => isPressed(keys, press));
}

/**
 * A letter counts by what its key writes, as it is printed there; where that is no Latin letter, by its place. With Ctrl or Alt a digit
 * counts by its place, and Shift as it says.
 */
function isPressed(keys: string, press: Combination): boolean {
  const held = keys.split(' ');
  const key = held.pop() ?? '';
  const [ctrl, alt] = [held.includes('Ctrl'), held.includes('Alt')];
  if ((press.ctrlKey || press.metaKey) !== ctrl || press.altKey !== alt) return false;
  if (!ctrl && !alt) return press.key.toLowerCase() === (NAMES[key] ?? key).toLowerCase();
  if (press.shiftKey !== held.includes('Shift')) return false;
  if (/^[A-Z]$/.test(key)) {
    return /^[a-z]$/i.test(press.key) ? press.key.toUpperCase() === key : press.code === `Key${key}`;
  }
  return /^\d$/.test(key) ? press.code === `Digit${key}` : press.key === key;
}

/** What a key means wherever the focus is, or null: it belongs to the page or to nobody. */
export type GlobalKey =
  | { kind: 'drain' }
  | { kind: 'go'; path: string }
  | { kind: 'keys' }
  | { kind: 'search' }
  | { kind: 'window' };

export interface KeyPress extends Combination {
  repeat: boolean;
  /** Whether the focus is where letters are written. */
  writing: boolean;
}

/** How long after `G` its letter counts. Milliseconds. */
const CHORD_MS = 1_500;

/**
 * Reads keys one after another. Drain, search and a new window count everywhere, also while a field has the focus; letters never do.
 * `now` is any clock in milliseconds.
 */
export function createKeyReader(): (press: KeyPress, now: number) => GlobalKey | null {
  let pressedG = Number.NEGATIVE_INFINITY;
  return (press, now) => {
    for (const kind of ['drain', 'search', 'window'] as const) {
      if (pressedAt(kind, press) >= 0) return press.repeat ? null : { kind };
    }
    if (press.writing || press.ctrlKey || press.metaKey || press.altKey) return null;
    const behindG = now - pressedG <= CHORD_MS;
    pressedG = pressedAt('go', press) >= 0 ? now : Number.NEGATIVE_INFINITY;
    const page = behindG ? PAGES.find((candidate) => candidate.letter === press.key.toLowerCase()) : undefined;
    if (page !== undefined) {
      pressedG = Number.NEGATIVE_INFINITY;
      return { kind: 'go', path: page.path };
    }
    return pressedAt('keys', press) >= 0 ? { kind: 'keys' } : null;
  };
}

/** Whether letters typed into this element are text. */
export function isWriting(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
    return true;
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(element.type);
}

/** How many dialogs lie over the page. */
let covers = 0;

/** For as long as this part of the screen lives it covers the page, whose shortcuts then do not count. */
export function useCoversPage(): void {
  useEffect(() => {
    covers += 1;
    return () => {
      covers -= 1;
    };
  }, []);
}

/**
 * Hears shortcuts of a page for as long as this part of it lives: not under a dialog, keys without Ctrl or Alt not where
 * somebody writes, and Enter and Space not on what they press. Each is told which of its keys it was, from 0, and may
 * answer false: it was not for it after all.
 */
export function useShortcuts(acts: { [Id in ShortcutId]?: (at: number) => unknown }): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      if (covers > 0 || event.defaultPrevented) return;
      if (!event.ctrlKey && !event.metaKey && !event.altKey) {
        if (isWriting(target)) return;
        const pressing = event.key === 'Enter' || event.key === ' ';
        if (pressing && target instanceof Element && target.closest('button, a, input, [role=switch]') !== null) return;
      }
      for (const [name, act] of Object.entries(latest.current)) {
        const id = name as ShortcutId;
        const at = pressedAt(id, event);
        const { repeats }: Shortcut = SHORTCUTS[id];
        if (at < 0 || ((!event.repeat || repeats) && act(at) === false)) continue;
        event.preventDefault();
        return;
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
