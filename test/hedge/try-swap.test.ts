import { describe, expect, test } from 'vitest';
import type { HedgeNode } from '../../electron/hedge/hedge-node.ts';
import { FRESH_MS, isFresh } from '../../electron/hedge/hedge-run.ts';
import { TRANSFER } from '../../electron/hedge/moved-tokens.ts';
import { trySwap } from '../../electron/hedge/venues/market/try-swap.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const topic = (account: Address): Hex => `0x${account.slice(2).padStart(64, '0')}`;
const [MAKER, ROUTER, WETH, USDC, WBTC] = ['1', '2', 'a', 'b', 'c'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const transfer = (token: Address, from: Address, to: Address, amount: bigint) => ({
  address: token,
  topics: [TRANSFER, topic(from), topic(to)],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
});

/** What is said of a swap of 100 WETH for at least 300 USDC, where the node says that it would leave these logs. */
function tried(...logs: ReturnType<typeof transfer>[]) {
  const result = [{ calls: [{ status: '0x1', gasUsed: '0x5208', logs }] }];
  const chain = { node: { ask: async () => [{ ok: true, result }] } } as unknown as HedgeNode;
  const swap = { owner: MAKER, receiver: MAKER, src: WETH, dest: USDC, least: 300n, most: 100n };
  return trySwap(chain, { to: ROUTER, data: '0x', value: 0n }, swap);
}

const sold = transfer(WETH, MAKER, ROUTER, 100n);
const bought = transfer(USDC, ROUTER, MAKER, 300n);

describe('a swap that was tried', () => {
  test('is what was agreed where it takes the one token and brings the other', async () => {
    expect(await tried(sold, bought)).toEqual({ gas: 21_000n, received: 300n });
    expect(await tried(sold, transfer(WBTC, ROUTER, USDC, 7n), bought)).toMatchObject({ received: 300n });
  });

  test.each([
    ['brings too little', /bring 299/, [sold, transfer(USDC, ROUTER, MAKER, 299n)]],
    ['takes too much', /take 101/, [transfer(WETH, MAKER, ROUTER, 101n), bought]],
    ['takes nothing of what is to be sold', /take nothing/, [bought]],
    ['takes another token', /take of 0xc{40} as well/, [sold, transfer(WBTC, MAKER, ROUTER, 1n), bought]],
    ['takes another token in its place', /take nothing/, [transfer(WBTC, MAKER, ROUTER, 50n), bought]],
  ])('and %s is refused', async (_, message, logs) => {
    await expect(tried(...logs)).rejects.toMatchObject({ code: 'would_fail', message });
  });
});

test('a node that does not know how to try it is asked for its gas alone; any other error of it is an error', async () => {
  const answering = (code: number) =>
    ({
      node: { rpcUrl: 'http://node', ask: async () => [{ ok: false, error: { code, message: 'no' } }] },
      client: { estimateGas: async () => 21_000n },
    }) as unknown as HedgeNode;
  const swap = { owner: MAKER, receiver: MAKER, src: WETH, dest: USDC, least: 300n, most: 100n };
  const ask = (code: number) => trySwap(answering(code), { to: ROUTER, data: '0x', value: 0n }, swap);
  for (const code of [-32_601, -32_004, -32_600, -32_603])
    expect(await ask(code)).toEqual({ gas: 21_000n, received: null });
  for (const code of [-38_026, -32_000, -32_005])
    await expect(ask(code)).rejects.toMatchObject({ code: 'node_refused' });
});

test('a price is signed on for as long as it is fresh, and not where our clock was set back behind it', () => {
  const at = (now: number, pricedAt: number) =>
    isFresh({ parts: { now: () => now } } as Parameters<typeof isFresh>[0], pricedAt);
  expect([at(5_000, 5_000), at(5_000 + FRESH_MS, 5_000), at(5_001 + FRESH_MS, 5_000)]).toEqual([true, true, false]);
  expect(at(4_999, 5_000)).toBe(false);
  expect(at(0, Number.POSITIVE_INFINITY)).toBe(true);
});
