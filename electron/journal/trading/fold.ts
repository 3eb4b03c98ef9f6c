import { z } from 'zod';
import type { ChainConfig } from '../../contract/desk-file.ts';
import { timeSchema } from '../../contract/names.ts';
import { type Scope, scopeSchema, tradingStateSchema } from '../../contract/trading.ts';
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
 * rows of earlier programs that ended (see `desk_configured`). So are those that `isKept` says.
 */
export function foldImport(
  before: readonly StoredTradingState[],
  { time, actor, body }: Imported,
  isKept: (state: StoredTradingState) => boolean = () => false,
): StoredTradingState[] {
  const { chains } = body.desk;
  const off = chains.flatMap((chain) => switchedOff(chain));
  const isOff = ({ chainId, pair, side }: Scope) =>
    off.some((one) => one.chainId === chainId && one.pair === pair && one.side === side);
  const kept = before.filter((state) => {
    const { chainId, pair } = state.scope;
    if (isKept(state) || chainId === undefined) return true;
    const chain = chains.find((one) => one.chainId === chainId);
    if (chain === undefined || pair === undefined) return chain !== undefined;
    const drains = body.standing !== undefined && state.state === 'DRAIN';
    return drains && Object.hasOwn(chain.pairs, pair) && !isOff(state.scope);
  });
  const because = { state: 'HALTED', reason: null, actor, since: time, until: null, cause: null } as const;
  return [...off.map((scope) => ({ scope, ...because })), ...kept];
}

/** The scopes that `off` of the desk file switches off: a pair when both of its sides are named. */
function switchedOff({ chainId, off }: Pick<ChainConfig, 'chainId' | 'off'>): Scope[] {
  return Object.entries(off).flatMap(([pair, sides]): Scope[] =>
    new Set(sides).size === 2 ? [{ chainId, pair }] : [...new Set(sides)].map((side) => ({ chainId, pair, side })),
  );
}
