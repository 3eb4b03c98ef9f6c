import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultyInput } from '../../electron/book/faults.ts';
import { parseDesk } from '../../electron/book/parse-desk.ts';
import { priceMessageSchema, priceUpdateSchema } from '../../electron/contract/prices.ts';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { CHAIN, chain, deskFile } from '../book/fixture.ts';
import { feedServer } from '../book/sources/feed-server.ts';
import { firm, noService, type OpenDesk, openDesk, person } from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';
import { alertsOf } from './alerts-of.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const silent = { info() {}, warn() {}, error() {} };

/** A desk whose WETH/USDC has an HTTP source, a feed and an engine; DAI/USDC has no reference at all. */
async function heard(rule: Record<string, unknown>, settings: Record<string, unknown> = {}) {
  /** With `httpAt` the HTTP source repeats what it said then, Unix milliseconds. */
  const said = { http: '3412.75', feed: '3412.75', httpAt: 0 };
  const http = await answering((request, response) =>
    json({ prices: said.http === '' ? {} : { [PAIR]: { mid: said.http, time: said.httpAt || desk.now() } } })(
      request,
      response,
    ),
  );
  const feed = await feedServer();
  const desk: OpenDesk = await openDesk({
    chain: {
      sources: {
        web: { kind: 'http', url: http.url },
        feed: { kind: 'websocket', url: feed.url, pairs: { [PAIR]: { mid: 'mid', time: 'time' } } },
        engine: { kind: 'push', token: 'mm-1', pairs: [PAIR] },
      },
      references: { [PAIR]: { sources: ['web', 'feed'], ...rule } },
      referenceMaxAgeSeconds: 600,
      referenceCoolDownSeconds: 0,
      headMaxAgeSeconds: 3_600,
      ...settings,
    },
  });
  const ticking = setInterval(() => {
    if (said.feed !== '') feed.send(JSON.stringify({ mid: said.feed, time: desk.now() }));
  }, 50);
  onTestFinished(() => clearInterval(ticking));
  const polls = new ReferencePolls({ ...desk, log: silent as never, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const reference = () => desk.book.references.of(CHAIN, PAIR);
  const passes = (seconds: number) => {
    desk.clock.ahead += seconds * 1_000;
    desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
  };
  const told = () => alertsOf(desk, { references: polls });
  return { desk, said, feed, http, polls, reference, passes, told };
}

describe('a pair with several sources', () => {
  it('is closed while they are further apart than their limit, says which and with what figures, and opens by itself when they agree', async () => {
    const { desk, said, reference, told } = await heard({ rule: 'median', apartBps: 15 });
    await expect.poll(() => reference()?.heldBack).toBeNull();
    expect((await firm(desk)).status).toBe(200);
    said.feed = '3420';
    await expect.poll(() => reference()?.unsure).toBe('apart');
    const why = 'its sources are more than 15 bps apart: web says 3412.75, feed 3420';
    expect(reference()?.mid, 'what was last relied on').toBe('3412.75');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'sources_apart' });
    expect(desk.guard.status().chains[0]).toMatchObject({
      pairs: { [PAIR]: 'CLOSED', [OTHER]: 'LIVE' },
      closedPairs: { [PAIR]: { code: 'sources_apart', why: `${PAIR}: ${why}.` } },
    });
    desk.quoter.tick();
    expect(desk.quoter.served(CHAIN).prices[PAIR]).toEqual({});
    expect(desk.quoter.served(CHAIN).prices[OTHER]?.asks).toBeDefined();
    const row = told().find(({ title }) => title === `${PAIR} is closed: its sources are apart`);
    expect(row).toMatchObject({ level: 'stop', detail: expect.stringContaining('web says 3412.75, feed 3420') });
    said.feed = '3412.5';
    await expect.poll(() => reference()).toMatchObject({ mid: '3412.625', heldBack: null });
    expect((await firm(desk)).status).toBe(200);
    expect(told().map(({ title }) => title)).not.toContain(`${PAIR} is closed: its sources are apart`);
  });

  it('is sampled whenever its price moves, also while the older of its two words stands', async () => {
    const { desk, said, reference, passes } = await heard({ rule: 'median' });
    said.httpAt = desk.now();
    for (const [feed, mid] of [
      ['3414.75', '3413.75'],
      ['3416.75', '3414.75'],
    ] as const) {
      passes(1);
      said.feed = feed;
      await expect.poll(() => reference()?.mid).toBe(mid);
      await expect.poll(async () => (await desk.journal.read.referenceAt(CHAIN, PAIR, desk.now()))?.mid).toBe(mid);
    }
  });

  it('is sampled anew once it is believed again, also where both of its words are those of before', async () => {
    const { desk, said, reference, passes } = await heard({ rule: 'median', apartBps: 15 });
    const believed = async () => (await desk.journal.read.referenceAt(CHAIN, PAIR, desk.now()))?.mid ?? null;
    said.httpAt = desk.now();
    await expect.poll(believed).toBe('3412.75');
    passes(1);
    said.feed = '3420';
    await expect.poll(() => reference()?.unsure).toBe('apart');
    passes(1);
    await expect.poll(believed).toBeNull();
    said.feed = '3412.75';
    await expect.poll(() => reference()?.heldBack).toBeNull();
    await expect.poll(believed).toBe('3412.75');
  });

  it('stays closed until they have agreed for the time of the cool-down', async () => {
    const { desk, said, reference, passes } = await heard(
      { rule: 'median', apartBps: 15 },
      { referenceCoolDownSeconds: 30 },
    );
    await expect.poll(() => reference()?.heldBack).toBeNull();
    said.feed = '3420';
    await expect.poll(() => reference()?.unsure).toBe('apart');
    said.feed = '3412.75';
    await expect
      .poll(() => reference()?.heldBack)
      .toMatch(/^its sources were apart; the pair is quoted again at \d\d:\d\d:\d\d UTC if it stays fresh$/);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    passes(31);
    await expect.poll(() => reference()?.heldBack).toBeNull();
    expect((await firm(desk)).status).toBe(200);
  });

  it('is switched off by the desk where that is configured, and only a person resumes it', async () => {
    const { desk, said, reference } = await heard({ rule: 'median', apartBps: 15, whenApart: 'halts' });
    await expect.poll(() => reference()?.heldBack).toBeNull();
    said.feed = '3420';
    await expect.poll(() => desk.guard.trading.stateOf({ chainId: CHAIN, pair: PAIR })).toBe('HALTED');
    said.feed = '3412.75';
    await expect.poll(() => reference()?.heldBack).toBeNull();
    expect(await firm(desk)).toMatchObject({ code: 'pair_disabled' });
    const own = desk.guard.trading.states.own({ chainId: CHAIN, pair: PAIR });
    expect(own).toMatchObject({ actor: 'desk', cause: expect.stringContaining('feed 3420') });
    await desk.guard.trading.resume({ chainId: CHAIN, pair: PAIR }, person);
    expect((await firm(desk)).status).toBe(200);
  });

  it('takes the second source at once when the first falls silent, and is closed when fewer than are needed are fresh', async () => {
    const { desk, said, reference, passes, polls, told } = await heard({ rule: 'first', upToSeconds: 5 });
    await expect.poll(() => reference()?.mid).toBe('3412.75');
    said.http = '';
    said.feed = '3412.5';
    await expect.poll(() => polls.references(CHAIN)[0]?.sources[1]?.mid).toBe('3412.5');
    passes(6);
    await expect.poll(() => reference()).toMatchObject({ mid: '3412.5', heldBack: null });
    expect((await firm(desk)).status).toBe(200);
    expect(polls.references(CHAIN)[0]?.sources.map(({ name, use }) => [name, use])).toEqual([
      ['web', 'old'],
      ['feed', 'mid'],
    ]);
    said.feed = '';
    passes(6);
    await expect.poll(() => reference()?.unsure).toBe('few');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    expect(told().map(({ title }) => title)).toContain(`${PAIR} is closed: too few of its sources are fresh`);
  });

  it('goes on by the others when one of them lies, and the line of that one says what was wrong', async () => {
    const { desk, said, reference, polls, told, feed } = await heard({ rule: 'first' });
    await expect.poll(() => reference()?.mid).toBe('3412.75');
    said.feed = '-1';
    await expect
      .poll(() => polls.sources(CHAIN).find(({ name }) => name === 'feed')?.pairs[PAIR]?.fault)
      .toMatch(/^its mid must be/);
    for (const socket of feed.sockets) socket.close();
    await expect.poll(() => told().map(({ title }) => title)).toContain('The source feed of Practice cannot be heard');
    expect((await firm(desk)).status).toBe(200);
    const lines = polls.sources(CHAIN);
    expect(lines.map(({ name, kind }) => [name, kind])).toEqual([
      ['web', 'http'],
      ['feed', 'websocket'],
      ['engine', 'push'],
    ]);
    expect(lines[0]).toMatchObject({ fault: null, pairs: { [PAIR]: { price: { bid: '3412.75' }, fault: null } } });
  });

  it('hears what an engine pushes as its reference, which moves no ladder and counts no more once its sequence breaks off', async () => {
    const { desk, reference } = await heard({ sources: ['engine'], rule: 'first' });
    const { pushed } = desk.book;
    const push = (sequence: number, references: Record<string, unknown>) =>
      pushed.push('mm-1', CHAIN, { sequence, references });
    await expect.poll(async () => (await push(1, { [PAIR]: '3412.75' })).refused).toEqual({});
    await expect.poll(() => reference()).toMatchObject({ mid: '3412.75', heldBack: null });
    const before = desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision;
    const answer = await push(2, { [PAIR]: { bid: '3412', ask: '3414' }, [OTHER]: '1', 'NO/PAIR': '1' });
    expect(answer).toMatchObject({ revisions: { [PAIR]: before } });
    expect(answer.refused).toMatchObject({
      [OTHER]: { code: 'reference_faulty' },
      'NO/PAIR': { code: 'unknown_pair' },
    });
    await expect.poll(() => reference()?.mid).toBe('3413');
    expect((await push(3, { [PAIR]: { bid: '3415', ask: '3414' } })).refused[PAIR]).toEqual({
      code: 'reference_faulty',
      error: `${PAIR}: its bid 3415 is over its ask 3414.`,
    });
    expect((await firm(desk)).status).toBe(200);
    await expect(push(9, { [PAIR]: '3412' })).rejects.toMatchObject({ code: 'sequence_gap' });
    await expect.poll(() => reference()?.unsure).toBe('few');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    expect(desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision).toBe(before);
  });

  it('is closed by what the others said before an engine that is cut off, where that is not believed', async () => {
    const { desk, reference, said } = await heard(
      { sources: ['engine', 'feed'], rule: 'first' },
      { referenceMinuteBps: 40, referenceHourBps: 0, referenceAnchorBps: 0 },
    );
    said.feed = '3430';
    await expect.poll(() => reference()).toMatchObject({ mid: '3430', fenced: true });
    said.feed = '';
    desk.clock.ahead += 1_500;
    const push = (sequence: number) =>
      desk.book.pushed.push('mm-1', CHAIN, { sequence, references: { [PAIR]: '3412.75' } });
    await push(1);
    await expect.poll(() => reference()).toMatchObject({ mid: '3412.75', heldBack: null });
    expect((await firm(desk)).status).toBe(200);
    await expect(push(9)).rejects.toMatchObject({ code: 'sequence_gap' });
    await expect.poll(() => reference()).toMatchObject({ mid: '3430', fenced: true });
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
  });
});

it('an update of an engine says either prices, mids or references', () => {
  const says = (...what: string[]) => {
    const said = Object.fromEntries(what.map((name) => [name, { [PAIR]: '1' }]));
    return [
      priceUpdateSchema.safeParse({ sequence: 1, ...said }).success,
      priceMessageSchema.safeParse({ chainId: CHAIN, sequence: 1, ...said }).success,
    ];
  };
  expect(says('references')).toEqual([true, true]);
  expect(says('mids')).toEqual([true, true]);
  expect(says('mids', 'references')).toEqual([false, false]);
  expect(says('prices', 'mids', 'references')).toEqual([false, false]);
  expect(says()).toEqual([false, false]);
});

const KRAKEN = { kind: 'websocket', url: 'wss://feed.example/v1?key=geheimnis', pairs: { [PAIR]: { mid: 'mid' } } };
const named = (changes: Record<string, unknown>) => ({ ...deskFile(), chains: [chain(changes)] });

it('a key in the address of a source is sealed in what is written down, and comes back with the secrets', () => {
  const { desk, urls } = parseDesk(named({ sources: { kraken: KRAKEN } }));
  expect(JSON.stringify(desk)).not.toContain('geheimnis');
  expect(desk.chains[0]?.sources?.kraken?.url).toMatch(/^wss:\/\/feed\.example\/#sealed-[0-9a-f]{16}$/);
  expect(Object.values(urls)).toContain(KRAKEN.url);
  expect(parseDesk(JSON.parse(JSON.stringify(named({}))) as unknown).desk.chains[0]).not.toHaveProperty('sources');
});

it.each([
  ['a kind that is none', { sources: { a: { kind: 'oracle' } } }, 'chains[0].sources.a.kind', 'must be one of'],
  [
    'an address of the wrong sort',
    { sources: { a: { ...KRAKEN, url: 'https://a.example' } } },
    'chains[0].sources.a.url',
    '',
  ],
  [
    'a pair that is not listed',
    { sources: { a: { ...KRAKEN, pairs: { 'NO/PAIR': { mid: 'x' } } } } },
    'chains[0].sources.a.pairs',
    'NO/PAIR',
  ],
  ['the name of the reference URL', { sources: { reference: KRAKEN } }, 'chains[0].sources.reference', 'own reference'],
  [
    'a source that is not there',
    { references: { [PAIR]: { sources: ['b'] } } },
    'sources[0]',
    'not one of the sources',
  ],
  [
    'the reference URL where there is none',
    { references: { [PAIR]: { sources: ['reference'] } } },
    'sources[0]',
    'needs a reference',
  ],
  [
    'a source that says nothing of the pair',
    { sources: { a: KRAKEN }, references: { [OTHER]: { sources: ['a'] } } },
    'sources[0]',
    'says nothing of',
  ],
  [
    'more sources than it names',
    { sources: { a: KRAKEN }, references: { [PAIR]: { sources: ['a'], atLeast: 2 } } },
    'atLeast',
    'more than the 1',
  ],
  [
    'an age beyond the chain’s',
    { sources: { a: KRAKEN }, references: { [PAIR]: { sources: ['a'], upToSeconds: 21 } } },
    'upToSeconds',
    '20',
  ],
  ['a source twice', { sources: { a: KRAKEN }, references: { [PAIR]: { sources: ['a', 'a'] } } }, 'sources', 'once'],
  [
    'a pair that follows and has no reference',
    { sources: { a: KRAKEN }, references: { [PAIR]: { sources: ['a'] } }, follow: [OTHER] },
    'follow',
    'needs a reference',
  ],
])('a desk file with %s is refused, with its path', (_what, changes, path, words) => {
  let thrown: unknown;
  try {
    parseDesk(named(changes));
  } catch (error) {
    thrown = error;
  }
  const faults = (thrown as FaultyInput).faults;
  expect(faults.map((fault) => `${fault.path} ${fault.message}`).join('\n')).toContain(path);
  expect(JSON.stringify(faults)).toContain(words);
});
