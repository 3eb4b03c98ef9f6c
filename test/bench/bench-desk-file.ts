import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { PROTECTED, type Protection } from '../../electron/contract/protections.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { deskFileFor } from '../desk/desk-on-chain.ts';
import type { BenchChain } from './bench-chain.ts';

export const LEVELS = 10;

/** Base units at each level. */
export const LEVEL_AMOUNT = 2.5;

/** A desk with 20 pairs of 10 levels a side, and every guard it has switched on, too wide to refuse anything. */
export function benchDeskFile(chain: BenchChain, authenticated = true): DeskFile {
  const plenty = Object.fromEntries(['USDC', ...chain.bases.map(({ id }) => id)].map((id) => [id, '1000000000000']));
  const usdc = { symbol: 'USDC', name: 'USD Coin', address: chain.usdc, decimals: 6, type: 'ERC20' as const };
  const tokens = chain.bases.map(({ id, address }) => [
    id,
    { symbol: id, name: `Token ${id}`, address, decimals: 18, type: 'ERC20' as const },
  ]);
  const pairIds = chain.bases.map(({ id }) => `${id}/USDC`);
  const file = deskFileFor(chain, {
    tokens: { USDC: usdc, ...Object.fromEntries(tokens) },
    pairs: Object.fromEntries(
      chain.bases.map(({ id }) => [`${id}/USDC`, { base: id, quote: 'USDC', liquidityUSD: 1_000_000 }]),
    ),
    prices: Object.fromEntries(pairIds.map((pair, number) => [pair, ladderAround(1_000 + number * 137)])),
    reserve: plenty,
    limits: {
      maxQuote: plenty,
      maxOutstanding: plenty,
      quotesPerUserPerMinute: 100_000,
      ladderMaxAgeSeconds: 86_400,
    },
    blacklist: [{ address: `0x${'bad0'.repeat(10)}` }],
  });
  const asUsual = { ...file, deadlineMs: 3_000 };
  return authenticated ? asUsual : { ...asUsual, counterparties: [] };
}

/** The same with ten protections: for each that a window is kept for by orders and by USDC, and by the first base for two of them. */
export function protectedDeskFile(chain: BenchChain): DeskFile {
  const [first] = chain.bases;
  const rules: [Protection['per'], string | undefined, number][] = PROTECTED.flatMap((per) => [
    [per, undefined, 60],
    [per, 'USDC', 3_600],
  ]);
  rules.push(['pair', first?.id, 86_400], ['user', first?.id, 86_400]);
  const protections = rules.map(([per, token, windowSeconds]): Protection => {
    const rule = { counts: 'signed' as const, per, windowSeconds, limit: '1000000000000', freezeSeconds: 60 };
    const name = `${per}-${token ?? 'orders'}`;
    return token === undefined ? { name, ...rule } : { name, ...rule, token };
  });
  return { ...benchDeskFile(chain), protections };
}

/** Prices in cents around `mid`, one tick apart. */
function ladderAround(mid: number): { bids: Level[]; asks: Level[] } {
  const side = (direction: 1 | -1): Level[] =>
    Array.from({ length: LEVELS }, (_, level) => [
      (mid + direction * (0.78 + level * 0.35)).toFixed(2),
      String(LEVEL_AMOUNT),
    ]);
  return { bids: side(-1), asks: side(1) };
}
