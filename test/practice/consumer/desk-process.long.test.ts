import { BigNumber } from 'bignumber.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectedAmount } from '../../../electron/practice/consumer/expected-amount.ts';
import type { ConsumerMode, FirmAsk, MakerConsumer } from '../../../electron/practice/consumer/maker-consumer.ts';
import { startTestChain, type TestChain } from '../../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../../desk/desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk } from '../../desk/desk-process.ts';
import { consumerOf } from './open-test-consumer.ts';

const PAIR = 'WETH/USDC';
const DESKS: { mode: ConsumerMode; deadSide: 'empty' | 'omit'; maker: 'key' | 'contract' }[] = [
  { mode: 'strict', deadSide: 'empty', maker: 'key' },
  { mode: 'spec', deadSide: 'omit', maker: 'contract' },
];

describe.each(DESKS)('in $mode mode a desk with deadSide $deadSide whose maker is a $maker', (kind) => {
  let chain: TestChain;
  let folder: { folder: string; remove(): void };
  let desk: RunningDesk;
  let made: ReturnType<typeof consumerOf>;

  beforeEach(async () => {
    chain = await startTestChain({ blockTimeSeconds: 1 });
    const maker = kind.maker === 'contract' ? { maker: chain.contractMaker } : {};
    const file = deskFileFor(chain, { deadSide: kind.deadSide, ...maker });
    const { domain = '', accessKey = '', secretKey = '' } = file.counterparties[0] ?? {};
    folder = await armedFolder(chain, file);
    desk = await startDesk(folder.folder, 'serve');
    const { client, chainId, domainName, rfqContract, executor } = chain;
    made = consumerOf(desk.ready.surface, {
      mode: kind.mode,
      chain: { chainId, name: 'Test', basePath: '/31337', domainName, rfqContract, takers: [executor], client },
      surface: { surfaceUrls: [desk.ready.surface], counterparty: { domain, accessKey, secretKey } },
      now: Date.now,
      intervals: { restrictFor: 900_000, pricesEvery: 50, restEvery: 100 },
    });
  });
  afterEach(async () => {
    await made?.consumer.close();
    await desk?.stop();
    folder?.remove();
    await chain?.close();
  });

  const command = async (...args: string[]) => {
    const { code, stderr } = await runCommand(folder.folder, args);
    expect(code, stderr).toBe(0);
  };

  test('gives nothing to complain about: firm quotes of all four kinds, a pair off and on, a halt and a resume', async () => {
    const { consumer, complaints, untilEnabled, untilDisabled, until, orders } = made;
    await untilEnabled();
    const hashes = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      for (const direction of ['sell', 'buy'] as const) {
        for (const exact of ['in', 'out'] as const) {
          await untilEnabled(); // prices are stale after a second, also where the machine stood still
          const outcome = await consumer.firm(askOf(consumer, direction, exact, chain), new AbortController().signal);
          if (outcome.kind !== 'order') throw new Error(`${JSON.stringify(outcome)}\n${desk.stderr()}`);
          hashes.add(outcome.hash);
        }
      }
    }
    expect(hashes.size).toBe(12);
    expect(orders).toHaveLength(12);

    await command('halt', '--chain', '31337', '--pair', PAIR, '--reason', 'a test');
    await until(() => expect(consumer.cached()).toBeNull());
    expect(consumer.status().enabled).toBe(true);
    await command('resume', '--chain', '31337', '--pair', PAIR, '--reason', 'a test');
    await untilEnabled();

    await command('blacklist', 'add', chain.accounts.other.address, '--reason', 'a test');
    await until(() => expect(consumer.cached()?.blacklist.has(chain.accounts.other.address)).toBe(true));

    await command('halt', '--reason', 'a test');
    await untilDisabled();
    await until(() => expect(consumer.status().socket.why).toMatch(/refused with 503/));
    expect(consumer.status().why).toMatch(/^\/prices answers 503: /);
    await command('resume', '--reason', 'a test');
    await untilEnabled();
    await until(() => expect(consumer.status().socket.connected).toBe(true));
    expect(complaints()).toEqual([]);
    expect(consumer.status()).toMatchObject({ restrictions: [], complaints: { count: 0 } });
  });
});

/** A quarter of a WETH, either way, named by what is given or by what is wanted, as the cached grid prices it. */
function askOf(consumer: MakerConsumer, direction: 'sell' | 'buy', exact: 'in' | 'out', chain: TestChain): FirmAsk {
  const cached = consumer.cached();
  const entry = cached?.prices[PAIR];
  const { WETH, USDC } = cached?.tokens ?? {};
  if (entry === undefined || WETH === undefined || USDC === undefined) throw new Error('nothing is cached');
  const token = (direction === 'sell') === (exact === 'in') ? 'base' : 'quote';
  const amount = new BigNumber(token === 'base' ? '0.25' : '850');
  const [named, other] = token === 'base' ? [WETH, USDC] : [USDC, WETH];
  const expected = expectedAmount(entry, { direction, token, amount }, other.decimals);
  if (expected === null) throw new Error('the grid is not deep enough');
  return {
    pairId: PAIR,
    makerToken: direction === 'sell' ? USDC : WETH,
    takerToken: direction === 'sell' ? WETH : USDC,
    exact,
    amount: BigInt(amount.shiftedBy(named.decimals).toFixed(0)),
    expected: BigInt(expected.shiftedBy(other.decimals).toFixed(0)),
    slippageBps: 1,
    userAddress: chain.accounts.user.address,
    takerAddress: chain.executor,
  };
}
