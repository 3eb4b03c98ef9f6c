import { expect, onTestFinished, test } from 'vitest';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN } from '../book/fixture.ts';
import { firm, noService, openDesk } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';
import { alertsOf } from './alerts-of.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const AGE_S = 600;
const COOL_DOWN_S = 300;
const silent = { info() {}, warn() {}, error() {} };

/** A desk whose pairs have a reference over HTTP that says of them what a test lets it say, or nothing. */
async function opened() {
  const said = new Map([
    [PAIR, '3412.75'],
    [OTHER, '1'],
  ]);
  const reference = await answering((request, response) => {
    const prices = Object.fromEntries([...said].map(([pair, mid]) => [pair, { mid, time: now() }]));
    json({ prices })(request, response);
  });
  const desk = await openDesk({
    chain: {
      referenceUrl: reference.url,
      referenceMaxAgeSeconds: AGE_S,
      referenceCoolDownSeconds: COOL_DOWN_S,
      headMaxAgeSeconds: 3_600,
    },
  });
  const now = desk.now;
  const polls = new ReferencePolls({ ...desk, now, log: silent as never, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const heard = (pair: string) => desk.book.references.of(CHAIN, pair);
  /** So much later, and what the reference says then was heard. */
  const later = async (seconds: number) => {
    desk.clock.ahead += seconds * 1_000;
    desk.chain.view = { ...desk.chain.view, seenAt: now() } as typeof desk.chain.view;
    const since = now();
    for (const pair of said.keys()) await expect.poll(() => heard(pair)?.time).toBeGreaterThanOrEqual(since);
  };
  return { desk, said, now, polls, heard, later };
}

test('a pair whose reference was too old is dark until it has been fresh for a while, and the desk says until when', async () => {
  const { desk, said, now, polls, heard, later } = await opened();
  const told = () => alertsOf(desk, { references: polls });
  const titles = () => told().map(({ title }) => title);
  const lit = () => {
    desk.quoter.tick();
    const { prices } = desk.quoter.served(CHAIN);
    return Object.keys(prices).filter((pair) => prices[pair]?.asks !== undefined);
  };

  await later(0);
  expect(lit()).toEqual([PAIR, OTHER]);
  expect((await firm(desk)).status).toBe(200);

  // The reference leaves the pair out for longer than its price is good for.
  said.delete(PAIR);
  await later(AGE_S - 100);
  await later(101);
  expect(lit()).toEqual([OTHER]);
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
  expect(titles()).toContain(`${PAIR} is closed: the reference has no price for it`);

  said.set(PAIR, '3412.75');
  await later(1);
  const until = heard(PAIR)?.waitsUntil;
  expect(until).toBeGreaterThan(now() + (COOL_DOWN_S - 100) * 1_000);
  expect(heard(PAIR)?.heldBack).toMatch(/^it was too old; the pair is quoted again at \d\d:\d\d:\d\d UTC/);
  expect(lit()).toEqual([OTHER]);
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
  const row = told().find(({ title }) => title === `${PAIR} is not quoted yet: the reference was too old`);
  expect(row?.detail).toMatch(/has to be so for 300 s .*WETH\/USDC at \d\d:\d\d:\d\d UTC\.$/);
  expect(titles()).not.toContain(`${PAIR} is closed: the reference has no price for it`);

  await later(COOL_DOWN_S - 150);
  expect(heard(PAIR)?.waitsUntil).toBe(until);
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });

  await later(200);
  expect(heard(PAIR)).not.toHaveProperty('waitsUntil');
  expect(lit()).toEqual([PAIR, OTHER]);
  expect((await firm(desk)).status).toBe(200);
  expect(titles()).not.toContain(`${PAIR} is not quoted yet: the reference was too old`);
});

test('a pair waits just as long where the first word after the silence of its reference is not believed', async () => {
  const { desk, said, now, heard, later } = await opened();
  await later(0);
  said.delete(PAIR);
  await later(AGE_S + 1);
  said.set(PAIR, '4500');
  await later(1);
  const saidAgain = now();
  expect(heard(PAIR)).toMatchObject({ mid: '4500', fenced: true });
  said.set(PAIR, '3412.75');
  await later(1);
  await expect.poll(() => heard(PAIR)?.fenced).toBeUndefined();
  expect(heard(PAIR)?.waitsUntil, 'from the first fresh word on').toBe(saidAgain + COOL_DOWN_S * 1_000);
  expect(heard(PAIR)?.heldBack).toMatch(/^it was too old; the pair is quoted again at/);
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
  await later(COOL_DOWN_S);
  await expect.poll(() => heard(PAIR)?.heldBack).toBeNull();
  expect((await firm(desk)).status).toBe(200);
});
