import type { ChainConfig, DeskFile } from '../contract/desk-file.ts';
import { type Limits, TOKEN_LIMITS } from '../contract/limits.ts';
import type { Side } from '../protocol/side.ts';
import { buildChainBook } from './chain-book.ts';
import type { BookState, ChainState } from './chain-state.ts';
import { sourceFor } from './sources/sources.ts';

/**
 * The desk file that imports to the book as it is, without secrets. `off` are the switches as people have set them.
 * What is set apart is left out, and so is what names a pair or a token that is not in the file. A retired pair is listed, off and
 * without prices: the file has no word for retiring.
 */
export function writeDesk(state: BookState, off: ReadonlyMap<number, ChainConfig['off']>, now: number): DeskFile {
  return {
    version: 1,
    deadlineMs: state.deadlineMs,
    chains: [...state.chains.values()].map((chain) => writeChain(chain, off.get(chain.chainId) ?? {}, now)),
    counterparties: state.counterparties.map((counterparty) => ({ ...counterparty })),
    ...(state.surfaceNames.length > 0 && { surfaceNames: [...state.surfaceNames] }),
    ...(state.archiveAfterDays !== null && { archiveAfterDays: state.archiveAfterDays }),
    ...(state.lockAfterMinutes !== null && { lockAfterMinutes: state.lockAfterMinutes }),
    ...(state.remoteSigner !== null && { remoteSigner: state.remoteSigner }),
    ...(state.protections !== null && state.protections.length > 0 && { protections: [...state.protections] }),
    ...(state.deadManMinutes !== null && { deadManMinutes: state.deadManMinutes }),
  };
}

/** The end of the year 9999, Unix milliseconds: the last that a date can say. What ends later does not end. */
const LATEST = Date.UTC(10_000, 0) - 1;

const BOTH: readonly Side[] = ['bids', 'asks'];

function writeChain(state: ChainState, off: ChainConfig['off'], now: number): ChainConfig {
  const book = buildChainBook(state);
  const listed = ([id]: [string, unknown]) => book.tokens.has(id);
  const listedAmounts = (amounts: Record<string, string>) => Object.fromEntries(Object.entries(amounts).filter(listed));
  const listedLimits = (limits: Limits) => {
    const ofListed = { ...limits };
    for (const name of TOKEN_LIMITS) {
      const amounts = limits[name];
      if (amounts !== undefined) ofListed[name] = listedAmounts(amounts);
    }
    return ofListed;
  };
  const { limits, reserve, follow, byHand = [], formulas = {}, sources, references, ...settings } = state.settings;
  const pairs = [...book.pairs.values()].filter(({ fault }) => fault === null);
  const isPriced = (id: string) => pairs.some((pair) => pair.id === id && pair.retiredUntil === null);
  const isListed = (id: string) => pairs.some((pair) => pair.id === id);
  const heard = Object.entries(sources ?? {}).flatMap(([name, source]) => {
    const kind = sourceFor(source);
    const ofListed = kind === undefined ? source : kind.ofListed(source, isListed);
    return ofListed === null ? [] : [[name, ofListed] as const];
  });
  const watched = Object.entries(references ?? {}).filter(([id]) => isListed(id));
  const taken = byHand.filter(isListed);
  const priced = Object.entries(formulas).filter(([id]) => isPriced(id));
  return {
    ...settings,
    ...(sources !== undefined && { sources: Object.fromEntries(heard) }),
    ...(references !== undefined && { references: Object.fromEntries(watched) }),
    follow: follow.filter(isPriced),
    ...(taken.length > 0 && { byHand: taken }),
    ...(priced.length > 0 && { formulas: Object.fromEntries(priced) }),
    reserve: listedAmounts(reserve),
    limits: listedLimits(limits),
    tokens: Object.fromEntries(book.tokens),
    pairs: Object.fromEntries(pairs.map(({ id, definition }) => [id, definition])),
    prices: Object.fromEntries(
      pairs.flatMap(({ id, ladder: { ladder, revision }, retiredUntil }) =>
        revision === 0 || retiredUntil !== null ? [] : [[id, ladder]],
      ),
    ),
    off: Object.fromEntries(
      pairs.flatMap(({ id, retiredUntil }) => {
        const sides = retiredUntil === null ? (off[id] ?? []) : BOTH;
        return sides.length > 0 ? [[id, [...sides]]] : [];
      }),
    ),
    blacklist: [...book.blacklisted.values()].flatMap(({ address, reason, until, onlyHere }) =>
      until !== null && until <= now
        ? []
        : [
            {
              address,
              ...(reason === null ? {} : { reason }),
              ...(until === null || until > LATEST ? {} : { until: new Date(until).toISOString() }),
              ...(onlyHere ? { onlyHere } : {}),
            },
          ],
    ),
  };
}
