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
    expect(wire.tokensBodySchema.parse({ tokens: { WETH: token } }).tokens.WETH?.decimals).toBe(18);
    const pairs = { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1e6 } };
    expect(wire.pairsBodySchema.parse({ pairs }).pairs).toEqual(pairs);
    const prices = { 'WETH/USDC': { bids: [['1', '2']] }, 'WBTC/USDC': {} };
    expect(wire.pricesBodySchema.parse({ prices }).prices).toEqual(prices);
    expect(wire.blacklistBodySchema.parse({ blacklist: [address.toUpperCase().replace('0X', '0x')] })).toEqual({
      blacklist: [address],
    });
  });

  it('take a level only as two plain decimal strings', () => {
    for (const level of [['1'], ['1', '2', '3'], [1, 2], ['-1', '2'], ['1e3', '2'], ['Infinity', '1']]) {
      expect(wire.pricesBodySchema.safeParse({ prices: { P: { asks: [level] } } }).success).toBe(false);
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

  it('know errors by their sentence, and feed messages by any of their keys', () => {
    expect(wire.errorBodySchema.safeParse({ error: '' }).success).toBe(false);
    expect(wire.errorBodySchema.parse({ error: 'Halted.', code: 'halted' }).code).toBe('halted');
    expect(wire.feedMessageSchema.parse({})).toEqual({});
    expect(wire.feedMessageSchema.parse({ prices: { P: {} } })).toEqual({ prices: { P: {} } });
  });
});
