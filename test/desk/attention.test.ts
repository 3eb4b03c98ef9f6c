import { expect, test } from 'vitest';
import { AccountTurns } from '../../electron/chain/account-turns.ts';
import { EmergencyCalls } from '../../electron/chain/emergency-calls.ts';
import { attentionOf } from '../../electron/desk/attention.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { RepeatedRefusals } from '../../electron/desk/repeated-refusals.ts';
import type { HedgeOpened } from '../../electron/journal/hedges/events.ts';
import { openedHedge } from '../../electron/journal/hedges/fold.ts';
import { CHAIN } from '../book/fixture.ts';
import { opened } from '../journal/hedge-events.ts';
import { type OpenDesk, openDesk } from '../quoting/open-desk.ts';
import { alertsOf, QUIET_OUTSIDE, QUIET_REFERENCE } from './alerts-of.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const REFERENCE = { chain: { referenceUrl: 'http://127.0.0.1:1/reference', follow: [PAIR] } };

/** What a person is told of a desk, with its reference and its polls in some state. */
function told(
  desk: OpenDesk,
  { reference = QUIET_REFERENCE, heartbeats = new Heartbeats(), fault = null as string | null } = {},
): { level: string; code: string; title: string; detail: string }[] {
  const refusals = new RepeatedRefusals({ journal: desk.journal, now: () => desk.now() });
  const takers = { of: () => ({ fetchedAt: null, fault, named: [], looks: new Map() }) };
  return alertsOf(desk, { references: { of: () => reference, silent: () => [] }, takers, refusals }, heartbeats);
}

type All = Parameters<typeof attentionOf>[0];

/** Everything that needs attention on a desk that nothing comes to from outside. */
function allOf(
  { book, guard, journal, now }: OpenDesk,
  { accounts = new AccountTurns(), hedging = null }: Partial<Pick<All['rooms'], 'accounts'> & Pick<All, 'hedging'>>,
) {
  return attentionOf({
    rooms: { book, guard, now, journal, accounts },
    outside: { ...QUIET_OUTSIDE, restrictions: { list: () => [] } },
    watched: { view: () => undefined, otherGenesis: () => null },
    heartbeats: new Heartbeats(),
    checks: null,
    hedging,
    quoter: null,
    practice: null,
  });
}

/** A poll of /prices some seconds ago. */
function poll(desk: OpenDesk, secondsAgo: number, skewMs: number, status = 200): Heartbeats {
  const heartbeats = new Heartbeats();
  const at = desk.now() - secondsAgo * 1_000;
  heartbeats.record({ chainId: CHAIN, endpoint: 'prices', at, by: 'desk.example', status, skewMs });
  return heartbeats;
}

const hear = (desk: OpenDesk, pairs: string[], heldBack: string | null = null) =>
  desk.book.references.record(
    CHAIN,
    new Map(pairs.map((pair) => [pair, { mid: pair === PAIR ? '3412.75' : '1', time: desk.now(), heldBack }])),
  );

test('a service that stopped polling a desk that is LIVE is named with its last poll; a halted desk waits for nobody', async () => {
  const desk = await openDesk();
  expect(told(desk, { heartbeats: poll(desk, 3, 0) })).toEqual([]);
  desk.clock.ahead += 15_000;
  const [unpolled] = told(desk, { heartbeats: poll(desk, 12, 0) });
  expect(unpolled).toMatchObject({ level: 'look', title: 'The service does not poll /prices of Practice' });
  expect(unpolled?.detail).toMatch(/at \d\d:\d\d:\d\d UTC, by desk.example, answered 200/);
  expect(told(desk)[0]?.detail).toContain('Nobody has asked for them yet.');
  await desk.guard.trading.halt({}, { actor: 'mara' });
  expect(told(desk)).toEqual([]);
});

test.each([
  [45_000, 'stop', 'The service’s clock is 45 s ahead on Practice'],
  [-31_000, 'stop', 'The service’s clock is 31 s behind on Practice'],
  [12_000, 'look', 'The service’s clock is 12 s ahead on Practice'],
])('a clock that is %i ms off is told', async (skewMs, level, title) => {
  const desk = await openDesk();
  expect(told(desk, { heartbeats: poll(desk, 0, skewMs, skewMs === 12_000 ? 200 : 401) })).toMatchObject([
    { level, title },
  ]);
});

test('what an emergency signed and no receipt came for within a minute is told until it is done', async () => {
  const desk = await openDesk();
  const { clock } = desk;
  const accounts = new AccountTurns(new EmergencyCalls(null, desk.now));
  const open = () => allOf(desk, { accounts }).filter(({ code }) => code.startsWith('emergency'));
  const account = `0x${'11'.repeat(20)}` as const;
  const call = { purpose: 'cancel 3 orders', to: account, data: '0x01' } as const;
  await accounts.emergencies.signed({ chainId: CHAIN, account, nonce: 4 }, call, { hash: '0xaa', raw: '0xbb' });
  clock.ahead += 60_000;
  expect(open()).toEqual([]);
  clock.ahead += 1_000;
  expect(open()).toMatchObject([
    {
      level: 'stop',
      title: '1 emergency transaction of Practice not carried out yet',
      detail: expect.stringContaining('cancel 3 orders: signed at '),
    },
  ]);
  accounts.emergencies.ended('0xaa');
  expect(open()).toEqual([]);
});

test('a reference in disorder is told with its own words, and with what it closes', async () => {
  const desk = await openDesk(REFERENCE);
  const heartbeats = poll(desk, 0, 0);
  const broken = { ...QUIET_REFERENCE, fault: 'The reference answered with something that is not JSON: <html>.' };
  expect(told(desk, { heartbeats, reference: broken })).toMatchObject([
    { level: 'stop', detail: expect.stringMatching(/<html>.*closed until it answers/) },
  ]);
  hear(desk, [PAIR, OTHER]);
  expect(told(desk, { heartbeats, reference: broken })).toMatchObject([{ level: 'look' }]);
  expect(told(desk, { heartbeats })).toEqual([]);
});

test('one pair without a price is told alone, with the reason', async () => {
  const desk = await openDesk(REFERENCE);
  const heartbeats = poll(desk, 0, 0);
  hear(desk, [PAIR]);
  const reference = { ...QUIET_REFERENCE, pairFaults: new Map([[OTHER, 'mid is zero']]) };
  expect(told(desk, { heartbeats, reference })).toMatchObject([
    { level: 'stop', title: `${OTHER} is closed: the reference has no price for it`, detail: `${OTHER}: mid is zero.` },
  ]);
});

test('a pair that waits for a person is a note, one that is held back a stop, told once', async () => {
  const desk = await openDesk(REFERENCE);
  const heartbeats = poll(desk, 0, 0);
  hear(desk, [PAIR, OTHER]);
  const waits = new Map([[PAIR, { kind: 'waits' as const, sentence: 'its draft was changed by mara' }]]);
  expect(told(desk, { heartbeats, reference: { ...QUIET_REFERENCE, followers: waits } })).toMatchObject([
    { level: 'note', title: `${PAIR} does not follow the reference`, detail: 'Its draft was changed by mara.' },
  ]);
  const held = new Map([[PAIR, { kind: 'held' as const, sentence: 'the reference is too far away' }]]);
  hear(desk, [PAIR], 'the reference is too far away');
  expect(told(desk, { heartbeats, reference: { ...QUIET_REFERENCE, followers: held } })).toMatchObject([
    { level: 'stop', detail: expect.stringContaining('too far away') },
  ]);
});

test('takers that could not be fetched are a note that says what is in force', async () => {
  const desk = await openDesk();
  const heartbeats = poll(desk, 0, 0);
  expect(told(desk, { heartbeats, fault: 'The service does not answer.' })).toMatchObject([
    { level: 'note', detail: 'The service does not answer. No list is in force.' },
  ]);
});

test('prices of an engine that stand off the reference, or were taken over and grew old, are told as an engine’s', async () => {
  const desk = await openDesk(REFERENCE);
  hear(desk, [PAIR, OTHER]);
  await desk.book.pushed.push('alpha', CHAIN, { sequence: 1, mids: { [PAIR]: '3420' } });
  const heartbeats = () => poll(desk, 0, 0);
  const [off] = told(desk, { heartbeats: heartbeats() });
  expect(off).toMatchObject({ level: 'stop', title: expect.stringContaining('over the reference') });
  expect(off?.detail).toMatch(/come from the engine with the token alpha\. Bids are closed.*take it over and publish/);
  await desk.book.setHand({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
  desk.clock.ahead += 6_000;
  hear(desk, [PAIR, OTHER]);
  const titles = told(desk, { heartbeats: heartbeats() }).map(({ title }) => title);
  expect(titles).toContain(`${PAIR} is closed: it was taken over from its engine, and nobody has published it`);
});

test('a pair that is hedged by itself in parts is told as that, and not as one that is not hedged', async () => {
  const desk = await openDesk();
  const titleOf = (kind: 'stopped' | 'refused' | 'in_parts') => {
    const alert = { chainId: CHAIN, pair: PAIR, kind, sentence: 'It began to sell 12 WETH (market).' };
    const found = allOf(desk, { hedging: { auto: { alerts: () => [alert] }, engine: { log: { all: () => [] } } } });
    return found.find(({ code }) => code.startsWith('hedge '))?.title;
  };
  expect(titleOf('in_parts')).toBe(`${PAIR} is hedged in parts`);
  expect(titleOf('refused')).toBe(`${PAIR} is not hedged automatically`);
  expect(titleOf('stopped')).toBe(`Automatic hedging of ${PAIR} is switched off`);
});

test('a hedge of which nobody can tell what became is an alert some minutes after its deadline, and not before', async () => {
  const desk = await openDesk();
  const { body } = opened([], { deadline: Math.floor(desk.now() / 1_000) });
  const note = 'No chain confirms yet what the service says: it was filled.';
  const hedge = { ...openedHedge(7, desk.now(), 'trader', body as HedgeOpened), state: 'submitted' as const, note };
  const hedging = { auto: { alerts: () => [] }, engine: { log: { all: () => [hedge] } } };
  const overdue = () => allOf(desk, { hedging }).filter(({ code }) => code === 'overdue hedge 7');
  expect(overdue()).toEqual([]);
  desk.clock.ahead += 601_000;
  const title = 'Hedge 7 of WETH/USDC is past its deadline and not over';
  expect(overdue()).toMatchObject([{ title, detail: expect.stringMatching(/^No chain confirms .* give it up/) }]);
});

test('a pair that is switched off is told as one, and the quotes of a side as several', async () => {
  const desk = await openDesk();
  const by = { actor: 'mara', reason: 'short' };
  await desk.guard.trading.halt({ chainId: CHAIN, pair: OTHER }, by);
  await desk.guard.trading.halt({ chainId: CHAIN, pair: PAIR, side: 'bids' }, by);
  const titles = allOf(desk, {}).map(({ title }) => title);
  expect(titles).toContainEqual(expect.stringMatching(`^${OTHER} is switched off on `));
  expect(titles).toContainEqual(expect.stringMatching(`^${PAIR} bids are switched off on `));
});
