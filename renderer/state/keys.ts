import { PAGES } from './pages.ts';

/** What a key means wherever the focus is, or null: it belongs to the page or to nobody. */
export type GlobalKey =
  | { kind: 'drain' }
  | { kind: 'go'; path: string }
  | { kind: 'keys' }
  | { kind: 'search' }
  | { kind: 'filter' };

export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  repeat: boolean;
  /** Whether the focus is where letters are written. */
  writing: boolean;
}

/** How long after `G` its letter counts. Milliseconds. */
const CHORD_MS = 1_500;

type Combination = Pick<KeyPress, 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const isCommand = (press: Combination) => (press.ctrlKey || press.metaKey) && press.shiftKey && !press.altKey;

/** Whether these are the keys of the halt, which count before there is a page, and whatever became of it. */
export function isHaltKey(press: Combination): boolean {
  return isCommand(press) && press.code === 'KeyH';
}

/**
 * Reads keys one after another. Drain and search count everywhere, also while a field has the focus; letters never do.
 * `now` is any clock in milliseconds.
 */
export function createKeyReader(): (press: KeyPress, now: number) => GlobalKey | null {
  let pressedG = Number.NEGATIVE_INFINITY;
  return (press, now) => {
    if (isCommand(press) && press.code === 'KeyD') return press.repeat ? null : { kind: 'drain' };
    if ((press.ctrlKey || press.metaKey) && !press.shiftKey && !press.altKey && press.code === 'KeyK') {
      return press.repeat ? null : { kind: 'search' };
    }
    if (press.writing || press.ctrlKey || press.metaKey || press.altKey) return null;
    const letter = press.key.toLowerCase();
    const behindG = now - pressedG <= CHORD_MS;
    pressedG = Number.NEGATIVE_INFINITY;
    if (behindG) {
      const page = PAGES.find((candidate) => candidate.letter === letter);
      if (page !== undefined) return { kind: 'go', path: page.path };
    }
    if (letter === 'g') pressedG = now;
    if (press.key === '?') return { kind: 'keys' };
    if (press.key === '/') return { kind: 'filter' };
    return null;
  };
}

/** Whether letters typed into this element are text. */
export function isWriting(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
    return true;
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(element.type);
}
