import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trip } from '../../electron/contract/protections.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { foldTrip, type ProtectionEvent, subjectKey } from '../../electron/journal/protections/fold.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { openDirectly } from './fixture.ts';
import { addressOf, CHAIN, configured, quote, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const subject = fc.constantFrom(
  { chainId: CHAIN, who: 'WETH/USDC' },
  { chainId: null, who: addressOf('user') },
  { chainId: null, who: '' },
);
const event = fc.record({
  trips: fc.boolean(),
  name: fc.constantFrom('flow', 'volume'),
  subject,
  until: fc.constantFrom(null, START + 5, START + 20),
});

test('after any trips and resets memory, the table and the table made anew say the same', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 30, size: 'max' }), (given) => {
      const journal = openDirectly();
      const last = new Map<string, { seq: number; trip: Trip }>();
      const all: { seq: number; trip: Trip }[] = [];
      for (const [index, { trips, name, subject: of, until }] of given.entries()) {
        const rule = { name, counts: 'signed', per: 'desk', windowSeconds: 10, limit: '5', freezeSeconds: 1 } as const;
        const written = { time: START + index, actor: trips ? 'desk' : 'mara' };
        const event: ProtectionEvent = trips
          ? { ...written, kind: 'protection_tripped', body: { ...of, rule, used: '5', asked: '1', decimals: 0, until } }
          : { ...written, kind: 'protection_reset', body: { ...of, rule: name, reason: 'looked at it' } };
        const seq = Number(journal.write(event as NewEvent)[0]);
        const key = `${name} ${subjectKey(of)}`;
        const before = last.get(key);
        const trip = foldTrip(before?.trip, event);
        if (trip === undefined || trip === before?.trip) continue;
        if (trips) all.push({ seq, trip });
        else for (const one of all) if (one.seq === before?.seq) one.trip = trip;
        last.set(key, { seq: trips ? seq : (before?.seq ?? 0), trip });
      }
      const newest = [...all].reverse().map(({ trip }) => trip);
      expect(journal.queries.trips(200)).toEqual(newest);
      for (const at of [START, START + 5, START + 19, START + 20]) {
        const standing = all.filter(({ trip }) => trip.reset === null && (trip.until === null || trip.until > at));
        expect(journal.queries.standingTrips(at)).toEqual({ rows: standing.map(({ trip }) => trip), unread: [] });
      }
      const before = tableContents(journal.db);
      rebuildProjections(journal.db, SLICES);
      expect(tableContents(journal.db)).toEqual(before);
    }),
    { numRuns: howOften(5, 50) },
  );
});

test('a signed quote, a trip and a reset that cannot be read take no other along', () => {
  const journal = openDirectly();
  journal.write(configured(), quote(1), quote(2), quote(3));
  const seqs = journal.queries.signedSince(0, 0, 100).rows.map(({ seq }) => seq);
  expect(seqs).toHaveLength(3);
  const spoil = journal.db.prepare('UPDATE main.journal SET body = ? WHERE seq = ?');
  for (const body of ['{', '{}', 'null', '{"pair":"A","orderHash":"0x","makerAmount":"x"}']) {
    spoil.run(body, seqs[1]);
    const { rows, unread, last } = journal.queries.signedSince(0, 0, 100);
    expect({ seqs: rows.map(({ seq }) => seq), unread, last }).toEqual({
      seqs: [seqs[0], seqs[2]],
      unread: [seqs[1]],
      last: null,
    });
  }
  expect(journal.queries.signedSince(0, 0, 2)).toMatchObject({ unread: [seqs[1]], last: seqs[1] });
  expect(journal.queries.signedSince(0, Number(seqs[1]), 2).rows).toHaveLength(1);
});
