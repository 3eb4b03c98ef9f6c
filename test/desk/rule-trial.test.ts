import { expect, it, onTestFinished } from 'vitest';
import type { Protection } from '../../electron/contract/protections.ts';
import { PastReader } from '../../electron/desk/past-reader.ts';
import { CHAIN } from '../book/fixture.ts';
import { firm, openDesk, request } from '../quoting/open-desk.ts';

const RULE: Protection = {
  name: 'two',
  counts: 'signed',
  per: 'pair',
  windowSeconds: 60,
  limit: '2',
  freezeSeconds: 60,
};

it('a rule is tried over the last day beside the desk that trades, and trips as it does there', async () => {
  const desk = await openDesk({ desk: { protections: [RULE] } });
  const past = new PastReader(desk.folder);
  onTestFinished(() => past.close());
  for (let asked = 0; asked < 3; asked += 1) await firm(desk, request());
  await expect.poll(async () => (await desk.journal.read.trips(10)).length).toBe(1);
  const until = desk.now();
  const trial = async (rules: Protection[]) => {
    const question = { ask: 'trial', rules, since: until - 86_400_000, until } as const;
    for await (const tried of past.ask<'trial'>(question, undefined)) return tried;
    throw new Error('The thread gave no answer.');
  };
  const tried = await trial([RULE, { ...RULE, name: 'three', limit: '3' }]);
  const [live] = await desk.journal.read.trips(10);
  expect(tried.rules).toMatchObject([
    { trips: 1, first: { ...live, chainId: CHAIN, who: 'WETH/USDC' } },
    { trips: 0, first: null, peak: { used: '2' } },
  ]);
  expect((await trial([{ ...RULE, limit: '1' }])).notSigned.quotes).toBe(1);
});
