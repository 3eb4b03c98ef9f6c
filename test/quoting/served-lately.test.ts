import { expect, it } from 'vitest';
import type { Level } from '../../electron/protocol/wire.ts';
import { ServedLately } from '../../electron/quoting/served-lately.ts';
import { CHAIN } from '../book/fixture.ts';
import { ETHER, openDesk } from './open-desk.ts';

it('the depth of what was served is worked out once, and only when a request is over the depth, however many come', async () => {
  const desk = await openDesk();
  const pair = desk.book.chain(CHAIN)?.pairs.get('WETH/USDC');
  if (pair === undefined) throw new Error('the desk has no such pair');
  let prices = 0;
  const level: Level = ['3413', '2'];
  Object.defineProperty(level, 0, {
    get() {
      prices += 1;
      return '3413';
    },
  });
  const depths = new ServedLately(() => 0);
  depths.served(pair, 'asks', [level]);
  expect(prices).toBe(0);
  const reach = (amount: bigint) => depths.reach(pair, 'asks', { given: 'makerAmount', amount }, 0);
  expect(reach(2n * ETHER)).toBe((2n * ETHER * 101n) / 100n);
  const once = prices;
  for (let request = 0; request < 100; request += 1) expect(reach(2n * ETHER + 1n)).toBeNull();
  expect(prices).toBe(once);
});
