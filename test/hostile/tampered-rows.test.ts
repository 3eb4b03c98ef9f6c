import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { CHAIN, WETH } from '../book/fixture.ts';
import { ETHER, firm, newFolder, openDesk, person, signer, TAKER } from '../quoting/open-desk.ts';

const ORDERS = 3;

/** A closed desk with three live orders of 0.1 WETH each, in which somebody has run `sql`. */
async function tampered(sql: string): Promise<string> {
  const folder = newFolder();
  const desk = await openDesk({ folder });
  for (let made = 0; made < ORDERS; made += 1) expect((await firm(desk)).status).toBe(200);
  await desk.journal.append({ time: Date.now(), actor: 'desk', kind: 'desk_stopped', body: {} });
  await desk.close();
  const db = new Database(join(folder, 'journal.db'));
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  return folder;
}

async function reopened(sql: string) {
  const desk = await openDesk({ folder: await tampered(sql) });
  const status = desk.guard.status();
  return { desk, status, live: desk.guard.orders.of(CHAIN).exposure.live(WETH) };
}

const ALL = (ETHER * BigInt(ORDERS)) / 10n;

describe('tables that say less is live than the journal does', () => {
  const changes: [string, string][] = [
    ['orders set to expired', `UPDATE quotes SET state = 'expired', ended = 'expired'`],
    ['orders set to withheld', `UPDATE quotes SET state = 'withheld', ended = 'withheld'`],
    ['orders taken out', 'DELETE FROM quotes'],
    [
      'orders said to be filled in part',
      `UPDATE quotes SET state = 'part_filled', filled_maker_amount = '99999999999999999'`,
    ],
    [
      'an order whose fill cannot be read',
      `UPDATE quotes SET filled_maker_amount = 'x' WHERE seq = (SELECT min(seq) FROM quotes)`,
    ],
  ];
  for (const [what, sql] of changes) {
    it(`halt the desk, which counts what its journal says: ${what}`, async () => {
      const { desk, status, live } = await reopened(sql);
      expect(status).toMatchObject({ state: 'HALTED', reason: expect.stringContaining('in the tables') });
      expect(live).toBe(ALL);
      await desk.guard.trading.resume({}, person);
      expect(await firm(desk)).toMatchObject({ status: 503, code: 'past_unproven' });
    });
  }

  it('are told from tables that say what the journal does, and such a desk is LIVE', async () => {
    const { status, live } = await reopened('UPDATE quotes SET pair = pair');
    expect(status.state).toBe('LIVE');
    expect(live).toBe(ALL);
  });
});

describe('an order signed by hand weeks ago', () => {
  const DAY_MS = 86_400_000;
  const terms = {
    chainId: CHAIN,
    pair: null,
    side: null,
    given: 'makerAmount' as const,
    maker: signer.address,
    makerAsset: WETH,
    takerAsset: TAKER,
    makerAmount: `${5n * ETHER}`,
    takerAmount: '1',
    takerNft: { kind: 'erc721' as const, id: '7' },
    userAddress: TAKER,
    takerAddress: TAKER,
    nonceAndMeta: '1',
    signature: '0x00' as const,
    code: null,
    ladderRevision: null,
    requestBody: '{}',
    counterparty: null,
    receivedAt: 0,
    balance: null,
    allowance: null,
    exposure: null,
    latencyMs: 1,
  };

  /** The folder of a closed desk with such an order that can be filled for so many days more, and its row. */
  async function signed(days: number, after = 1) {
    const folder = newFolder();
    const desk = await openDesk({ folder, ahead: -14 * DAY_MS });
    const time = Date.now() - 14 * DAY_MS;
    const expiry = Math.floor((Date.now() + days * DAY_MS) / 1_000);
    const body = { ...terms, orderHash: `0x${'e7'.repeat(32)}`, expiry };
    const seq = await desk.journal.append({ time, actor: 'mara', kind: 'nft_order', body });
    const stop = () => desk.journal.append({ time, actor: 'desk', kind: 'desk_stopped', body: {} });
    await Promise.all(Array.from({ length: after }, stop));
    await desk.close();
    return { folder, seq, time, expiry };
  }

  it('that the table alone has as expired halts the desk, which counts it', async () => {
    const { folder, seq } = await signed(14, 2_100);
    const again = await openDesk({ folder });
    expect(again.guard.status().state).toBe('LIVE');
    expect(again.guard.orders.of(CHAIN).exposure.live(WETH)).toBe(5n * ETHER);
    await again.close();

    const db = new Database(join(folder, 'journal.db'));
    db.prepare(`UPDATE quotes SET state = 'expired', ended = 'expired' WHERE seq = ?`).run(seq);
    db.close();
    const changed = await openDesk({ folder });
    const reason = expect.stringContaining(
      `The order of row ${seq} is live with 0 filled; in the tables it is expired`,
    );
    expect(changed.guard.status()).toMatchObject({ state: 'HALTED', reason });
    expect(changed.guard.orders.of(CHAIN).exposure.live(WETH)).toBe(5n * ETHER);
    await changed.guard.trading.resume({}, person);
    expect(await firm(changed)).toMatchObject({ status: 503, code: 'past_unproven' });
  });

  it.each([
    ['as long as the tables say that it lives', ''],
    ['as long as one may live where the tables do not have it', 'DELETE FROM quotes WHERE seq = :seq;'],
  ])('whose row cannot be read keeps its chain closed, %s', async (_how, lost) => {
    const { folder, seq, time, expiry } = await signed(7);
    const db = new Database(join(folder, 'journal.db'));
    db.exec(`UPDATE journal SET body = '{' WHERE seq = ${seq}; ${lost.replace(':seq', `${seq}`)}`);
    db.close();
    const again = await openDesk({ folder });
    expect(again.guard.status()).toMatchObject({
      state: 'HALTED',
      reason: expect.stringContaining(`The order of row ${seq} cannot be read`),
    });
    const longest = Math.ceil(time / 1_000) + 30 * 86_400;
    expect(again.guard.orders.of(CHAIN).holdsOffUntil()).toBe(lost === '' ? expiry : longest);
    await again.guard.trading.resume({}, person);
    expect(await firm(again)).toMatchObject({ status: 503, code: 'past_unproven' });
  });
});

describe('verify', () => {
  it('proves the tables against the journal: what was changed in one is found and named', async () => {
    const changes: [string, RegExp][] = [
      [`UPDATE quotes SET pair = pair`, /^$/],
      [`UPDATE quotes SET state = 'expired', ended = 'expired'`, /quote of row \d+ is expired/],
      [`UPDATE quotes SET filled_maker_amount = '1' WHERE seq = (SELECT min(seq) FROM quotes)`, /1 for 0 filled/],
      [`UPDATE quotes SET expiry = expiry + 1`, /quotes says something else/],
      [`DELETE FROM quotes WHERE seq = (SELECT min(seq) FROM quotes)`, /quotes has no row \d+/],
      [`UPDATE trading_states SET state = 'HALTED'`, /trading_states/],
      [`DELETE FROM tokens`, /tokens/],
      [`INSERT INTO alarms VALUES (1, NULL)`, /alarms/],
    ];
    for (const [sql, detail] of changes) {
      const { ok, detail: said } = await verifyJournal(await tampered(sql));
      expect([sql, ok, said ?? '']).toEqual([sql, detail.source === '^$', expect.stringMatching(detail)]);
    }
  });
});

describe('another text that cannot be read', () => {
  it("is told in a sentence with the remedy, and not in a parser's words", async () => {
    const desk = await openDesk({ folder: await tampered(`INSERT INTO settings VALUES ('of a page', '{')`) });
    await expect(desk.journal.read.setting('of a page')).rejects.toMatchObject({
      code: 'journal_unreadable',
      remedy: expect.stringContaining('verify'),
    });
  });
});

describe('an order whose row in the journal was changed', () => {
  const first = `seq = (SELECT min(seq) FROM quotes)`;

  it('halts the desk with the row, and the start ends with no bare error, where the row cannot be read', async () => {
    const { desk, status, live } = await reopened(`UPDATE journal SET body = substr(body, 1, 40) WHERE ${first}`);
    expect(status).toMatchObject({
      state: 'HALTED',
      reason: expect.stringMatching(/Row \d+ of the journal was changed/),
    });
    expect(status.reason).toMatch(/order of row \d+ cannot be read/);
    expect(live).toBe((ETHER * BigInt(ORDERS - 1)) / 10n);
    await desk.guard.trading.resume({}, person);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'past_unproven' });
  });

  it('halts the desk where it would count for less, or for nothing', async () => {
    for (const change of [`body, '$.makerAmount', '1'`, `body, '$.orderHash', null`, `body, '$.expiry', 1`]) {
      const { status } = await reopened(`UPDATE journal SET body = json_set(${change}) WHERE ${first}`);
      expect(status).toMatchObject({ state: 'HALTED', reason: expect.stringContaining('was changed') });
    }
  });
});
