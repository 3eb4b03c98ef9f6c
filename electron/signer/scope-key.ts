import type { Scope } from '../contract/trading.ts';

/** One text for each scope. Chain ids are digits and sides have no slash, so a pair of any name cannot imitate another scope. */
export function scopeKey({ chainId, pair, side }: Scope): string {
  return `${chainId ?? ''}/${side ?? ''}/${pair ?? ''}`;
}

/** A scope and those around it, the widest first: what holds for one of them holds for it. */
export function scopesAround({ chainId, pair, side }: Scope): Scope[] {
  const scopes: Scope[] = [{}];
  if (chainId !== undefined) scopes.push({ chainId });
  if (chainId !== undefined && pair !== undefined) scopes.push({ chainId, pair });
  if (chainId !== undefined && pair !== undefined && side !== undefined) scopes.push({ chainId, pair, side });
  return scopes;
}
