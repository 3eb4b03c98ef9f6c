import { type Combination, pressedAt } from '../../state/shortcuts.ts';

/** What a key means in the ladder. `take` writes what is typed and then moves. */
export type GridCommand =
  | { kind: 'move'; dx: number; dy: number; extend: boolean }
  | { kind: 'edge'; dx: number; dy: number; extend: boolean }
  | { kind: 'all' }
  | { kind: 'tab'; backwards: boolean }
  | { kind: 'edit'; text: string | null }
  | { kind: 'take'; dy: number }
  | { kind: 'cancel' }
  | { kind: 'escape' }
  | { kind: 'insert' }
  | { kind: 'remove' }
  | { kind: 'nudge'; units: number }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'publish' };

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  PageUp: [0, -10],
  PageDown: [0, 10],
};

/** Along the row; with Ctrl to the corner of the grid. */
const EDGES: Record<string, readonly [number, number]> = { Home: [-1, -1], End: [1, 1] };

/** By what they write: the keys in their places write + and * on some keyboards. In the unit that is chosen. */
const NUDGES: Record<string, number> = { '[': -1, ']': 1, '{': -1, '}': 1 };

/** With Alt, on every keyboard: some write a bracket by Alt and a digit, which goes to a pair, and some have none. */
const ALT_NUDGES: Record<string, number> = { ArrowDown: -1, ArrowUp: 1 };

/** By their place where a letter that is not Latin is written there: the bracket is printed beside it. */
const NUDGE_PLACES: Record<string, number> = { BracketLeft: -1, BracketRight: 1 };
const OTHER_LETTER = /^(?!\p{Script=Latin})\p{L}$/u;

/** Reads a key while a cell is edited (`editing`) or only has the focus. Null: the key is not the ladder's. */
export function readGridKey(press: Combination, editing: boolean): GridCommand | null {
  const { key, shiftKey: shift, altKey: alt } = press;
  const ctrl = press.ctrlKey || press.metaKey;
  if (pressedAt('publish', press) >= 0) return { kind: 'publish' };
  if (key === 'Tab' && !ctrl && !alt) return { kind: 'tab', backwards: shift };
  if (editing) return readEditingKey(press);
  // On a Mac some of these write a bracket, but go to a pair wherever the focus is: no price moves on the way there.
  if (pressedAt('pairTab', press) >= 0) return null;
  // AltGr, by which some keyboards write a bracket, may be told as Ctrl and Alt.
  const units = ctrl && !alt ? undefined : (NUDGES[key] ?? (alt ? altNudge(press) : nudgeByPlace(press)));
  if (units !== undefined) return { kind: 'nudge', units: shift || '{}'.includes(key) ? 10 * units : units };
  if (ctrl) {
    if (pressedAt('undo', press) >= 0) return { kind: 'undo' };
    if (pressedAt('redo', press) >= 0) return { kind: 'redo' };
    if (pressedAt('selectAll', press) >= 0) return { kind: 'all' };
    const edge = EDGES[key] ?? ARROWS[key];
    return edge === undefined ? null : { kind: 'edge', dx: Math.sign(edge[0]), dy: Math.sign(edge[1]), extend: shift };
  }
  if (alt) return null;
  const arrow = ARROWS[key];
  if (arrow !== undefined) return { kind: 'move', dx: arrow[0], dy: arrow[1], extend: shift };
  const edge = EDGES[key];
  if (edge !== undefined) return { kind: 'edge', dx: edge[0], dy: 0, extend: shift };
  if (pressedAt('editCell', press) >= 0) return { kind: 'edit', text: null };
  if (key === 'Escape') return { kind: 'escape' };
  if (pressedAt('insertLevel', press) >= 0) return { kind: 'insert' };
  if (pressedAt('removeLevels', press) >= 0) return { kind: 'remove' };
  if (/^[0-9.,+*×-]$/.test(key)) return { kind: 'edit', text: key };
  return null;
}

function altNudge({ key, ctrlKey, metaKey }: Combination): number | undefined {
  return ctrlKey || metaKey ? undefined : ALT_NUDGES[key];
}

function nudgeByPlace({ key, code }: Combination): number | undefined {
  return OTHER_LETTER.test(key) ? NUDGE_PLACES[code] : undefined;
}

function readEditingKey({ key, shiftKey, ctrlKey, metaKey, altKey }: Combination): GridCommand | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Enter') return { kind: 'take', dy: shiftKey ? -1 : 1 };
  if (key === 'ArrowDown' || key === 'ArrowUp') return { kind: 'take', dy: key === 'ArrowDown' ? 1 : -1 };
  if (key === 'Escape') return { kind: 'cancel' };
  return null;
}
