import { type AlertSettings, USUAL_ALERTS } from '../../electron/contract/alert-settings.ts';
import type { ApprovalsView } from '../../electron/contract/approvals.ts';
import type { PairRow } from '../../electron/contract/book.ts';
import type { Attention, ChainRow, DeskUpdate, ExposureRow } from '../../electron/contract/desk-view.ts';
import type { FleetView } from '../../electron/contract/fleet.ts';
import type { PersonRow, Right } from '../../electron/contract/rights.ts';
import type { Status } from '../../electron/contract/trading.ts';
import type { TokenFigure } from '../components/figures/amounts.ts';

/** The desk as last heard. `status` is null until the desk has spoken once. `skewMs` is its clock minus ours. */
export interface DeskView {
  status: Status | null;
  actor: string;
  /** What this console may do; nothing is known of that before the desk has spoken. */
  may: readonly Right[];
  skewMs: number;
  chains: readonly ChainRow[];
  pairs: readonly PairRow[];
  /** What the pairs are, without their figures: the same array as long as no pair comes, goes or is defined anew. */
  listed: readonly ListedPair[];
  exposure: readonly ExposureRow[];
  /** Every token the desk accounts for, by `tokenKey`: for amounts in logs and fills, without a query. */
  tokens: ReadonlyMap<string, TokenFigure>;
  attention: readonly Attention[];
  /** How alerts are told. */
  alerts: AlertSettings;
  surfaceUrl: string | null;
  /** Who has a console and may do what: the user who runs the desk first. */
  people: readonly PersonRow[];
  /** With which token this console came; null: it is of the user who runs the desk. */
  token: string | null;
  /** What takes a second person, what waits for one, and what is being carried out. */
  approvals: ApprovalsView;
  /** Null where the desk is in no fleet. */
  fleet: FleetView | null;
}

export const UNHEARD: DeskView = {
  status: null,
  actor: '',
  may: [],
  skewMs: 0,
  chains: [],
  pairs: [],
  listed: [],
  exposure: [],
  tokens: new Map(),
  attention: [],
  alerts: USUAL_ALERTS,
  surfaceUrl: null,
  people: [],
  token: null,
  approvals: { kinds: [], waiting: [], underWay: [] },
  fleet: null,
};

/** A pair as lists to choose from need it. */
export type ListedPair = Pick<PairRow, 'chainId' | 'pair' | 'base' | 'quote'>;

export function pairKey(row: { chainId: number; pair: string }): string {
  return `${row.chainId}:${row.pair}`;
}

/** Where each pair stands in a list; lists between which no pair came or went share one. */
const places = new WeakMap<readonly PairRow[], ReadonlyMap<string, number>>();

function placesOf(pairs: readonly PairRow[]): ReadonlyMap<string, number> {
  let known = places.get(pairs);
  if (known === undefined) {
    known = new Map(pairs.map((row, at) => [pairKey(row), at]));
    places.set(pairs, known);
  }
  return known;
}

/** A pair's row, found without walking through all of them: long lists ask for one row each. */
export function findPair(pairs: readonly PairRow[], chainId: number, pair: string | null): PairRow | undefined {
  if (pair === null) return undefined;
  return pairs[placesOf(pairs).get(pairKey({ chainId, pair })) ?? -1];
}

/**
 * The view after an update. Rows that did not change keep their identity, so that only what changed is drawn anew. A whole
 * one replaces the pairs, others only bring those that changed.
 */
export function applyUpdate(view: DeskView, update: DeskUpdate, now: number): DeskView {
  const pairs = update.whole ? (update.pairs ?? []) : mergePairs(view.pairs, update);
  return {
    status: update.status ?? view.status,
    actor: update.actor,
    may: update.may ?? view.may,
    skewMs: update.time - now,
    chains: update.chains ?? view.chains,
    pairs,
    listed: pairs === view.pairs ? view.listed : listedOf(view.listed, pairs),
    exposure: update.exposure ?? view.exposure,
    tokens: update.exposure === undefined ? view.tokens : tokensOf(view.tokens, update.exposure),
    attention: update.attention ?? view.attention,
    alerts: update.alerts ?? view.alerts,
    surfaceUrl: update.surfaceUrl === undefined ? view.surfaceUrl : update.surfaceUrl,
    people: update.people ?? view.people,
    token: update.token === undefined ? view.token : update.token,
    approvals: update.approvals ?? view.approvals,
    fleet: update.fleet === undefined ? view.fleet : update.fleet,
  };
}

export function tokenKey(chainId: number, address: string): string {
  return `${chainId}:${address}`;
}

function listedOf(known: readonly ListedPair[], pairs: readonly PairRow[]): readonly ListedPair[] {
  const isSame = (row: PairRow, index: number) => {
    const pair = known[index];
    return (
      pair?.pair === row.pair && pair.chainId === row.chainId && pair.base === row.base && pair.quote === row.quote
    );
  };
  if (known.length === pairs.length && pairs.every(isSame)) return known;
  return pairs.map(({ chainId, pair, base, quote }) => ({ chainId, pair, base, quote }));
}

/** The same map as long as the same tokens are in it: amounts change all the time, tokens hardly ever. */
function tokensOf(
  known: ReadonlyMap<string, TokenFigure>,
  exposure: readonly ExposureRow[],
): ReadonlyMap<string, TokenFigure> {
  const listed = exposure.filter(({ unlisted }) => unlisted === undefined);
  const isSame = ({ chainId, address, tokenId, decimals }: ExposureRow) => {
    const token = known.get(tokenKey(chainId, address));
    return token?.symbol === tokenId && token.decimals === decimals;
  };
  if (known.size === listed.length && listed.every(isSame)) return known;
  return new Map(
    listed.map(({ chainId, address, tokenId, decimals }) => [
      tokenKey(chainId, address),
      { symbol: tokenId, decimals },
    ]),
  );
}

function mergePairs(rows: readonly PairRow[], update: DeskUpdate): readonly PairRow[] {
  if (update.pairs === undefined && update.removedPairs === undefined) return rows;
  return replacedPairs(rows, update) ?? rebuiltPairs(rows, update);
}

/** The list with other rows in the places of those that changed; undefined when a pair came or went. */
function replacedPairs(rows: readonly PairRow[], update: DeskUpdate): readonly PairRow[] | undefined {
  if (update.removedPairs !== undefined) return undefined;
  const known = placesOf(rows);
  const replaced = [...rows];
  for (const row of update.pairs ?? []) {
    const at = known.get(pairKey(row));
    if (at === undefined) return undefined;
    replaced[at] = row;
  }
  places.set(replaced, known);
  return replaced;
}

function rebuiltPairs(rows: readonly PairRow[], update: DeskUpdate): readonly PairRow[] {
  const changed = new Map((update.pairs ?? []).map((row) => [pairKey(row), row]));
  const removed = new Set((update.removedPairs ?? []).map(pairKey));
  const merged: PairRow[] = [];
  for (const row of rows) {
    const key = pairKey(row);
    if (!removed.has(key) || changed.has(key)) merged.push(changed.get(key) ?? row);
    changed.delete(key);
  }
  return [...merged, ...changed.values()];
}
