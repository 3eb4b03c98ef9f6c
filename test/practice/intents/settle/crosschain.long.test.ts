import { createPublicClient, custom, encodeAbiParameters, http } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bridgeOutput, PRACTICE_BRIDGE } from '../../../../electron/practice/intents/bridge-lanes.ts';
import type { IntentStore } from '../../../../electron/practice/intents/intent-store.ts';
import type { Address } from '../../../../electron/protocol/address.ts';
import { BENEFICIARY, ETHER, type IntentFloor, openIntentFloor } from './intent-floor.ts';
import { openRelayFloor, PRICE, type RelayFloor } from './relay-floor.ts';

let here: IntentFloor;
let there: IntentFloor;
let relay: RelayFloor;
beforeAll(async () => {
  [here, there] = await Promise.all([openIntentFloor(31337), openIntentFloor(31338)]);
});
afterAll(async () => {
  await here?.close();
  await there?.close();
});
beforeEach(() => {
  relay = openRelayFloor([here, there]);
});
afterEach(() => relay?.close());

const FEE = 7n;

/** A sale of 1 WETH here for USDC on the other chain, over a bridge that keeps 7 raw units. */
function crossing(outputToken: Address = there.token('USDC'), changes = {}) {
  return here.order('Order', {
    bridge: {
      protocolSelector: PRACTICE_BRIDGE,
      destinationChainId: '31338',
      outputToken,
      scalingFactor: 0,
      protocolData: encodeAbiParameters([{ type: 'uint256' }], [FEE]),
    },
    ...changes,
  });
}

/** What changes for the owner and the bridge here, and for the beneficiary there. */
async function moves(deed: () => Promise<unknown>) {
  let arrived: bigint[] = [];
  const { owner, addresses } = here;
  const of = [
    ['WETH', owner.address],
    ['USDC', owner.address],
    ['USDC', addresses.escrow],
  ] as const;
  const [weth, usdc, locked] = await here.changes(of, async () => {
    arrived = await there.changes([['USDC', BENEFICIARY]], deed);
  });
  return { weth, usdc, locked, arrived: arrived[0] };
}

test('a crosschain order is settled here, paid there, and completed with both transactions', async () => {
  const { id } = relay.submit(await crossing());
  const moved = await moves(async () => {
    const { transactions, output, refunds } = await relay.reaches(id, 'COMPLETED');
    expect(transactions).toMatchObject([
      { filledPercent: 100, spentAmount: `${ETHER}`, receivedAmount: `${PRICE - FEE}` },
    ]);
    const [{ originTx = '0x', destinationTx = null } = {}] = transactions;
    expect((await here.chain.client.getTransactionReceipt({ hash: originTx as `0x${string}` })).status).toBe('success');
    expect((await there.chain.client.getTransactionReceipt({ hash: destinationTx as `0x${string}` })).status).toBe(
      'success',
    );
    expect(output).toMatchObject({ chainId: 31338, executedAmount: `${PRICE - FEE}` });
    expect(refunds).toEqual([]);
  });
  expect(moved).toEqual({ weth: -ETHER, usdc: 0n, locked: PRICE, arrived: PRICE - FEE });
  expect(relay.life(id)).toEqual(['ACTIVE', 'BRIDGING', 'COMPLETED']);
});

test('what arrives is counted in the decimals of the other token, rounded down, as the bridge counts it', async () => {
  const scaled = { fee: FEE, scalingFactor: -3 };
  const expected = bridgeOutput(PRICE, scaled);
  const bridge = {
    protocolSelector: PRACTICE_BRIDGE,
    destinationChainId: '31338',
    outputToken: there.token('USDC'),
    scalingFactor: -3,
    protocolData: encodeAbiParameters([{ type: 'uint256' }], [FEE]),
  };
  const { id } = relay.submit(await crossing(undefined, { bridge }));
  expect((await moves(() => relay.reaches(id, 'COMPLETED'))).arrived).toBe(expected);
  expect(expected).toBe(3_099_999n);
  expect(bridgeOutput(5n, { fee: 0n, scalingFactor: 12 })).toBe(5_000_000_000_000n);
  expect(bridgeOutput(FEE, scaled)).toBeNull();
});

test('while the bridge is down nothing arrives; for too long, and the owner has it back, with the refund’s transaction', async () => {
  relay.bridgeDown.on = true;
  await relay.restart(() => ({ timing: { auctionMs: 7, retryMs: 10, pollMs: 5, bridgeMs: 0, patienceMs: 60_000 } }));
  const { id } = relay.submit(await crossing());
  const patient = relay.submit(await crossing());
  const moved = await moves(async () => {
    await relay.reaches(id, 'BRIDGING');
    await relay.reaches(patient.id, 'BRIDGING');
    relay.bridgeDown.on = false;
    await relay.reaches(patient.id, 'COMPLETED');
    await relay.reaches(id, 'COMPLETED');
  });
  expect(moved.arrived).toBe(2n * (PRICE - FEE));

  relay.bridgeDown.on = true;
  await relay.restart();
  const late = relay.submit(await crossing());
  const back = await moves(async () => {
    const { refunds, transactions } = await relay.reaches(late.id, 'REFUNDED');
    expect(refunds).toEqual([
      { tx: expect.stringMatching(/^0x[0-9a-f]{64}$/), chainId: 31337, token: here.token('USDC'), amount: `${PRICE}` },
    ]);
    const receipt = await here.chain.client.getTransactionReceipt({ hash: refunds[0]?.tx as `0x${string}` });
    expect(receipt.status).toBe('success');
    expect(transactions).toMatchObject([{ destinationTx: null, receivedAmount: '0' }]);
  });
  expect(back).toEqual({ weth: -ETHER, usdc: PRICE, locked: 0n, arrived: 0n });
  expect(relay.life(late.id)).toEqual(['ACTIVE', 'BRIDGING', 'REFUNDING', 'REFUNDED']);
});

test('a clock that is set back keeps nothing in the bridge for longer', async () => {
  let shift = 0;
  const timing = { auctionMs: 7, retryMs: 10, pollMs: 5, bridgeMs: 200, patienceMs: 60_000 };
  await relay.restart(() => ({ timing, now: () => Date.now() + shift }));
  const { id } = relay.submit(await crossing());
  await relay.reaches(id, 'BRIDGING');
  shift = -86_400_000;
  await relay.reaches(id, 'COMPLETED');
});

test('what the other end cannot pay goes back to the owner', async () => {
  const { id } = relay.submit(await crossing(`0x${'77'.repeat(20)}`));
  const moved = await moves(() => relay.reaches(id, 'REFUNDED'));
  expect(moved).toEqual({ weth: -ETHER, usdc: PRICE, locked: 0n, arrived: 0n });
});

test('a payment that the other chain takes back is made again', async () => {
  const { id } = relay.submit(await crossing());
  const moved = await moves(async () => {
    const { output } = await relay.reaches(id, 'COMPLETED');
    await there.reorg(1);
    const again = ['ACTIVE', 'BRIDGING', 'COMPLETED', 'BRIDGING', 'COMPLETED'];
    await expect.poll(() => relay.life(id)).toEqual(again);
    const row = relay.row(id);
    expect(row).toMatchObject({ output, refunds: [], transactions: [{ receivedAmount: `${PRICE - FEE}` }] });
    const hash = row.transactions[0]?.destinationTx ?? '0x';
    expect((await there.chain.client.getTransactionReceipt({ hash })).status).toBe('success');
  });
  expect(moved).toEqual({ weth: -ETHER, usdc: 0n, locked: PRICE, arrived: PRICE - FEE });
});

test('a way back that the chain takes back is gone again', async () => {
  relay.bridgeDown.on = true;
  const { id } = relay.submit(await crossing());
  const moved = await moves(async () => {
    await relay.reaches(id, 'REFUNDED');
    await here.reorg(1);
    const again = ['ACTIVE', 'BRIDGING', 'REFUNDING', 'REFUNDED', 'REFUNDING', 'REFUNDED'];
    await expect.poll(() => relay.life(id)).toEqual(again);
    const [{ tx = '0x' } = {}, ...more] = relay.row(id).refunds;
    expect(more).toEqual([]);
    expect((await here.chain.client.getTransactionReceipt({ hash: tx as `0x${string}` })).status).toBe('success');
  });
  expect(moved).toEqual({ weth: -ETHER, usdc: PRICE, locked: 0n, arrived: 0n });
});

/** Both chains and the store as a relayer has them that is killed right after it has written so often to any of them. */
function killedAfter(writes: number, store: IntentStore) {
  let left = writes;
  const wrote = () => {
    left -= 1;
    if (left <= 0) throw new Error('killed');
  };
  const chains = [here, there].map((floor) => {
    const inner = http(floor.rpcUrl, { retryCount: 0 })({});
    async function request({ method, params }: { method: string; params: unknown }) {
      if (left <= 0) throw new Error('killed');
      const answer = await inner.request({ method, params });
      if (method === 'eth_sendRawTransaction') wrote();
      return answer;
    }
    const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 });
    return { ...floor, chain: { ...floor.chain, client } };
  });
  const update: IntentStore['update'] = (id, patch) => {
    if (left <= 0) throw new Error('killed');
    const row = store.update(id, patch);
    wrote();
    return row;
  };
  return { isDead: () => left <= 0, changes: { chains, store: { ...store, update } } };
}

test.each([
  ['arrives', false, 'COMPLETED', { usdc: 0n, locked: PRICE, arrived: PRICE - FEE }],
  ['comes back', true, 'REFUNDED', { usdc: PRICE, locked: 0n, arrived: 0n }],
] as const)(
  'killed after any write to disk or chain, an order that %s is settled once by the next relayer',
  async (_, down, end, expected) => {
    relay.bridgeDown.on = down;
    for (let writes = 1, survived = false; !survived; writes++) {
      const moved = await moves(async () => {
        let isDead = () => false;
        await relay.restart((store) => {
          const killed = killedAfter(writes, store);
          isDead = killed.isDead;
          return killed.changes;
        });
        const { id } = relay.submit(await crossing());
        await expect.poll(() => isDead() || relay.row(id).status === end, { interval: 2 }).toBe(true);
        survived = !isDead();
        await relay.restart();
        const { transactions, refunds } = await relay.reaches(id, end);
        expect([transactions.length, refunds.length]).toEqual([1, down ? 1 : 0]);
      });
      expect(moved, `killed after write ${writes}`).toEqual({ weth: -ETHER, ...expected });
      if (survived) expect(writes).toBeGreaterThan(10);
    }
  },
);
