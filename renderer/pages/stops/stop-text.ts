import type { Stop, StopWord } from '../../../electron/contract/stops.ts';
import type { Scope } from '../../../electron/contract/trading.ts';
import { ageText } from '../../components/figures/times.ts';

/** What was stopped, in two parts of which the second is quieter: `WETH/USDC bids` on `Ethereum`. */
export function scopeText(
  { chainId, pair, side }: Scope,
  chains: readonly { chainId: number; name: string }[],
): { what: string; where: string | null } {
  if (chainId === undefined) return { what: 'The whole desk', where: null };
  const chain = chains.find((known) => known.chainId === chainId)?.name ?? `chain ${chainId}`;
  if (pair === undefined) return { what: chain, where: null };
  return { what: side === undefined ? pair : `${pair} ${side}`, where: chain };
}

/** What starts a scope again is called: a switch is switched on, the desk and a chain are resumed. */
export function resumeText({ pair, side }: Scope): string {
  return pair === undefined ? 'Resume…' : `Switch ${side ?? 'it'} on…`;
}

/** One thing that was said of a stop. Without `by` the one who stopped it said it when they did, or right after. */
export interface WhyLine {
  key: number;
  text: string;
  /** Words of a person; else what the desk found, or that nothing was said. */
  isReason: boolean;
  by: { actor: string; at: number } | null;
}

/** Words that follow so soon belong to the press itself. Milliseconds. */
const AT_ONCE = 60_000;

const IMPORTED = 'Switched off in a desk file that was imported.';

/** Why it was stopped, in the order in which it was said. */
export function whyLines({ began, words }: Stop): WhyLine[] {
  const lines: WhyLine[] = [];
  const say = (key: number, text: string | null, isReason: boolean, by: WhyLine['by'] = null) => {
    if (text !== null) lines.push({ key: key * 2 + (isReason ? 1 : 0), text, isReason, by });
  };
  say(began.seq, began.reason, true);
  say(began.seq, began.cause ?? (began.what === 'imported' ? IMPORTED : null), false);
  let [reason, state]: [string | null, Stop['began']['what']] = [began.reason, began.what];
  for (const word of words) {
    const by = { actor: word.actor, at: word.at };
    const isAtOnce = word.actor === began.actor && word.at - began.at < AT_ONCE;
    if (word.what === 'explained') say(word.seq, withoutActor(word), true, isAtOnce ? null : by);
    else {
      say(word.seq, word.cause ?? againText(state, word.what), false, by);
      // The halt at the end of a drain repeats the words of the drain.
      if (word.reason !== reason) say(word.seq, word.reason, true, by);
      state = word.what;
    }
    reason = word.reason ?? reason;
  }
  if (lines.length === 0 || (began.actor !== 'desk' && began.what !== 'imported' && !lines.some(isOfPerson))) {
    lines.unshift({ key: 0, text: 'No reason given.', isReason: false, by: null });
  }
  return lines;
}

function againText(before: Stop['began']['what'], now: 'halted' | 'drained'): string {
  if (now === 'drained') return 'Drained again.';
  return before === 'drained' ? 'Halted before the drain was over.' : 'Halted again.';
}

function isOfPerson({ isReason }: WhyLine): boolean {
  return isReason;
}

/** The journal puts the name behind words that somebody else than the one who stopped it added; here it stands beside them. */
function withoutActor({ reason, actor }: StopWord): string | null {
  const name = ` (${actor})`;
  return reason?.endsWith(name) ? reason.slice(0, -name.length) : reason;
}

/** How long it lasted, by the whole seconds that stand beside it. */
export function lastedText(from: number, to: number): string {
  return ageText(Math.floor(to / 1_000) * 1_000 - Math.floor(from / 1_000) * 1_000);
}
