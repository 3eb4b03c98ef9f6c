import { createRouterClient, ORPCError } from '@orpc/server';
import fc from 'fast-check';
import { test } from 'vitest';
import { AlertBoard } from '../../electron/desk/alert-board.ts';
import { ChainChecks } from '../../electron/desk/chain-checks.ts';
import { Figures } from '../../electron/desk/figures.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { Heartbeats } from '../../electron/desk/heartbeats.ts';
import { LiveView } from '../../electron/desk/live-view.ts';
import { openCommandLog } from '../../electron/desk/log.ts';
import { Outside } from '../../electron/desk/outside.ts';
import { openRooms, type Rooms } from '../../electron/desk/rooms.ts';
import { createRouter } from '../../electron/desk/router.ts';
import { Seals } from '../../electron/desk/seals.ts';
import { StandingProtections } from '../../electron/desk/standing-protections.ts';
import { WatchedChains } from '../../electron/desk/watched-chains.ts';
import { wholeView } from '../../electron/desk/whole-view.ts';
import { EVENT_BODIES, type EventKind, type NewEvent } from '../../electron/journal/events.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { extreme, extremeBody, type Named } from '../extreme-events.ts';
import { howOften } from '../how-often.ts';
import { temporaryFolder } from '../journal/fixture.ts';
import { addressOf, CHAIN, deskFile, hashOf, quoteBody, START } from '../journal/sample-events.ts';

const MOST = (2n ** 256n - 1n).toString();
const ORDERS = 6;
const LAST_TIME = Number.MAX_SAFE_INTEGER;

const orderHash = fc.nat(ORDERS - 1).map((number) => hashOf(`order ${number}`));
const rowNumber = fc.integer({ min: 1, max: 60 });
const pair = fc.constantFrom('WETH/USDC', 'DAI/USDC', 'WETH/USDC', 'x'.repeat(64));
const amount = fc.constantFrom('0', '1', '2', '10000', MOST, MOST, `${10n ** 77n}`);
const asset = fc.constantFrom(addressOf('WETH'), addressOf('USDC'), addressOf('DAI'), addressOf('not listed'));
const time = fc.constantFrom(START, START + 1, START + 3_600_000, 0, LAST_TIME);
const unique = (() => {
  let last = 0;
  return fc.constant(null).map(() => (last += 1));
})();
const NAMED: Named = {
  chainId: fc.constant(CHAIN),
  pair,
  orderHash,
  eventSeq: rowNumber,
  quoteSeq: rowNumber,
  hedgeSeq: rowNumber,
  quoteSeqs: fc.array(rowNumber, { maxLength: 2 }),
  fillSeqs: fc.array(rowNumber, { maxLength: 2 }),
  makerAmount: amount,
  takerAmount: amount,
  makerAsset: asset,
  takerAsset: asset,
  blockTime: time,
  hash: fc.constantFrom(hashOf('swap'), hashOf('approval')),
  purpose: fc.constantFrom('swap', 'approval'),
  logIndex: unique,
};

/** A legal desk file whose ladders and limits are not what anybody would write. */
const desk = fc
  .record({ bid: decimal(), ask: decimal(), size: decimal(), decimals: fc.constantFrom(0, 6, 18, 77) })
  .map(({ bid, ask, size, decimals }) => {
    const file = deskFile({ limits: { maxQuote: { WETH: size } }, reserve: { WETH: bid } });
    const [chain] = file.chains;
    if (chain === undefined) throw new Error('no chain');
    const tokens = Object.fromEntries(
      Object.entries(chain.tokens).map(([id, token]) => [id, { ...token, decimals, symbol: 's'.repeat(64) }]),
    );
    const prices = { ...chain.prices, 'DAI/USDC': { bids: [[bid, size]], asks: [[ask, size]] } };
    return { desk: { ...file, chains: [{ ...chain, tokens: { ...chain.tokens, DAI: tokens.DAI }, prices }] } };
  });

function decimal() {
  return fc.constantFrom('0', '1', '9'.repeat(60), `0.${'0'.repeat(109)}1`, `3.${'1'.repeat(110)}`, '9'.repeat(200));
}

const quote = fc
  .record({
    number: fc.nat(ORDERS - 1),
    pair,
    makerAmount: amount,
    takerAmount: amount,
    makerAsset: asset,
    takerAsset: asset,
    side: fc.constantFrom('bids' as const, 'asks' as const),
    time,
    expiry: fc.constantFrom(0, 1, Math.floor(START / 1_000) + 150, Number.MAX_SAFE_INTEGER),
    latencyMs: fc.constantFrom(0, 1.25, 1e300),
    ladderRevision: fc.constantFrom(null, 0, 1, 2, Number.MAX_SAFE_INTEGER),
    requestBody: fc.constantFrom('', '{}', '\u0000', '"'.repeat(70_000)),
  })
  .map(({ number, time: at, ...body }) => ({ time: at, actor: 'desk', kind: 'quote', body: quoteBody(number, body) }));

/** Steps of one hedge in an order in which they can follow. */
const PATHS = [
  ['swap_built', 'swap_simulated', 'transaction_signed', 'transaction_sent', 'transaction_mined', 'ended'],
  ['order_built', 'order_signed', 'order_submitted', 'order_status', 'order_status', 'cancel_signed', 'ended'],
  ['permit_signed', 'waiting', 'confirmed', 'ended'],
];

const KINDS = (Object.keys(EVENT_BODIES) as EventKind[]).filter((kind) => kind !== 'quote');

const ofKind = (kind: EventKind) =>
  fc
    .record({ time, actor: fc.constantFrom('desk', 'mara', '=1+1', 'é'.repeat(60)), body: bodyOf(kind) })
    .map((event) => ({ ...event, kind }) as unknown as NewEvent);

function bodyOf(kind: EventKind): fc.Arbitrary<unknown> {
  if (kind === 'desk_configured') return desk.map((body) => ({ ...body, fingerprints: {} }));
  return extremeBody(kind, NAMED);
}

const STEPS = stepSchemas();
const hedge = fc
  .record({ opened: ofKind('hedge_opened'), path: fc.constantFrom(...PATHS), at: time })
  .chain(({ opened, path, at }) =>
    fc.tuple(...path.map((step) => extreme(need(STEPS.get(step)), NAMED))).map((steps) => ({ opened, steps, at })),
  );

function stepSchemas() {
  const { step } = EVENT_BODIES.hedge_step.shape;
  return new Map(step.options.map((option) => [option.shape.step.value as string, option]));
}

type World = { events: NewEvent[]; hedges: { opened: NewEvent; steps: unknown[]; at: number }[]; mids: string[] };
const world: fc.Arbitrary<World> = fc.record({
  events: fc
    .tuple(
      fc.array(quote as fc.Arbitrary<NewEvent>, { minLength: 10, maxLength: 20 }),
      fc.array(ofKind('fill'), { minLength: 10, maxLength: 20 }),
      ...KINDS.map((kind) => fc.array(ofKind(kind), { minLength: 1, maxLength: 3 })),
    )
    .map((groups) => groups.flat()),
  hedges: fc.array(hedge, { minLength: 2, maxLength: 4 }),
  mids: fc.array(fc.constantFrom('9'.repeat(60), `0.${'0'.repeat(57)}1`, '1', `3.${'1'.repeat(150)}`), {
    minLength: 3,
    maxLength: 3,
  }),
});

/** The ordinary row that has to be seen whatever lies around it. */
const ORDINARY = 1_000;
const ordinary: NewEvent = { time: START + 5_000, actor: 'desk', kind: 'quote', body: quoteBody(ORDINARY) };
const ordinaryFill: NewEvent = {
  time: START + 6_000,
  actor: 'chain',
  kind: 'fill',
  body: {
    chainId: CHAIN,
    orderHash: hashOf(`order ${ORDINARY}`),
    block: 7,
    blockHash: hashOf('b'),
    blockTime: START,
    transactionHash: hashOf('t'),
    logIndex: 0,
    taker: addressOf('receiver'),
    makerAsset: addressOf('WETH'),
    takerAsset: addressOf('USDC'),
    makerAmount: '4000',
    takerAmount: '13648000',
  },
};

test('whatever legal events a journal holds, every page, stream and export of it goes on, each row in its place', async () => {
  const numRuns = howOften(1, 8, 'MAKERDESK_EXTREMES');
  // What fails is hundreds of events long; its seed says which, and shrinking it would outlast the test.
  await fc.assert(fc.asyncProperty(world, readsBack), { numRuns, endOnFailure: true });
});

async function readsBack({ events, hedges, mids }: World): Promise<void> {
  const folder = temporaryFolder();
  const journal = await openJournal({ folder, now: () => START });
  const put = async (event: NewEvent) => journal.append(event).catch(() => null);
  await put({ time: START, actor: 'ops', kind: 'desk_configured', body: { desk: deskFile(), fingerprints: {} } });
  for (const [index, mid] of mids.entries()) {
    for (const name of ['WETH/USDC', 'DAI/USDC'])
      await journal.put({
        table: 'reference_samples',
        chainId: CHAIN,
        pair: name,
        time: START + index * 1_000,
        heard: START + index * 1_000,
        mid,
      });
  }
  for (const event of events) await put(event);
  for (const { opened, steps, at } of hedges) {
    const hedgeSeq = await put(opened);
    if (hedgeSeq === null) continue;
    for (const step of steps) {
      const body = { chainId: CHAIN, hedgeSeq, step };
      await put({ time: at, actor: 'desk', kind: 'hedge_step', body } as NewEvent);
    }
  }
  await journal.close();
  const rooms = await openRooms({
    folder,
    passphrase: async () => '',
    log: openCommandLog(folder, Date.now),
    views: () => undefined,
    now: () => START + 10_000,
    monotonic: () => performance.now(),
  });
  try {
    await readEverything(rooms, events, hedges);
  } finally {
    await rooms.close();
  }
}

async function readEverything(rooms: Rooms, events: NewEvent[], hedges: World['hedges']): Promise<void> {
  const figures = new Figures(rooms);
  const [watched, outside] = [new WatchedChains({ practice: false }), await Outside.open(rooms, { practice: false })];
  const alerts = await AlertBoard.open(rooms.journal);
  const { now, log, journal } = rooms;
  const heartbeats = new Heartbeats();
  const absentParts = { checks: null, surface: null, hedging: null, quoter: null, practice: null, fleet: null };
  const parts = { rooms, owner: 'mara', alerts, figures, watched, outside, heartbeats, ...absentParts };
  const view = new LiveView({ read: () => wholeView(parts), now, log });
  const checks = new ChainChecks(rooms, { current: () => ({ missing: 'no key' }), onChange: () => {} });
  const service = { rooms, watched, outside, checks };
  const seals = new Seals({ rooms, key: () => ({ missing: 'no key' }), firstAt: 0 });
  const absent = {
    seals,
    signer: null,
    keyLock: null,
    mids: null,
    standing: new StandingProtections(rooms),
    hedging: null,
    nftOrders: null,
    fleet: null,
    running: false,
    practice: null,
    owner: 'mara',
    doors: null,
  };
  const key = () => ({ missing: 'no key', fault: new DeskError('no_key', 'no key') });
  const { router } = createRouter({ rooms, view, alerts, checks, service, passphrase: async () => '', key, ...absent });
  const client = createRouterClient(router, { context: asOwner('mara') });
  const stop = new AbortController();
  const { signal } = stop;
  const tails = await Promise.all([
    client.log.watch(undefined, { signal }),
    client.fills.watch(undefined, { signal }),
    client.hedge.watch(undefined, { signal }),
    client.desk.watch(undefined, { signal }),
  ]);
  for (const tail of tails) await tail.next();
  // Written while consoles look on: the same again, then what is ordinary.
  for (const event of events.filter(({ kind }) => kind === 'fill' || kind === 'quote')) {
    await journal.append(event).catch(() => null);
  }
  for (const { opened } of hedges) await journal.append(opened).catch(() => null);
  const seq = await journal.append(ordinary);
  const fillSeq = await journal.append(ordinaryFill);
  const [quotes, fills] = tails;
  await seen(quotes, seq);
  await seen(fills, fillSeq);

  const exported: { seq: number; unreadable?: string }[] = [];
  for await (const { rows } of await client.log.all({ filter: {} })) exported.push(...rows);
  const mine = exported.find((row) => row.seq === seq);
  if (mine === undefined || mine.unreadable !== undefined) throw new Error('The ordinary quote is not exported.');
  const paged: number[] = [];
  for (let before: number | undefined, more = true; more; ) {
    const page = await client.log.page({ filter: {}, before, limit: 7 });
    paged.push(...page.rows.map((row) => row.seq));
    before = paged.at(-1);
    more = page.more;
  }
  if (`${paged.toReversed()}` !== `${exported.map((row) => row.seq)}`) throw new Error('Pages and export differ.');
  for await (const _ of await client.log.find({ filter: {} })) {
    // each batch is checked on its way
  }
  for (const row of exported) {
    await client.log.quote({ seq: row.seq });
    await client.log.xray({ seq: row.seq });
  }

  const span = { since: 0, until: LAST_TIME };
  const listed = await client.fills.list({ ...span, limit: 1_000 });
  const ours = listed.find((fill) => fill.seq === fillSeq);
  if (ours === undefined || ours.unreadable !== undefined) throw new Error('The ordinary fill is not listed.');
  await client.fills.volume({ ...span, bucketMs: 3_600_000 });
  for (const by of ['pair', 'user'] as const) {
    for await (const _ of await client.fills.summary({ ...span, by })) {
      // each step is checked on its way
    }
  }
  for await (const _ of await client.results.sums(span)) {
    // each step is checked on its way
  }
  const results = await client.results.fills({ ...span, limit: 1_000 });
  const result = results.find((fill) => fill.seq === fillSeq);
  // Of an extreme reference it comes to more than anybody trades for, and says so.
  if (result === undefined) throw new Error('The ordinary fill has no result.');
  for (const name of ['WETH/USDC', 'DAI/USDC'])
    await client.fills.chart({ ...span, chainId: CHAIN, pair: name, steps: 9 });

  const told: number[] = [];
  const kinds = (await client.journal.kinds()).map(({ kind }) => kind);
  for (let before: number | undefined, more = true; more; ) {
    for await (const found of await client.journal.find({ filter: { kinds }, before, limit: 50 })) {
      told.push(...found.rows.map((row) => row.seq));
      before = found.progress.at;
      more = found.more;
    }
  }
  if (told.length === 0 || told.some((row, index) => row !== (told[0] ?? 0) - index))
    throw new Error('A row is not told.');
  for (const row of told) await client.journal.event({ seq: row });

  await client.hedge.positions({});
  await client.hedge.fills({ limit: 500 });
  const { rows } = await client.hedge.list({ limit: 500 });
  for (const { seq: hedgeSeq } of rows) await client.hedge.get({ seq: hedgeSeq });

  await client.trading.status();
  await client.trading.stops({});
  await client.blacklist.list({ chainId: CHAIN });
  await client.blacklist.history({ chainId: CHAIN });
  await client.desk.mids();
  for await (const _ of await client.desk.export({})) {
    // all of it
  }
  await unlessRefused(client.listings.list({ chainId: CHAIN }));
  await client.settings.get();
  await unlessRefused(client.service.state({ chainId: CHAIN }));
  await client.service.restrictions({});
  await client.ladders.drafts();
  for (const name of ['WETH/USDC', 'DAI/USDC']) {
    const key = { chainId: CHAIN, pair: name };
    await client.ladders.revisions({ ...key, limit: 200 });
    await unlessRefused(client.ladders.published(key));
    await unlessRefused(client.ladders.draft(key));
    await unlessRefused(client.ladders.preview(key));
  }
  const again = await client.desk.watch(undefined, { signal });
  await again.next();
  stop.abort();
  view.close();
  figures.close();
}

/** Reads a tail until it told a row. */
async function seen(tail: AsyncIterator<unknown>, seq: number): Promise<void> {
  for (;;) {
    const { value, done } = await tail.next();
    if (done) throw new Error('The tail ended.');
    if ((value as { seq: number }[]).some((row) => row.seq === seq)) return;
  }
}

/** What is not listed any more is refused with a sentence; anything else is a fault. */
async function unlessRefused(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'REFUSED') return;
    throw error;
  }
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such step.');
  return value;
}
