import type { FirmAsk } from './firm-ask.ts';

/** The hop before may deliver more than was thought, so the service asks for a little more (PROTOCOL 4.3.12). */
const OVER_ASK = { in: { n: 101n, d: 100n }, out: { n: 10_001n, d: 10_000n } };

/** Every so many requests come through a partner, and every so many are special. */
const PARTNER_EVERY = 3;
const SPECIAL_EVERY = 7;

/** What is asked of the maker for a wanted amount: floor of 1.01 times a sell, of 1.0001 times a buy. */
export function askedAmount({ exact, amount }: Pick<FirmAsk, 'exact' | 'amount'>): bigint {
  const { n, d } = OVER_ASK[exact];
  return (amount * n) / d;
}

/** The body of the service's `count`-th `POST /firm` (PROTOCOL 4.3), with what the public adapter adds to it. */
export function firmBody(ask: FirmAsk, asked: bigint, count: number): object {
  return {
    makerAsset: ask.makerToken.address,
    takerAsset: ask.takerToken.address,
    ...(ask.exact === 'in' ? { takerAmount: `${asked}` } : { makerAmount: `${asked}` }),
    userAddress: ask.userAddress,
    takerAddress: ask.takerAddress,
    special: count % SPECIAL_EVERY === 0,
    ...(count % PARTNER_EVERY === 0 ? { partner: 'practice-partner' } : {}),
  };
}
