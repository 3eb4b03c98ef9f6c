import type { Book } from '../book/book.ts';
import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { hasReference } from '../book/combine-sources.ts';
import type { Reference } from '../book/references.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import { CHAIN_SETTINGS } from '../contract/chain-settings.ts';
import { formulaOf } from '../contract/formula.ts';
import { tokenOf } from '../contract/names.ts';
import { REFUSALS } from '../contract/refusal.ts';
import type { ResumeOutlook } from '../contract/service-view.ts';
import type { Scope, StaysClosed } from '../contract/trading.ts';
import type { Guard } from '../guard/guard.ts';
import { isLadderStale } from '../guard/quote-limits.ts';
import { isPushStale } from '../guard/side-refusal.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Side } from '../protocol/side.ts';
import type { ChainChecks } from './chain-checks.ts';
import { believedHoldings, shownCheck } from './self-check.ts';

interface Parts {
  book: Pick<Book, 'chains' | 'references'>;
  guard: Pick<Guard, 'isSwitchedOff' | 'closure' | 'wasTokenChecked' | 'referenceFreshUntil' | 'pushedFreshUntil'> & {
    trading: Pick<Guard['trading'], 'said'>;
    protections: Pick<Guard['protections'], 'chainFault' | 'pairFault'>;
  };
  checks: Pick<ChainChecks, 'again' | 'holdings'>;
  now: () => number;
}

type Outlook = Omit<ResumeOutlook, 'at'>;

/** Whether the maker would pay something out on a side of a pair. */
type IsPaid = (pair: BookPair, side: Side) => boolean;

/**
 * Makes the self-check of a scope anew before it is resumed, and tells what will stay closed in it. Throws DeskError
 * `checks_failed` where its checks close everything, and `no_chain` where there is nothing to check: a desk that was
 * resumed while it was empty would quote what is imported later without a person having looked.
 */
export async function checkBeforeResume(parts: Parts, scope: Scope): Promise<Outlook> {
  if (parts.book.chains().length === 0) {
    throw new DeskError('no_chain', 'No chain is configured, so nothing may go LIVE.', {
      remedy: 'Set up a chain on the Desk page, or import a desk file: makerdesk import FILE. Then resume.',
    });
  }
  const outlook = await resumeOutlook(parts, scope);
  if (outlook.refused === null) return outlook;
  throw new DeskError('checks_failed', `Nothing here may go LIVE: ${outlook.refused}`, {
    remedy: 'Fix what is named, then resume again. "makerdesk check" prints the whole self-check.',
  });
}

/** Makes the self-check of a scope anew and tells what a resume of it would do. */
export async function resumeOutlook(parts: Parts, scope: Scope): Promise<Outlook> {
  const { book, guard, checks } = parts;
  const chains = book.chains().filter(({ chainId }) => scope.chainId === undefined || scope.chainId === chainId);
  const [found, holdings] = await Promise.all([
    checks.again(chains.map(({ chainId }) => chainId)),
    Promise.all(chains.map((chain) => checks.holdings(chain, scope))),
  ]);
  const judged = chains.map((chain, index) => {
    const { chainId } = chain;
    const isPaid = (pair: BookPair, side: Side) => {
      const isResumed = scope.pair === pair.id && (scope.side ?? side) === side;
      return pair[side].length > 0 && (isResumed || !guard.isSwitchedOff({ chainId, pair: pair.id, side }));
    };
    const ofChain = found.get(chainId) ?? [];
    const all = [...ofChain, ...believedHoldings(ofChain, holdings[index] ?? [])];
    const pairs = [...chain.pairs.values()].filter(
      ({ id, retiredUntil }) => retiredUntil === null && (scope.pair === undefined || scope.pair === id),
    );
    return { chain, all, pairs, failed: closedByChecks(chainId, pairs, all, isPaid) };
  });
  const failed = judged.flatMap((of) => of.failed);
  const mayTrade = judged.some(
    (of) =>
      !of.failed.some(({ pair }) => pair === null) && (of.pairs.length === 0 || of.failed.length < of.pairs.length),
  );
  const starts: Outlook['starts'] = [];
  const others: StaysClosed[] = [];
  for (const of of judged) {
    const { chainId } = of.chain;
    if (of.failed.some(({ pair }) => pair === null)) continue;
    const closed = chainStaysClosed(parts, scope, of.chain, of.all);
    if (closed !== null) {
      others.push(closed);
      continue;
    }
    for (const pair of of.pairs) {
      if (of.failed.some((one) => one.pair === pair.id)) continue;
      const { sentence, because, whole } = pairStaysClosed(parts, scope, of.chain, pair);
      if (sentence !== null) others.push({ chainId, pair: pair.id, sentence, because });
      if (!whole) starts.push({ chainId, pair: pair.id });
    }
  }
  const shown = judged.flatMap(({ chain: { chainId }, all }) =>
    all.map((check) => ({ chainId, ...shownCheck(chainId, check) })),
  );
  const notPassed = shown.filter(({ outcome, mend }) => outcome !== 'passed' && !(outcome === 'warning' && !mend));
  const sentences = [...new Set(failed.map(({ sentence }) => sentence))];
  return {
    starts,
    staysClosed: [...failed, ...others],
    refused: failed.length > 0 && !mayTrade ? sentences.join(' ') : null,
    checks: notPassed,
    passed: shown.length - notPassed.length,
  };
}

function closedByChecks(
  chainId: number,
  pairs: readonly BookPair[],
  checks: readonly ChainCheck[],
  isPaid: IsPaid,
): StaysClosed[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const whole = failed.filter(isOfChain);
  const because = 'failed';
  if (whole.length > 0) {
    return [{ chainId, pair: null, sentence: whole.map((check) => check.sentence).join(' '), because }];
  }
  return pairs.flatMap((pair) => {
    const sentences = whyClosed(pair, failed, isPaid);
    return sentences.length === 0 ? [] : [{ chainId, pair: pair.id, sentence: sentences.join(' '), because }];
  });
}

/** What of the failed checks closes a pair. A missing approval closes the pairs whose ladders would pay the token. */
function whyClosed(pair: BookPair, failed: readonly ChainCheck[], isPaid: IsPaid): string[] {
  if (pair.fault !== null) return [`${pair.id} is not served: ${pair.fault}.`];
  const { base, quote } = pair.definition;
  return failed.flatMap(({ name, scope, sentence }) => {
    if (scope.kind !== 'token' || (scope.tokenId !== base && scope.tokenId !== quote)) return [];
    if (name !== `allowance ${scope.tokenId}`) return [sentence];
    return isPaid(pair, scope.tokenId === base ? 'asks' : 'bids') ? [sentence] : [];
  });
}

/** What keeps a whole chain closed although no check of it failed: a wider or its own switch, or what is waited for. */
function chainStaysClosed(
  { guard }: Parts,
  scope: Scope,
  chain: ChainBook,
  checks: readonly ChainCheck[],
): StaysClosed | null {
  const { chainId } = chain;
  const around: Scope[] = [{}, { chainId }];
  const off = around
    .filter((other) => !isSame(other, scope))
    .map((other) => guard.trading.said(other))
    .find((said) => said?.state === 'HALTED');
  if (off) {
    const what = off.scope.chainId === undefined ? 'The whole desk is' : 'The chain was';
    return {
      chainId,
      pair: null,
      sentence: `${what} halted ${byWhom(off)} and has to be resumed separately.`,
      because: 'switched_off',
    };
  }
  const closure = guard.closure(chain);
  if (closure === null) return null;
  const tripped = closure === 'protection_tripped' ? guard.protections.chainFault(chainId) : null;
  if (tripped !== null) return { chainId, pair: null, sentence: tripped, because: 'waits' };
  const unanswered = checks.filter((check) => isOfChain(check) && check.outcome === 'unanswered');
  const why = unanswered.length > 0 ? unanswered.map(({ sentence }) => sentence).join(' ') : REFUSALS[closure].sentence;
  return { chainId, pair: null, sentence: `${why} It opens by itself once that is over.`, because: 'waits' };
}

/** What keeps a pair, or one side of it, closed although no check of it failed; `whole` where nothing of it starts. */
function pairStaysClosed(
  parts: Parts,
  scope: Scope,
  chain: ChainBook,
  pair: BookPair,
): { sentence: string | null; because: StaysClosed['because']; whole: boolean } {
  const { guard } = parts;
  const { chainId } = chain;
  const offAt = (other: Scope) => {
    const said = isSame(other, scope) ? null : guard.trading.said(other);
    return said?.state === 'HALTED' ? said : null;
  };
  const off = offAt({ chainId, pair: pair.id });
  if (off !== null) {
    return { sentence: `It was switched off ${byWhom(off)}.`, because: 'switched_off', whole: true };
  }
  const waits = guard.protections.pairFault(chain, pair)?.sentence ?? whyWaits(parts, chain, pair);
  if (waits !== null) return { sentence: waits, because: 'waits', whole: true };
  const asked = scope.side === undefined ? (['bids', 'asks'] as const) : [scope.side];
  const offSides = asked.flatMap((side) => {
    const said = offAt({ chainId, pair: pair.id, side });
    return said === null ? [] : [`Its ${side} were switched off ${byWhom(said)}.`];
  });
  const sentence = offSides.length === 0 ? null : offSides.join(' ');
  return { sentence, because: 'switched_off', whole: offSides.length === asked.length };
}

function whyWaits({ guard, book, now }: Parts, chain: ChainBook, pair: BookPair): string | null {
  const unchecked = [pair.definition.base, pair.definition.quote].filter((tokenId) => {
    const token = chain.tokens.get(tokenId);
    return token !== undefined && !guard.wasTokenChecked(chain.chainId, token);
  });
  if (unchecked.length > 0) {
    return `The chain has not said yet what ${unchecked.join(' and ')} is. It opens by itself once it has.`;
  }
  if (pair.bids.length + pair.asks.length === 0) return 'It has no prices: publish its ladder.';
  const at = now();
  if (isLadderStale(chain, pair, at))
    return `${REFUSALS.ladder_stale.sentence} It opens once it is published or moves again.`;
  if (isPushStale(guard, { chain, pair }, at)) return whyUnpushed(chain, pair);
  const fresh = guard.referenceFreshUntil(chain, pair);
  return fresh !== null && at > fresh
    ? whyUnreferenced(chain, pair, book.references.of(chain.chainId, pair.id), at)
    : null;
}

/** What is missing of an engine that has not said its prices again in time. */
function whyUnpushed({ config }: ChainBook, { id, ladder }: BookPair): string {
  if (config.byHand?.includes(id)) {
    return 'It was taken over from its engine, and what that pushed last is too old. Publish its ladder, or give it back.';
  }
  return `The engine with the token ${tokenOf(ladder.actor)} has not said its prices again in time. It opens by itself when they come.`;
}

/** What is wrong with the reference of a pair that must not be quoted by it, who holds it, and until when. */
function whyUnreferenced(
  { chainId, config }: ChainBook,
  { id }: BookPair,
  reference: Reference | undefined,
  now: number,
): string {
  if (!hasReference(config, id)) {
    return `It has no reference, and nothing is signed further than ${config.fenceHardBps} bps from one. Give it one, or set “${CHAIN_SETTINGS.fenceHardBps}” to 0 under Settings.`;
  }
  if (reference === undefined) return 'Its reference has not said its price yet. It opens by itself once it has.';
  const { time, heldBack, fenced, unsure, waitsUntil } = reference;
  const isOld = now > time + config.referenceMaxAgeSeconds * 1_000;
  if (fenced === true) {
    return (
      `Its reference is not believed: ${heldBack}. It is held until the reference comes back or a person says that this is the ` +
      `price: publish its ladder, or: makerdesk accept-reference --chain ${chainId} --pair ${id} --mid PRICE, with what you see elsewhere.`
    );
  }
  if (unsure !== undefined) return `Its reference is held: ${heldBack}. It opens by itself once that is over.`;
  if (isOld || heldBack === null) return `${REFUSALS.reference_stale.sentence} It opens by itself with a fresh one.`;
  if (waitsUntil !== undefined) return `Its reference is fresh again, but is held for a while: ${heldBack}.`;
  if (formulaOf(config, id) !== null && !config.byHand?.includes(id)) {
    return `It is held by its formula, which gives no prices: ${heldBack}. It opens by itself once that is over.`;
  }
  return `It is held because its ladder does not follow the reference: ${heldBack}. It opens once a person publishes, or it fits again.`;
}

function isOfChain({ scope }: ChainCheck): boolean {
  return scope.kind === 'desk' || scope.kind === 'chain';
}

function isSame(a: Scope, b: Scope): boolean {
  return a.chainId === b.chainId && a.pair === b.pair && a.side === b.side;
}

function byWhom({ actor, reason, cause }: StoredTradingState): string {
  const why = reason ?? cause;
  return why === null ? `by ${actor}` : `by ${actor}: “${why.replace(/\.$/, '')}”`;
}
