import { z } from 'zod';
import type { ChainConfig } from '../../contract/desk-file.ts';
import { timeSchema } from '../../contract/names.ts';
import { type Scope, scopeSchema, tradingStateSchema } from '../../contract/trading.ts';
import type { Side } from '../../protocol/side.ts';
import type { BOOK_EVENTS } from '../book/events.ts';
import type { TRADING_EVENTS } from './events.ts';

/** The last word on a scope. `since` and `until` (of a DRAIN) are Unix milliseconds. */
export const storedTradingStateSchema = z.object({
  scope: scopeSchema,
  state: tradingStateSchema,
  reason: z.string().nullable(),
  actor: z.string(),
  since: timeSchema,
  until: timeSchema.nullable(),
  cause: z.string().nullable(),
});
export type StoredTradingState = z.infer<typeof storedTradingStateSchema>;

type EventOf<Kind extends string, Body> = { time: number; actor: string; kind: Kind; body: Body };
export type TradingEvent = {
  [Kind in keyof typeof TRADING_EVENTS]: EventOf<Kind, z.infer<(typeof TRADING_EVENTS)[Kind]>>;
}[keyof typeof TRADING_EVENTS];
type Imported = { time: number; actor: string; body: z.infer<typeof BOOK_EVENTS.desk_configured> };

/** The last word on a scope after an event about it. */
export function foldScope(before: StoredTradingState | undefined, event: TradingEvent): StoredTradingState | undefined {
  if (event.kind === 'trading_state') {
    const { time, actor, body } = event;
    return { ...body, actor, since: time };
  }
  // A stop that something else has followed keeps the words it had.
  const isMeant = before !== undefined && before.state !== 'LIVE' && before.since === event.body.stoppedAt;
  return isMeant ? { ...before, reason: event.body.reason } : before;
}

/**
 * The last words after an import: the switches of pairs and sides are part of the configuration and are replaced; the states
 * of the desk and of chains that stay are not, and are kept, and so is what drains of a pair that stays, unless it is off now; in
 * rows of earlier programs that ended (see `desk_configured`). So are those that `isKept` says, and after an edit the stops that go on.
 */
export function foldImport(
  before: readonly StoredTradingState[],
  { time, actor, body }: Imported,
  isKept: (state: StoredTradingState) => boolean = () => false,
): StoredTradingState[] {
  const { chains } = body.desk;
  const stops = body.edit === undefined ? [] : before.filter((state) => goesOn(state, body));
  const isStopped: IsStopped = (chainId, pair, side) =>
    isRetired(body, chainId, pair) ||
    stops.some(({ scope }) => scope.chainId === chainId && scope.pair === pair && (scope.side ?? side) === side);
  const off = chains.flatMap((chain) => switchedOff(chain, isStopped));
  const isOff = ({ chainId, pair, side }: Scope) =>
    off.some((one) => one.chainId === chainId && one.pair === pair && one.side === side);
  const kept = before.filter((state) => {
    const { chainId, pair } = state.scope;
    if (isKept(state) || stops.includes(state) || chainId === undefined) return true;
    const chain = chains.find((one) => one.chainId === chainId);
    if (chain === undefined || pair === undefined) return chain !== undefined;
    const drains = body.standing !== undefined && state.state === 'DRAIN';
    return drains && Object.hasOwn(chain.pairs, pair) && !isOff(state.scope);
  });
  const because = { state: 'HALTED', reason: null, actor, since: time, until: null, cause: null } as const;
  return [...off.map((scope) => ({ scope, ...because })), ...kept];
}

type IsStopped = (chainId: number, pair: string, side: Side) => boolean;

function isRetired({ edit }: Imported['body'], chainId: number, pair: string): boolean {
  return edit?.retired.some((one) => one.chainId === chainId && one.pair === pair) ?? false;
}

/** Whether the last word on a pair or a side goes on after an edit: a stop of which nothing is on now, or any where the pair is retired. */
function goesOn({ scope: { chainId, pair, side }, state }: StoredTradingState, body: Imported['body']): boolean {
  const chain = body.desk.chains.find((one) => one.chainId === chainId);
  if (chain === undefined || pair === undefined || !Object.hasOwn(chain.pairs, pair)) return false;
  if (isRetired(body, chain.chainId, pair)) return true;
  const off = Object.hasOwn(chain.off, pair) ? chain.off[pair] : [];
  return state === 'HALTED' && (side === undefined ? BOTH : [side]).every((one) => off?.includes(one));
}

const BOTH: readonly Side[] = ['bids', 'asks'];

/** The scopes that `off` of the desk file switches off and that were not: a pair when both of its sides are named. */
function switchedOff({ chainId, off }: Pick<ChainConfig, 'chainId' | 'off'>, isStopped: IsStopped): Scope[] {
  return Object.entries(off).flatMap(([pair, sides]): Scope[] => {
    const others = [...new Set(sides)].filter((side) => !isStopped(chainId, pair, side));
    return others.length === 2 ? [{ chainId, pair }] : others.map((side) => ({ chainId, pair, side }));
  });
}
