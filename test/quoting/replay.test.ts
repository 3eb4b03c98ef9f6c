import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadBook } from '../../electron/book/load-book.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import { PastDesk } from '../../electron/quoting/past-desk.ts';
import { type Replay, replayJournal } from '../../electron/quoting/replay.ts';
import { CHAIN } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { GOLDEN, type Row, rowsIn } from './golden-journal.ts';
import { ETHER, firm, openDesk } from './open-desk.ts';
import { play, session } from './session.ts';

type BodyOf<Kind extends Row['kind']> = Extract<Row, { kind: Kind }>['body'];

const golden = (): Row[] =>
  readFileSync(GOLDEN, 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));

function replayOf(folder: string, stretch: Parameters<typeof replayJournal>[1] = {}): Replay {
  const db = openForReading(journalFile(folder));
  try {
    return replayJournal(db, stretch);
  } finally {
    db.close();
  }
}

/** Writes the rows into a journal of their own, hashed anew, and replays it. */
async function replayOfRows(rows: readonly Row[], stretch: Parameters<typeof replayJournal>[1] = {}): Promise<Replay> {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  for (const row of rows) await journal.append(row);
  await journal.close();
  return replayOf(folder, stretch);
}

/** The golden journal with its n-th row of a kind, counted from 0, other than it was. */
function altered<Kind extends Row['kind']>(
  kind: Kind,
  alter: (body: BodyOf<Kind>) => void,
  isMeant = (_body: BodyOf<Kind>) => true,
): { rows: Row[]; seq: number } {
  const rows = golden();
  const at = rows.findIndex((row) => row.kind === kind && isMeant(row.body as BodyOf<Kind>));
  alter(rows[at]?.body as BodyOf<Kind>);
  return { rows, seq: at + 1 };
}

const SERVED_BEFORE = 'the depth that was served a moment before is not in the journal';
const isSigned = ({ orderHash }: QuoteBody) => orderHash !== null;
const decisionsIn = (rows: readonly Row[]) => rows.flatMap((row) => (row.kind === 'quote' ? [row] : []));

describe('the golden journal', () => {
  it('gives the same decisions to the last byte', async () => {
    const rows = golden();
    const decided = decisionsIn(rows);
    const signed = decided.filter(({ body }) => isSigned(body)).length;
    const replay = await replayOfRows(rows);
    expect(replay).toEqual({
      decisions: decided.length,
      signed,
      refused: decided.length - signed,
      beforeDurable: 0,
      notReplayed: {},
      differ: 0,
      first: null,
    });
    expect(signed).toBeGreaterThan(20);
    const codes = new Set(decided.map(({ body }) => body.code));
    for (const code of ['halted', 'blacklisted', 'quote_limit', 'insufficient_depth', 'user_rate', 'unknown_pair']) {
      expect(codes).toContain(code);
    }
  });

  const others: [string, () => { rows: Row[]; seq?: number }, RegExp][] = [
    [
      'a price in one ladder',
      () => {
        const { rows } = altered(
          'ladder_published',
          ({ ladder }) => {
            ladder.asks[0] = ['3413.410', '1.25'];
          },
          ({ ladder }) => ladder.asks[0]?.[0] === '3413.400',
        );
        return { rows };
      },
      /^(makerAmount|takerAmount)$/,
    ],
    [
      'a limit',
      () => ({
        rows: altered('limits_set', (body) => {
          body.limits = { ...body.limits, maxQuote: { WETH: '0.000001', USDC: '0.01' } };
        }).rows,
      }),
      /^code$/,
    ],
    [
      'a stop',
      () => {
        const rows = golden();
        const at = rows.findLastIndex((row) => row.kind === 'quote' && isSigned(row.body));
        const body = { scope: {}, state: 'HALTED', reason: null, until: null, cause: null } as const;
        const stop: Row = { time: rows[at]?.time ?? 0, actor: 'mara', kind: 'trading_state', body };
        return { rows: rows.toSpliced(at, 0, stop), seq: at + 2 };
      },
      /^code$/,
    ],
    [
      'the salt of an order',
      () =>
        altered(
          'quote',
          (body) => {
            body.nonceAndMeta = `${BigInt(body.nonceAndMeta ?? 0) ^ (1n << 200n)}`;
          },
          isSigned,
        ),
      /^orderHash$/,
    ],
    [
      'a signature',
      () =>
        altered(
          'quote',
          (body) => {
            body.signature = `0x${body.signature?.[2] === '1' ? '2' : '1'}${body.signature?.slice(3)}`;
          },
          isSigned,
        ),
      /^signature$/,
    ],
    [
      'an end',
      () =>
        altered(
          'quote',
          (body) => {
            body.expiry = (body.expiry ?? 0) + 1;
          },
          isSigned,
        ),
      /^(orderHash|expiry)$/,
    ],
    [
      'what the maker had',
      () =>
        altered(
          'quote',
          (body) => {
            body.balance = '1';
          },
          isSigned,
        ),
      /^code$/,
    ],
    [
      'why it was refused',
      () =>
        altered(
          'quote',
          (body) => {
            body.code = 'no_price';
          },
          ({ code }) => code === 'insufficient_depth',
        ),
      /^code$/,
    ],
    [
      'an amount that was asked for',
      () =>
        altered(
          'quote',
          (body) => {
            const asked = JSON.parse(body.requestBody);
            body.requestBody = JSON.stringify({ ...asked, [body.given]: `${BigInt(asked[body.given]) + 1n}` });
          },
          isSigned,
        ),
      /^(makerAmount|takerAmount)$/,
    ],
  ];
  it.each(others)('names the row and the field where %s is another', async (_what, make, field) => {
    const { rows, seq } = make();
    const { differ, first } = await replayOfRows(rows);
    expect(differ).toBeGreaterThan(0);
    expect(first?.field).toMatch(field);
    expect(rows[(first?.seq ?? 0) - 1]?.kind).toBe('quote');
    if (seq !== undefined) expect(first?.seq).toBe(seq);
  });

  it('replays a stretch of it with the book and the users of before', async () => {
    const rows = golden();
    const decided = decisionsIn(rows);
    const [since, until] = [decided[Math.floor(decided.length / 3)]?.time, decided.at(-2)?.time];
    const within = decided.filter(({ time }) => time >= (since ?? 0) && time <= (until ?? 0)).length;
    expect(await replayOfRows(rows, { since, until })).toMatchObject({ decisions: within, differ: 0, notReplayed: {} });
  });
});

describe('what the rows do not tell', () => {
  it.each(['chain_unseen', 'token_closed', 'prices_stale', 'off_reference', 'busy', 'internal'])(
    'a refusal for %s is counted as such, and not guessed',
    async (code) => {
      const { rows } = altered(
        'quote',
        (body) => {
          Object.assign(body, { code, balance: null, allowance: null, exposure: null });
        },
        (body) => body.code === 'insufficient_depth',
      );
      const { differ, notReplayed } = await replayOfRows(rows);
      expect({ differ, counted: Object.values(notReplayed) }).toEqual({ differ: 0, counted: [1] });
    },
  );

  it.each(['balance', 'nonceAndMeta', 'requestBody'] as const)(
    'a row whose %s is nonsense takes no other along',
    async (field) => {
      const { rows } = altered('quote', (body) => Object.assign(body, { [field]: { no: 'text' } }), isSigned);
      expect(await replayOfRows(rows)).toMatchObject({ differ: 0, notReplayed: { 'its row cannot be read': 1 } });
    },
  );

  it('a request that was too long to be kept is counted as such', async () => {
    const { rows } = altered('quote', (body) => Object.assign(body, { requestBody: '', requestBytes: 5_000 }));
    expect(await replayOfRows(rows)).toMatchObject({
      differ: 0,
      notReplayed: { 'its request was too long to be kept': 1 },
    });
  });
});

it('an order is refused as it was where hedges under way could take the rest of the balance', async () => {
  const desk = await openDesk();
  desk.guard.orders.of(CHAIN).hedges.sum = () => 1_000n * ETHER;
  expect((await firm(desk)).code).toBe('insufficient_balance');
  desk.guard.orders.of(CHAIN).hedges.sum = () => 1n;
  expect((await firm(desk)).order).toBeDefined();
  await desk.close();
  expect(replayOf(desk.folder)).toMatchObject({ decisions: 2, signed: 1, refused: 1, differ: 0, notReplayed: {} });
});

it.each([
  { per: 'pair' },
  { per: 'desk' },
  { per: 'desk', freezeSeconds: 0 },
  { per: 'desk', freezeSeconds: 0, chains: [CHAIN] },
])('a quote that tripped the protection %j is no difference, and neither are those after it', async (changes) => {
  const rule = { name: 'flow', counts: 'signed', windowSeconds: 60, limit: '1', freezeSeconds: 300, ...changes };
  const desk = await openDesk({ desk: { protections: [rule] } });
  const answers = [await firm(desk), await firm(desk), await firm(desk)];
  expect(answers.map(({ order }) => order !== undefined)).toEqual([true, false, false]);
  await desk.close();
  expect(replayOf(desk.folder)).toMatchObject({ decisions: 3, signed: 1, differ: 0 });
});

describe('any short day of a desk', () => {
  it('gives the same decisions again, and the desk as it was after each row', async () => {
    const property = fc.asyncProperty(session, async (steps) => {
      const desk = await play(steps);
      const book = await desk.journal.read.storedBook();
      const states = desk.guard.trading.states.all();
      await desk.close();
      const replay = replayOf(desk.folder);
      expect(replay).toMatchObject({ decisions: decisionsIn(rowsIn(desk.folder)).length, differ: 0, first: null });
      expect([[], [SERVED_BEFORE]]).toContainEqual(Object.keys(replay.notReplayed));
      const db = openForReading(journalFile(desk.folder));
      const after = PastDesk.after(db, Number.MAX_SAFE_INTEGER);
      try {
        const live = loadBook(book);
        expect(after.state.book.chains).toEqual(live.chains);
        // Of what was never stopped, and of a resume that a stop overtook, LIVE says nothing.
        const stopped = ({ state }: { state: string }) => state !== 'LIVE';
        expect(new Set(after.state.trading.filter(stopped))).toEqual(new Set(states.filter(stopped)));
      } finally {
        after.close();
        db.close();
      }
    });
    await fc.assert(property, { numRuns: howOften(2, 50) });
  });
});
