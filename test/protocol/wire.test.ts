import { describe, expect, it } from 'vitest';
import * as wire from '../../electron/protocol/wire.ts';

const address = `0x${'ab'.repeat(20)}`;
const token = { symbol: 'WETH', name: 'Wrapped Ether', address, decimals: 18, type: 'ERC20' };
const order = {
  nonceAndMeta: '1',
  expiry: 1_790_000_000,
  makerAsset: address,
  takerAsset: address,
  maker: address,
  taker: address,
  makerAmount: '5',
  takerAmount: '6',
  signature: '0xab01',
};

describe('the shapes of the wire', () => {
  it('are those of the four GETs', () => {
    expect(wire.tokenSchema.parse(token).decimals).toBe(18);
    const pair = { base: 'WETH', quote: 'USDC', liquidityUSD: 1e6 };
    expect(wire.pairSchema.parse(pair)).toEqual(pair);
    for (const prices of [{ bids: [['1', '2']] }, {}]) expect(wire.priceEntrySchema.parse(prices)).toEqual(prices);
  });

  it('take a level only as two plain decimal strings', () => {
    for (const level of [['1'], ['1', '2', '3'], [1, 2], ['-1', '2'], ['1e3', '2'], ['Infinity', '1']]) {
      expect(wire.priceEntrySchema.safeParse({ asks: [level] }).success).toBe(false);
    }
  });

  it('take a signature only as 0x and lower-case hex bytes', () => {
    expect(wire.firmResponseSchema.safeParse({ order }).success).toBe(true);
    for (const signature of ['ab01', '0xAB01', '0xab0', '0x', '']) {
      expect(wire.firmResponseSchema.safeParse({ order: { ...order, signature } }).success).toBe(false);
    }
  });

  it('know the answer to a blacklisted user, which has no order', () => {
    expect(wire.firmResponseSchema.parse({ message: 'no' })).toEqual({ message: 'no' });
  });

  it('know errors by their sentence', () => {
    expect(wire.errorBodySchema.safeParse({ error: '' }).success).toBe(false);
    expect(wire.errorBodySchema.parse({ error: 'Halted.', code: 'halted' }).code).toBe('halted');
  });
});
