import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FillRow } from '../../electron/contract/quote-log.ts';
import { rightRecord } from './order-records.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';

const FIRST = 31337;
const SECOND = 31338;
const WAIT = 120_000;

let world: PracticeWorld;
beforeAll(async () => {
  world = await openPracticeWorld(['--speed', '4', '--forgive-seconds', '1']);
  await trades();
}, WAIT);
afterAll(() => world?.close(), WAIT);

/** Service and desk are well: the desk LIVE and open, the service routes to it, and something more is filled. */
async function trades(chainIds = [FIRST, SECOND]): Promise<void> {
  for (const chainId of chainIds) {
    const before = await world.fills(chainId);
    await world.until(() => expect(world.service(chainId)).toMatchObject({ enabled: true, why: null }));
    await world.until(async () => expect(await world.fills(chainId)).toBeGreaterThan(before));
  }
  const status = await world.client.trading.status();
  expect(status.state).toBe('LIVE');
}

function taker(chainId: number, habit: string) {
  const found = world
    .state()
    .takers.find((chain) => chain.chainId === chainId)
    ?.habits.find((row) => row.habit === habit);
  if (found === undefined) throw new Error(`nobody counts ${habit}`);
  return found;
}

function idOfFill({
  transactionHash,
  orderHash,
  makerAmount,
}: Pick<FillRow, 'transactionHash' | 'orderHash' | 'makerAmount'>) {
  return `${transactionHash} ${orderHash} ${makerAmount}`;
}

async function closures(chainId: number): Promise<unknown> {
  const { chains } = await world.client.trading.status();
  return chains.find((chain) => chain.chainId === chainId);
}

test('service down: it asks nothing and answers nobody, the desk stays LIVE; then it routes and fills again', async () => {
  await world.fault('service-down', true);
  await world.until(() => {
    for (const chainId of [FIRST, SECOND]) {
      expect(world.service(chainId)).toMatchObject({ enabled: false, why: 'the service is down' });
      expect(world.service(chainId).socket.connected).toBe(false);
    }
  });
  await expect(fetch(`${world.desk.ready.service}/reference/${FIRST}`)).rejects.toThrow();
  expect((await world.client.trading.status()).state).toBe('LIVE');
  await world.fault('service-down', true);
  await world.fault('service-down', false);
  await trades();
});

test('service slow: its answers come late, and it still trades', async () => {
  await world.fault('service-slow', true);
  const asked = performance.now();
  const answer = await fetch(`${world.desk.ready.service}/reference/${FIRST}`);
  expect([answer.status, performance.now() - asked > 2_400]).toEqual([200, true]);
  await trades([FIRST]);
  await world.fault('service-slow', false);
  await trades([FIRST]);
});

test.each([
  ['wrong-secret', /answers 401: X-AUTH-SIGNATURE/],
  ['clock-off', /answers 401: X-AUTH-TIMESTAMP is 45 s ahead/],
])('%s: every request is refused with 401 and the maker disabled; then it is enabled again', async (name, why) => {
  await world.fault(name, true);
  await world.until(() => {
    for (const chainId of [FIRST, SECOND]) {
      expect(world.service(chainId)).toMatchObject({ enabled: false, why: expect.stringMatching(why) });
    }
  });
  await world.fault(name, false);
  await trades();
});

// Before the faults that change the state of a chain: their end must not be taken back with the fills.
test('a reorganisation takes fills back: so does the ledger, and what was signed is live again', async () => {
  await world.fault('reorg', true, 20);
  await world.until(() => expect(world.desk.stderr()).toMatch(/Chain 31337 was reorganised/));
  await trades([FIRST]);
  // No fill stands in the ledger that is not on the chain, and none is missing.
  await world.until(async () => {
    const standing = (await world.ledger(FIRST)).filter((fill) => !fill.reverted);
    expect(standing.map(idOfFill).sort()).toEqual((await world.chainFills(FIRST)).map(idOfFill).sort());
  });
  const ledger = await world.ledger(FIRST);
  const takenBack = ledger.filter(({ reverted }) => reverted);
  expect(takenBack).not.toEqual([]);
  for (const { quoteSeq, orderHash } of takenBack) {
    const quote = await world.client.log.quote({ seq: quoteSeq ?? 0 });
    const again = ledger.filter((fill) => fill.orderHash === orderHash && !fill.reverted);
    expect(quote.filledMakerAmount).toBe(`${again.reduce((sum, fill) => sum + BigInt(fill.makerAmount), 0n)}`);
    if (again.length > 0) continue;
    expect(quote.state).toBe('live');
    const row = (await world.exposure(FIRST)).find(({ address }) => address === quote.makerAsset);
    expect(BigInt(row?.live ?? 0)).toBeGreaterThanOrEqual(BigInt(quote.makerAmount ?? 0));
    await world.until(async () => void (await rightRecord(world, quote)));
  }
});

test('allowance gone: nothing can be signed, so nothing is served; then the maker is backed again', async () => {
  await world.fault('allowance-gone', true);
  const filled = await world.fills(FIRST);
  await trades([SECOND]);
  await world.until(async () => {
    const rows = (await world.client.log.page({ filter: { chainId: FIRST }, limit: 1 })).rows;
    expect(rows[0] && Date.now() - Date.parse(rows[0].time) > 3_000).toBe(true);
  });
  expect((await world.fills(FIRST)) - filled).toBeLessThan(20);
  await world.fault('allowance-gone', false);
  await trades([FIRST]);
});

test('a token that takes a fee: transactions of its pairs revert and their quotes stay live, the others fill', async () => {
  await world.fault('fee-token', true);
  const since = Date.now();
  const { WETH: { address: weth = '' } = {} } = (await world.chainOf(FIRST)).tokens;
  const ofFeeToken = async () =>
    (await world.ledger(FIRST)).filter(({ makerAsset, takerAsset }) =>
      [makerAsset, takerAsset].includes(weth as never),
    );
  const reverted = () => taker(FIRST, 'retail').reverted;
  const [before, filled] = [reverted(), await ofFeeToken()];
  await trades();
  await world.until(async () => {
    expect(reverted()).toBeGreaterThan(before + 1);
    const { rows } = await world.client.log.page({ filter: { chainId: FIRST, pair: 'WETH/USDC', since }, limit: 100 });
    expect(rows.filter(({ state, filledMakerAmount }) => state === 'live' && filledMakerAmount === '0')).not.toEqual(
      [],
    );
    const row = (await world.exposure(FIRST)).find(({ tokenId }) => tokenId === 'WETH');
    expect(BigInt(row?.live ?? 0)).toBeGreaterThan(0n);
  });
  expect((await ofFeeToken()).filter(({ time }) => time > since + 1_000)).toEqual([]);
  expect((await closures(FIRST)) as object).toMatchObject({ state: 'LIVE', closed: null });
  await world.fault('fee-token', false);
  await trades([FIRST]);
  await world.until(async () => expect((await ofFeeToken()).length).toBeGreaterThan(filled.length));
});

test('base fee: quotes are signed and none is filled; then they are again', async () => {
  await world.fault('base-fee', true);
  await world.until(async () => {
    const before = await world.fills(FIRST);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await world.fills(FIRST)).toBe(before);
  });
  expect(world.service(FIRST).enabled).toBe(true);
  await world.fault('base-fee', false);
  await trades([FIRST]);
});

test('node down: its chain closes as unseen, the other goes on; then it is back with its state', async () => {
  const before = await world.fills(FIRST);
  await world.fault('node-down', true);
  await world.until(async () => expect(JSON.stringify(await closures(FIRST))).toContain('chain_unseen'), 90_000);
  await world.until(() => expect(world.service(FIRST).enabled).toBe(false));
  await trades([SECOND]);
  await world.fault('node-down', false);
  await trades([FIRST]);
  expect(await world.fills(FIRST)).toBeGreaterThan(before);
  expect(world.state().faults.filter(({ on }) => on)).toEqual([]);
});
