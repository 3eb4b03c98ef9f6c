import type { Scope } from '../../contract/trading.ts';

/** A scope as the tables hold it: chain 0 and an empty pair and side stand for all of them. */
export type Place = [chainId: number, pair: string, side: string];
export type Side = '' | 'bids' | 'asks';

export function placeOf({ chainId, pair, side }: Scope): Place {
  return [chainId ?? 0, pair ?? '', side ?? ''];
}

export function scopeOf(chainId: number, pair: string, side: Side): Scope {
  if (chainId === 0) return {};
  if (pair === '') return { chainId };
  return side === '' ? { chainId, pair } : { chainId, pair, side };
}
