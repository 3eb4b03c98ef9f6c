import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { pairRows } from '../../electron/desk/pair-rows.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { CHAIN } from '../book/fixture.ts';
import { alertsOf, QUIET_OUTSIDE } from '../desk/alerts-of.ts';
import { firm, type OpenDesk, openDesk } from './open-desk.ts';

const PAIR = 'WETH/USDC';
const LADDER = {
  bids: [['3410.1', '0.5']],
  asks: [['3411.3', '0.5']],
};

const served = (desk: OpenDesk) => {
  desk.quoter.tick();
  return desk.quoter.served(CHAIN).prices[PAIR];
};
const push = (desk: OpenDesk, sequence: number) =>
  desk.book.pushed.push('alpha', CHAIN, { sequence, prices: { [PAIR]: LADDER } });

/** A moment later; the chain goes on. */
function later(desk: OpenDesk, ms: number): void {
  desk.clock.ahead += ms;
  desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
}

/** What people are told of the pair: in alerts, and in its row. */
function told(desk: OpenDesk) {
  const chain = desk.book.chain(CHAIN);
  if (chain === undefined) throw new Error('no chain');
  const { references } = QUIET_OUTSIDE;
  const figures = { today: () => undefined, draftCells: () => 0 };
  const worth = { references: desk.book.references, now: desk.now() };
  const following = { referenceOf: () => null, followers: references, ...worth } as unknown as Parameters<
    typeof pairRows
  >[3];
  const row = pairRows(chain, desk.guard, figures, following).find(({ pair }) => pair === PAIR);
  return { alert: alertsOf(desk).find(({ code }) => code.startsWith('prices ')), row };
}

it('a pair whose engine falls silent is off everywhere, says so, and is on again when prices come back', async () => {
  const desk = await openDesk();
  await push(desk, 1);
  expect(served(desk)).toEqual(LADDER);
  expect((await firm(desk)).code).toBeUndefined();
  expect(told(desk)).toMatchObject({ alert: undefined, row: { closed: null, unquoted: { asks: null } } });

  later(desk, 5_500);
  expect(served(desk)).toEqual({});
  expect(await firm(desk)).toMatchObject({ status: 503, code: 'prices_stale' });
  expect(told(desk)).toMatchObject({
    alert: {
      level: 'stop',
      title: `${PAIR} is closed: its engine does not price it`,
      detail: expect.stringContaining('alpha'),
    },
    row: { closed: 'prices_stale', unquoted: { asks: expect.stringContaining('engine') } },
  });

  await push(desk, 2);
  expect(served(desk)).toEqual(LADDER);
  expect((await firm(desk)).code).toBeUndefined();
});

it('a count that breaks off takes the pair off in the same moment', async () => {
  const desk = await openDesk();
  await push(desk, 1);
  await expect(push(desk, 7)).rejects.toMatchObject({ code: 'sequence_gap' });
  expect(desk.quoter.served(CHAIN).prices[PAIR]).toEqual({});
  expect((await firm(desk)).code).toBe('prices_stale');
  expect(told(desk).alert?.detail).toContain('This is sequence 7');
});

it('an order that was admitted before its engine fell silent is withheld', async () => {
  const desk = await openDesk();
  await push(desk, 1);
  const asked = firm(desk);
  await expect(push(desk, 7)).rejects.toMatchObject({ code: 'sequence_gap' });
  expect((await asked).code).toBe('prices_stale');
});

it('an order on a ladder that is on its way to the disk is answered only behind it', async () => {
  const desk = await openDesk();
  const rows: { kind: string; revision: unknown }[] = [];
  desk.journal.onAppended((events) => {
    for (const { kind, body } of events) {
      const revision = kind === 'ladder_published' ? body.revision : kind === 'quote' ? body.ladderRevision : null;
      if (revision !== null) rows.push({ kind, revision });
    }
  });
  const disk = new Database(journalFile(desk.folder));
  disk.exec('BEGIN IMMEDIATE');
  const pushed = push(desk, 1);
  await vi.waitFor(() => expect(desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.actor).toBe('prices:alpha'));
  const revision = desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision;
  const asked = firm(desk);
  disk.close();
  expect((await asked).code).toBeUndefined();
  expect((await pushed).revisions).toEqual({ [PAIR]: revision });
  expect(rows).toEqual([
    { kind: 'ladder_published', revision },
    { kind: 'quote', revision },
  ]);
});
