import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TEST_TOKEN, ZERO_FIRST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { type NodeProxy, openNodeProxy, type RpcCall } from '../chain/node-proxy.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const PATIENT = { interval: 30 };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeAll(async () => {
  market = await openIntentMarket();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, home);
  await allow(0n);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

/** The next block, and what is signed on it, costs this much a unit of gas. */
async function gas(gwei: bigint): Promise<void> {
  const { control } = market.floor;
  await control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * 10n ** 9n });
  await control.mine({ blocks: 1 });
}
/** A desk that pays little for gas, while gas is dear: it costs little again once the last hedge waits for that. */
async function whileDear(deed: (waits: (seq: number) => Promise<unknown>) => Promise<unknown>): Promise<void> {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { hedgeMostGwei: 50 } });
  await gas(400n);
  try {
    await deed((seq) =>
      vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/a hedge pays 50 at most/), PATIENT),
    );
  } finally {
    await gas(1n);
  }
}
const intents = () => market.floor.addresses.intents;
const allow = (amount: bigint) =>
  market.floor.call(market.floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [intents(), amount]);
const allowance = () =>
  market.floor.chain.client.readContract({
    abi: TEST_TOKEN.abi,
    address: market.token('WETH'),
    functionName: 'allowance',
    args: [desk.maker, intents()],
  });
/** While the token refuses to exchange one allowance for another. */
async function withZeroFirst(deed: () => Promise<void>): Promise<void> {
  const { control, owner, chain } = market.floor;
  const codeAt = (address: `0x${string}`) => chain.client.getCode({ address });
  const weth = market.token('WETH');
  const usual = (await codeAt(weth)) ?? '0x';
  const zeroFirst = await owner.deploy(ZERO_FIRST_TOKEN, ['Wrapped Ether', 'WETH', 18]);
  await control.setCode({ address: weth, bytecode: (await codeAt(zeroFirst)) ?? '0x' });
  try {
    await deed();
  } finally {
    await control.setCode({ address: weth, bytecode: usual });
  }
}
/** With a desk that asks its chain through this. */
async function behindProxy(deed: (node: NodeProxy) => Promise<void>): Promise<void> {
  const node = await openNodeProxy(() => market.floor.rpcUrl);
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { rpcUrl: node.url } });
  try {
    await deed(node);
  } finally {
    await desk.close();
    await node.down();
  }
}
const SELECTORS = { allowance: '0xdd62ed3e', approve: '0x095ea7b3' };
/** Whether this tries that function of a token. */
const calls = ({ method, params }: RpcCall, name: keyof typeof SELECTORS) =>
  method === 'eth_call' && (params[0] as { data?: string }).data?.startsWith(SELECTORS[name]) === true;
/** An order that is never filled, since it wants too much; of this amount. */
const limit = (amount: string) => desk.wish({ way: { mode: 'limit', limitAmount: '900000' }, ask: { amount } });

test('an allowance that is set for an order leaves room for those that run, and for what is left of them alone', async () => {
  const first = await desk.place(limit('2'));
  await desk.reached(first, 'submitted');
  expect(await allowance()).toBe(2n * ETHER);
  const second = await desk.place(limit('3'));
  await desk.reached(second, 'submitted');
  expect(await allowance(), 'both can be filled').toBe(5n * ETHER);
  const third = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '1' }, approval: 'permit' }));
  await desk.reached(third, 'submitted');
  const signed = (await desk.rooms.journal.read.hedgeSteps(third)).flatMap(({ step }) =>
    step.step === 'permit_signed' ? [step.amount] : [],
  );
  expect(signed, 'a permit sets the allowance anew as well').toEqual([`${6n * ETHER}`]);
});

test('an order that somebody gave up can still be taken, so that an allowance set for the next one leaves room for it', async () => {
  const first = await desk.place(limit('2'));
  await desk.reached(first, 'submitted');
  await desk.hedging.engine.giveUp(first, 'nobody knows', 'trader');
  const second = await desk.place(limit('3'));
  await desk.reached(second, 'submitted');
  expect(await allowance(), 'whichever comes first leaves the other').toBe(5n * ETHER);
});

test('while an order carries a permit that is not used, no other allowance undoes it: the next one is refused in a sentence', async () => {
  const permitted = { way: { mode: 'intent' as const }, approval: 'permit' as const };
  const first = await desk.place(desk.wish(permitted));
  await desk.reached(first, 'submitted');
  const second = await desk.place(desk.wish(permitted));
  expect((await desk.reached(second, 'failed')).note).toMatch(/carries a permit of WETH that is not used yet/);
  expect(await desk.steps(second)).not.toContain('permit_signed');
  // The router is another spender: its allowance is its own, and is set by a transaction.
  const market3 = await desk.place(desk.wish({ approval: 'permit', ask: { amount: '0.1' } }));
  await desk.reached(market3, 'done');
  expect(await desk.steps(market3)).not.toContain('permit_signed');
  await desk.hedging.engine.cancel(first, 'trader');
  await vi.waitFor(async () => expect((await desk.record(first)).cancel).toBe('asked'), PATIENT);
});

test('an allowance that waits for gas is planned anew when that costs less, with room for what was placed meanwhile', async () => {
  const placed: number[] = [];
  await whileDear(async (waits) => {
    for (const amount of ['10', '4']) {
      placed.push(await desk.place(limit(amount)));
      await waits(placed.at(-1) ?? 0);
    }
  });
  for (const seq of placed) await desk.reached(seq, 'submitted');
  expect(await allowance()).toBe(14n * ETHER);
});

test.each(['approve', 'permit'] as const)(
  'an allowance by %s that a halt held is planned anew once it goes on, and undoes nothing of what was signed meanwhile',
  async (approval) => {
    await desk.filled('bids', 20n * ETHER, 67_800n * 10n ** 6n);
    const { trading } = desk.rooms.guard;
    const price = market.client.get.bind(market.client);
    const halting = vi.spyOn(market.client, 'get').mockImplementation(async (question) => {
      await trading.halt({}, { actor: 'trader', reason: 'in the middle' });
      return price(question as never);
    });
    const permitted = desk.wish({ way: { mode: 'intent' }, ask: { amount: '10' }, approval });
    const first = await desk.place(approval === 'permit' ? permitted : limit('10'));
    await vi.waitFor(async () => expect((await desk.record(first)).held).toBe(true), PATIENT);
    halting.mockRestore();
    const second = await desk.place({ ...limit('4'), acceptCovered: true }, true);
    await desk.reached(second, 'submitted');
    expect(await allowance(), 'with room for the one that is held').toBe(14n * ETHER);
    await trading.resume({}, { actor: 'trader', reason: 'over' });
    await desk.reached(first, 'submitted');
    expect(await allowance()).toBe(14n * ETHER);
    for (const step of ['transaction_signed', 'permit_signed']) expect(await desk.steps(first)).not.toContain(step);
  },
);

test('a swap that waits for gas keeps its allowance, whatever others that pass take', async () => {
  const router = market.desk.chains[0]?.market.addresses.router;
  await market.floor.call(market.floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [router, ETHER]);
  const placed: number[] = [];
  await whileDear(async (waits) => {
    for (const amount of ['1', '0.5']) {
      placed.push(await desk.place(desk.wish({ ask: { amount } })));
      await waits(placed.at(-1) ?? 0);
    }
    expect(await Promise.all(placed.map(desk.steps))).toEqual([
      ['swap_built', 'swap_simulated', 'waiting'],
      ['waiting'],
    ]);
  });
  for (const seq of placed) await desk.reached(seq, 'done');
});

test('an allowance that somebody changed while its transaction was priced is planned anew, where the token refuses it by now', async () => {
  await behindProxy((node) =>
    withZeroFirst(async () => {
      node.hold = ([asked]) => {
        if (asked?.method !== 'eth_estimateGas') return undefined;
        node.hold = () => undefined;
        return allow(7n).then(() => undefined);
      };
      await desk.reached(await desk.place(limit('4')), 'submitted');
      expect(await allowance()).toBe(4n * ETHER);
    }),
  );
});

test('where the allowance is another one whenever it is read a refused approval is planned a few times, and ends the hedge', async () => {
  await behindProxy(async (node) => {
    const refused: RpcCall[] = [];
    node.answer = (asked) => {
      if (asked.method === 'eth_estimateGas') {
        refused.push(asked);
        return { error: { code: 3, message: 'execution reverted' } };
      }
      return calls(asked, 'allowance') ? { result: toHex(asked.id, { size: 32 }) } : undefined;
    };
    const ended = await desk.reached(await desk.place(limit('4')), 'failed');
    expect(ended).toMatchObject({ note: expect.stringMatching(/it would fail/), transactions: [] });
    expect(new Set(refused.map(({ id }) => id)).size).toBe(5);
  });
});

test('an allowance that is never shown as zero is set to zero a few times, and ends the hedge', async () => {
  await allow(7n);
  await behindProxy(async (node) => {
    node.answer = (asked) => {
      if (calls(asked, 'approve')) return { error: { code: 3, message: 'execution reverted' } };
      return calls(asked, 'allowance') ? { result: toHex(7, { size: 32 }) } : undefined;
    };
    const ended = await desk.reached(await desk.place(limit('4')), 'failed');
    expect(ended.note).toMatch(/^The chain shows an allowance of WETH however often it is set to zero/);
    expect(ended.transactions.map(({ purpose, outcome }) => [purpose, outcome])).toEqual(
      Array(4).fill(['approval', 'confirmed']),
    );
  });
});

test('an allowance that goes through zero is planned anew behind its zero, and undoes nothing of what was placed meanwhile', async () => {
  const { control } = market.floor;
  const placed: number[] = [];
  const signs = async (seq = 0) =>
    vi.waitFor(async () => expect(await desk.steps(seq)).toContain('transaction_signed'), PATIENT);
  await withZeroFirst(async () => {
    await allow(7n);
    await whileDear(async (waits) => {
      placed.push(await desk.place(limit('10')));
      await waits(placed[0] ?? 0);
      await control.setAutomine(false);
    });
    await signs(placed[0]);
    placed.push(await desk.place(limit('4')));
    // Two of them at once would each be reckoned without the other, and such a token refuses the second.
    const second = async () => (await desk.record(placed[1] ?? 0)).note;
    await vi.waitFor(async () => expect(await second()).toMatch(/^An allowance that another hedge sets/), PATIENT);
    expect(await desk.steps(placed[1] ?? 0)).not.toContain('transaction_signed');
    await control.setAutomine(true);
    await control.mine({ blocks: 1 });
    for (const seq of placed) await desk.reached(seq, 'submitted');
    expect(await allowance()).toBe(14n * ETHER);
  }).finally(() => control.setAutomine(true));
});

test('beside a hedge that waits with a permit another one of its token waits as well, and goes on once that is used', async () => {
  const router = market.desk.chains[0]?.market.addresses.router;
  await market.floor.call(market.floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [router, 0n]);
  const placed: number[] = [];
  await whileDear(async (waits) => {
    placed.push(await desk.place(desk.wish({ approval: 'permit', ask: { amount: '1' } })));
    await waits(placed[0] ?? 0);
    placed.push(await desk.place(desk.wish({ approval: 'permit', ask: { amount: '0.5' } })));
    await vi.waitFor(async () => {
      const { note } = await desk.record(placed[1] ?? 0);
      expect(note).toBe('Another hedge that waits carries a permit of WETH that is not used yet: it is waited for.');
    }, PATIENT);
  });
  for (const seq of placed) await desk.reached(seq, 'done');
});
