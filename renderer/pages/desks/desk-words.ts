import type {
  DeskElsewhereRow,
  DesksView,
  HaltStage,
  OwnDeskState,
} from '../../../electron/contract/desks-elsewhere.ts';
import { plural } from '../../components/figures/counts.ts';
import { ageText, momentText } from '../../components/figures/times.ts';
import type { MarkShape } from '../../components/mark.tsx';

/** How a state looks and reads; `detail` says since when and why. */
export interface ShownDesk {
  shape: MarkShape;
  tone: 'ok' | 'attn' | 'stop' | 'quiet';
  word: string;
  detail: string;
}

const STATES = {
  LIVE: { shape: 'live', tone: 'ok' },
  DRAIN: { shape: 'drain', tone: 'attn' },
  HALTED: { shape: 'halted', tone: 'stop' },
} as const;

/** A desk that is asked once a second and was not heard for so long is late. Milliseconds. */
export const LATE_MS = 5_000;

/** What a desk elsewhere is doing, as far as is known at `now`, Unix milliseconds. */
export function shownDesk({ heard, silent, token }: DeskElsewhereRow, now: number): ShownDesk {
  if (token === 'none') {
    return {
      shape: 'look',
      tone: 'attn',
      word: 'NO TOKEN',
      detail: 'Neither asked nor halted from here until it has one.',
    };
  }
  if (silent !== null) {
    const before = heard === null ? 'never heard' : `was ${heard.status.state} at ${momentText(heard.at, now)}`;
    const detail = `for ${ageText(now - silent.since)}, ${before}. ${silent.why} ${silent.remedy}`.trim();
    return { shape: 'refused', tone: 'stop', word: 'NO ANSWER', detail };
  }
  if (heard === null) return { shape: 'expired', tone: 'quiet', word: 'asking…', detail: '' };
  const { state, since, actor, reason, chains } = heard.status;
  const other = chains.filter((chain) => chain.state !== state);
  const parts = [
    `since ${momentText(since, now)}`,
    actor === null ? '' : `by ${actor}`,
    reason === null || reason === '' ? '' : `“${reason}”`,
  ].filter((part) => part !== '');
  // LIVE alone would hide a chain that is not.
  const apart =
    other.length === 0 ? '' : ` · ${other.map((chain) => `chain ${chain.chainId} ${chain.state}`).join(', ')}`;
  return { ...STATES[state], word: state, detail: `${parts.join(' ')}${apart}` };
}

const OWN: Record<Exclude<OwnDeskState, 'LIVE' | 'DRAIN' | 'HALTED'>, ShownDesk> = {
  starting: { shape: 'expired', tone: 'quiet', word: 'starting', detail: 'It has not answered yet.' },
  waits: { shape: 'open', tone: 'quiet', word: 'not open', detail: 'Nothing is quoted until a person opens it.' },
  silent: {
    shape: 'refused',
    tone: 'stop',
    word: 'NO ANSWER',
    detail: 'It runs, does not answer, and may be quoting.',
  },
  ended: { shape: 'open', tone: 'quiet', word: 'not running', detail: 'Nothing is quoted.' },
};

/** The same of the app's own desk. */
export function shownOwn(state: OwnDeskState): ShownDesk {
  if (state === 'LIVE' || state === 'DRAIN' || state === 'HALTED') return { ...STATES[state], word: state, detail: '' };
  return OWN[state];
}

/** A halt that is not confirmed after so long is said to be so. Milliseconds. */
const ASKED_MS = 1_000;

/** What became of a halt; null where none was pressed. `isOpen`: the desk may still be quoting. */
export function haltText(halt: HaltStage | null, now: number): { text: string; why: string; isOpen: boolean } | null {
  if (halt === null) return null;
  if (halt.stage === 'confirmed') {
    const written = halt.durable ? '' : ', but not written down';
    return { text: `confirmed ${momentText(halt.confirmedAt, now)}${written}`, why: '', isOpen: false };
  }
  if (halt.stage === 'asked' && now - halt.at < ASKED_MS) return { text: 'asked…', why: '', isOpen: true };
  const tries = halt.stage === 'unconfirmed' ? `, sent ${plural(halt.tries, 'time')}` : '';
  const why = halt.stage === 'unconfirmed' ? halt.why : '';
  return { text: `NOT confirmed for ${ageText(now - halt.at)}${tries}`, why, isOpen: true };
}

/** What became of HALT ALL: who has confirmed and who has not; null where nobody is being halted and nobody was. */
export function haltAllOutcome({ own, desks }: DesksView): { confirmed: number; all: number; open: string[] } | null {
  const rows = [{ name: 'this app’s desk', halt: own.halt }, ...desks];
  const asked = rows.filter(({ halt }) => halt !== null);
  if (asked.length === 0) return null;
  const open = asked.filter(({ halt }) => halt?.stage !== 'confirmed').map(({ name }) => name);
  return { confirmed: asked.length - open.length, all: asked.length, open };
}
