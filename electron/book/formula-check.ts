import type { Formula } from '../contract/formula.ts';
import { parseDecimal } from '../protocol/decimal.ts';
import type { Token } from '../protocol/wire.ts';
import type { Fault } from './faults.ts';
import { sizesOf } from './price-formula.ts';

/** An order's amounts are uint256 (PROTOCOL 2.2). */
const TOO_LARGE = 2n ** 256n;

/**
 * What is wrong with a formula beyond its form, seen from it: a target beyond its limit, a size that the base token cannot have. What is
 * not known of the pair's token is found elsewhere.
 */
export function formulaFaults({ inventory, ...formula }: Formula, { base }: { base: Token | null }): Fault[] {
  const faults: Fault[] = [];
  if (inventory !== undefined) {
    const [target, limit] = [parseDecimal(inventory.target.replace('-', '')), parseDecimal(inventory.limit)];
    if (target.n * limit.d >= limit.n * target.d) {
      faults.push({ path: 'inventory.target', message: 'must be within the limit' });
    }
  }
  for (const side of ['bids', 'asks'] as const) {
    if (base === null) continue;
    const sizes = sizesOf(formula[side], base.decimals);
    const zero = sizes.indexOf(0n);
    if (zero >= 0) {
      faults.push({
        path: `${side}.size`,
        message: `leaves nothing of level ${zero + 1}: ${base.symbol} has ${base.decimals} decimals`,
      });
    }
    if (sizes.reduce((sum, size) => sum + size, 0n) >= TOO_LARGE) {
      faults.push({ path: `${side}.size`, message: 'comes to 2^256 raw units or more, which no order can carry' });
    }
  }
  return faults;
}
