import { expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../electron/contract/trading.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openControl } from '../../electron/practice/chain/preparation.ts';
import { openSender } from '../../electron/practice/chain/sender.ts';
import { openPracticeWorld } from './practice-world.ts';

const FIRST = 31337;
const SECOND = 31338;
const PAIR = 'WETH/USDC';
const reason = 'a test';
const ANYBODY = `0x${'77'.repeat(20)}` as const;

test.each([
  ['strict', 'empty'],
  ['spec', 'omit'],
] as const)(
  'in %s mode the service has nothing to complain about in a desk with deadSide %s that is worked on',
  async (mode, deadSide) => {
    const world = await openPracticeWorld(['--mode', mode, '--speed', '4', '--forgive-seconds', '1']);
    onTestFinished(world.close);
    const { client } = world;

    await client.trading.halt({ scope: {}, reason });
    for (const chainId of [FIRST, SECOND]) {
      // Its ladders follow the reference meanwhile.
      const { prices, ...before } = await world.chainOf(chainId);
      await client.settings.saveChain({ chain: { chainId, deadSide } });
      const { prices: after, ...kept } = await world.chainOf(chainId);
      expect([kept, Object.keys(after)]).toEqual([{ ...before, deadSide }, Object.keys(prices)]);
    }
    await client.trading.resume({ scope: {}, reason });
    await enabled();

    /** The service has polled it all since. */
    async function polled(): Promise<void> {
      const since = Date.now();
      await world.until(() => {
        for (const { at, status, fault } of Object.values(world.service(FIRST).endpoints)) {
          expect([at !== null && at > since, status, fault]).toEqual([true, 200, null]);
        }
      });
    }
    async function enabled(): Promise<void> {
      await world.until(() => {
        for (const chainId of [FIRST, SECOND]) {
          expect(world.service(chainId)).toMatchObject({ mode, enabled: true, why: null, socket: { connected: true } });
        }
      });
    }
    const off = (scope: Scope) => client.trading.halt({ scope, reason });
    const on = (scope: Scope) => client.trading.resume({ scope, reason });

    await off({ chainId: FIRST, pair: PAIR, side: 'bids' });
    await off({ chainId: FIRST, pair: 'LINK/USDC', side: 'asks' });
    await off({ chainId: FIRST, pair: 'DAI/USDC' });
    await client.blacklist.add({ chainId: FIRST, address: ANYBODY, reason });
    const token = await deployToken((await world.chainOf(FIRST)).rpcUrl);
    await client.listings.saveToken({
      chainId: FIRST,
      tokenId: 'UNI',
      token: { symbol: 'UNI', name: 'Uniswap', address: token, decimals: 18, type: 'ERC20' },
    });
    const definition = { base: 'UNI', quote: 'USDC', liquidityUSD: 1 };
    await client.listings.savePair({ chainId: FIRST, pair: 'UNI/USDC', definition });
    await polled();
    expect(world.service(FIRST).blacklist.map(({ address }) => address)).toContain(ANYBODY);
    await on({ chainId: FIRST, pair: PAIR, side: 'bids' });
    await on({ chainId: FIRST, pair: 'LINK/USDC', side: 'asks' });
    await on({ chainId: FIRST, pair: 'DAI/USDC' });

    await client.trading.halt({ scope: {}, reason });
    await world.until(() =>
      expect(world.service(FIRST)).toMatchObject({ enabled: false, socket: { connected: false } }),
    );
    await client.trading.resume({ scope: {}, reason });
    await enabled();
    const before = [await world.fills(FIRST), await world.fills(SECOND)];
    await world.until(async () => {
      expect(await world.fills(FIRST)).toBeGreaterThan(before[0] ?? 0);
      expect(await world.fills(SECOND)).toBeGreaterThan(before[1] ?? 0);
    });
    for (const chainId of [FIRST, SECOND]) {
      expect(world.service(chainId).complaints, world.desk.stderr()).toEqual({ count: 0, last: [] });
    }
    expect((await client.trading.status()).state).toBe('LIVE');
  },
);

async function deployToken(rpcUrl: string): Promise<`0x${string}`> {
  const deployer = openSender(rpcUrl, `0x${'55'.repeat(32)}`, FIRST);
  await openControl(rpcUrl).setBalance({ address: deployer.address, value: 10n ** 20n });
  return deployer.deploy(TEST_TOKEN, ['Uniswap', 'UNI', 18]);
}
