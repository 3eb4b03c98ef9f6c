import { z } from 'zod';
import type { Ladder } from '../contract/desk-file.ts';
import { add, floor, mul, type Rational } from '../protocol/decimal.ts';
import { type PreparedLevel, prepareLevels } from '../protocol/ladder.ts';
import { ladderFaults } from '../protocol/ladder-faults.ts';
import type { Side } from '../protocol/side.ts';
import type { Token } from '../protocol/wire.ts';
import { type Checked, checkForm } from './checked.ts';
import type { Fault } from './faults.ts';

/** An order's amounts are uint256 (PROTOCOL 2.2), so no side may hold that many raw units of either token. */
const TOO_LARGE = 2n ** 256n;

/** The frame of a ladder; what stands in the cells is judged by `ladderFaults`, which says more than a pattern can. */
const cellSchema = z.string('must be a decimal number written as a string');
const framedSideSchema = z
  .array(z.tuple([cellSchema, cellSchema], 'must be [price, amount]'))
  .max(200, 'must have at most 200 levels')
  .default([]);
const framedLadderSchema = z.strictObject({ bids: framedSideSchema, asks: framedSideSchema });

/** A ladder by itself: form, best price first, not crossed (PROTOCOL 4.3.3 and 4.3.4). All faults at once. */
export function checkLadder(input: unknown): Checked<Ladder> {
  const framed = checkForm(framedLadderSchema, input);
  if (framed.faults) return framed;
  const faults = ladderFaults(framed.value).map(
    ({ side, level, field, message }): Fault => ({
      path: `${side}[${level}][${field === 'price' ? 0 : 1}]`,
      message,
    }),
  );
  return faults.length > 0 ? { value: null, faults } : framed;
}

/** Both sides of a sound ladder in raw units. */
export type PreparedLadder = { bids: PreparedLevel[]; asks: PreparedLevel[] };

/** The level at which a side of a ladder comes to hold more than an order can carry. */
export type SizeFault = { side: Side; level: number; message: string };

/** Brings a sound ladder into raw units of its tokens; faulty where a side holds more than a uint256 can say. */
export function prepareLadder(
  ladder: Ladder,
  base: Token,
  quote: Token,
): { prepared: PreparedLadder; faults: SizeFault[] } {
  const bids = prepareLevels(ladder.bids, base.decimals, quote.decimals);
  const asks = prepareLevels(ladder.asks, base.decimals, quote.decimals);
  return { prepared: { bids, asks }, faults: [...sizeFaults('bids', bids), ...sizeFaults('asks', asks)] };
}

function sizeFaults(side: Side, levels: readonly PreparedLevel[]): SizeFault[] {
  let base: Rational = { n: 0n, d: 1n };
  let quote: Rational = { n: 0n, d: 1n };
  for (const [level, { price, amount }] of levels.entries()) {
    base = add(base, amount);
    quote = add(quote, mul(amount, price));
    const over = floor(base) >= TOO_LARGE ? 'base' : floor(quote) >= TOO_LARGE ? 'quote' : null;
    if (over !== null) {
      const message = `the depth up to here is 2^256 raw units of the ${over} token or more, which no order can carry`;
      return [{ side, level, message }];
    }
  }
  return [];
}
