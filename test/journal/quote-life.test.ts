import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { openDirectly, temporaryFolder, verifyDirectly } from './fixture.ts';
import { QuoteModel } from './quote-model.ts';
import { CHAIN, cancel, fill, quote, REFUSED, reverted, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const NUMBERS = 6;
const number = fc.nat(NUMBERS - 1);
const step = fc.oneof(
  fc.record({ do: fc.constant('sign' as const), number }),
  fc.record({ do: fc.constant('refuse' as const), number }),
  fc.record({
    do: fc.constant('fill' as const),
    number,
    amount: fc.constantFrom(1n, 4_000n, 6_000n, 10_000n),
    log: fc.nat(9),
  }),
  fc.record({ do: fc.constant('cancel' as const), number, log: fc.nat(9) }),
  fc.record({ do: fc.constant('take back' as const), number, row: fc.nat(40) }),
  fc.record({ do: fc.constant('withhold' as const), number, row: fc.nat(40) }),
  fc.record({
    do: fc.constantFrom('expire' as const, 'reset' as const),
    number,
    rows: fc.array(fc.nat(40), { maxLength: 4 }),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function eventOf(given: Step): NewEvent {
  const desk = { time: START, actor: 'desk' };
  switch (given.do) {
    case 'sign':
      return quote(given.number);
    case 'refuse':
      return quote(given.number, REFUSED);
    case 'fill':
      return fill(given.number, given.log, { makerAmount: `${given.amount}`, takerAmount: `${given.amount * 3412n}` });
    case 'cancel':
      return cancel(given.number, given.log);
    case 'take back':
      return reverted(given.row, given.number);
    case 'withhold':
      return { ...desk, kind: 'quote_withheld', body: { chainId: CHAIN, quoteSeq: given.row, code: 'halted' } };
    case 'expire':
      return { ...desk, kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs: given.rows } };
    case 'reset':
      return { ...desk, kind: 'chain_reset', body: { chainId: CHAIN, quoteSeqs: given.rows } };
  }
}

function tell(model: QuoteModel, seq: number, given: Step): void {
  if (given.do === 'sign' || given.do === 'refuse') model.asked(seq, given.number, given.do === 'refuse');
  else if (given.do === 'fill') model.filled(seq, given.number, { maker: given.amount, taker: given.amount * 3412n });
  else if (given.do === 'cancel') model.cancelled(seq, given.number);
  else if (given.do === 'take back') model.takenBack(given.row);
  else if (given.do === 'withhold') model.withheld(given.row);
  else model.overdue(given.rows);
}

test('after any events the tables say what a plain model says, and a rebuild makes the same tables', () => {
  const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(groups, (given) => {
      const { db, queries, write } = openDirectly(temporaryFolder());
      const model = new QuoteModel(10_000n);
      let last = 0;
      for (const group of given) {
        const outcomes = write(...group.map(eventOf));
        group.forEach((one, index) => {
          const outcome = outcomes[index];
          if (typeof outcome !== 'number') return;
          last = outcome;
          tell(model, outcome, one);
        });
      }
      const signed = [...model.quotes].filter(([seq]) => model.stateOf(seq) !== 'refused').map(([seq]) => seq);
      for (const seq of model.quotes.keys()) {
        const { maker, taker } = model.filledOf(seq);
        const expected = { state: model.stateOf(seq), filledMakerAmount: `${maker}`, filledTakerAmount: `${taker}` };
        expect(queries.quote(seq)).toMatchObject(expected);
      }
      const open = signed.filter((seq) => ['live', 'part_filled'].includes(model.stateOf(seq) ?? ''));
      expect(queries.openQuotes().map(({ seq, filledMakerAmount }) => [seq, filledMakerAmount])).toEqual(
        open.map((seq) => [seq, `${model.filledOf(seq).maker}`]),
      );
      const proven = queries.provenOpenQuotes(START);
      expect(proven.faults).toEqual([]);
      expect(proven.open).toEqual(queries.openQuotes());
      const ours = queries.orderEvents(CHAIN, 0).map(({ seq }) => seq);
      for (const quoteOf of model.quotes.values()) {
        for (const seq of [...quoteOf.fills.keys(), ...quoteOf.cancels]) expect(ours).toContain(seq);
      }
      expect(verifyDirectly(db)).toEqual({ firstBad: null, fault: null });
      const before = tableContents(db);
      expect(rebuildProjections(db, SLICES)).toBe(last);
      expect(tableContents(db)).toEqual(before);
      db.close();
    }),
    { numRuns: howOften(30, 120) },
  );
});
