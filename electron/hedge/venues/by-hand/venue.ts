import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { entryOf } from '../../../contract/hedge-steps.ts';
import { doneElsewhereSchema } from '../../../contract/hedge-terms.ts';
import { utcText } from '../../../contract/names.ts';
import type { VenueField } from '../../../contract/venue.ts';
import type { HedgeOpened } from '../../../journal/hedges/events.ts';
import { isEnded } from '../../../journal/hedges/fold.ts';
import { decimalSchema, fromRaw, toRaw } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { record } from '../../hedge-run.ts';
import { USUAL, type Venue } from '../venue.ts';

/** What a person enters beside the fixed amount: the other one in token units, and where and when it was done. */
const waySchema = z.strictObject({
  mode: z.literal('by-hand'),
  other: decimalSchema,
  feeUsd: decimalSchema.optional(),
  // Without a moment it was done when it is entered.
  ...doneElsewhereSchema.shape,
});

const field = (name: string, kind: VenueField['kind'], label: string, lack: string | null): VenueField => {
  return { name, kind, label: { SELL: label, BUY: label }, first: '', lack };
};

/**
 * An order that was done elsewhere, on an exchange or by a phone call: entered with its amounts, it counts in positions, fills and
 * fees as any hedge does. Nothing is asked, signed or sent.
 */
export const byHand: Venue = {
  ...USUAL,
  about: {
    name: 'by-hand',
    title: 'By hand',
    kinds: [
      {
        mode: 'by-hand',
        name: 'By hand',
        choice: 'By hand',
        sides: ['SELL', 'BUY'],
        says: 'An order that was done elsewhere is entered with its amounts. Nothing is signed or sent.',
        fields: [
          { ...field('other', 'other', '', 'Type both amounts.'), label: { SELL: 'Got', BUY: 'Gave' } },
          field('feeUsd', 'dollars', 'Extra fee, $', null),
          field('where', 'text', 'Where', 'Type where it was done.'),
          field('at', 'moment', 'When, UTC', null),
          field('note', 'text', 'Note', null),
        ],
        slippage: 'nothing',
        waits: false,
        isLimit: false,
        slices: null,
        automatic: null,
      },
    ],
    isRecord: true,
    does: 'Only writes it down.',
    noPrice: 'It has no price of its own.',
    routes: null,
    noCrossing: null,
  },
  check(opened, now) {
    const { at } = typedEntry(opened);
    if (at !== null) expectPast(at, now);
    if (opened.beneficiary !== null) throw new DeskError('bad_terms', 'What was done elsewhere has no receiver here.');
  },
  quote: null,
  prepare: async () => null,
  async sign(run) {
    const { opened, time } = record(run);
    const { at, ...entry } = typedEntry(opened);
    await run.log.step(run.seq, { step: 'entered', ...entry, at: at ?? time });
  },
  // It is over as soon as it is entered.
  follow: async () => {},
  followsInTurn: false,
  correct(hedge, steps, by, now) {
    const before = entryOf(steps);
    if (before === null || hedge.state !== 'done') return USUAL.correct(hedge, steps, by, now);
    const { amounts, where = before.where, note = before.note, reason } = by;
    if (amounts === null) return { step: 'struck_out', reason };
    const { gave, got, feeUsd = before.feeUsd } = amounts;
    const { src, dest } = hedge.opened;
    const spent = gave === undefined ? before.spent : exactRaw(gave, src);
    const received = got === undefined ? before.received : exactRaw(got, dest);
    const at = by.at === undefined ? before.at : Date.parse(by.at);
    if (by.at !== undefined) expectPast(at, now);
    const after = { spent, received, feeUsd, where, at, note };
    if (isDeepStrictEqual(after, before)) throw new DeskError('bad_terms', 'This would change nothing of it.');
    return { step: 'corrected', ...after, before, reason };
  },
  stages: (hedge) => [['Entered', isEnded(hedge)]],
};

function expectPast(at: number, now: number): void {
  if (at > now) throw new DeskError('bad_terms', `${utcText(at)} is in the future.`);
}

/** What was entered. Amounts are raw units, `at` Unix milliseconds. Throws DeskError `bad_terms`. */
function typedEntry({ way, side, amount, src, dest }: HedgeOpened) {
  const read = waySchema.safeParse(way);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new DeskError('bad_terms', `What was done by hand: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.`);
  }
  const { other, where, at, feeUsd = '0', note = '' } = read.data;
  const raw = exactRaw(other, side === 'SELL' ? dest : src);
  const [spent, received] = side === 'SELL' ? [amount, raw] : [raw, amount];
  return { spent, received, feeUsd, where, note, at: at === undefined ? null : Date.parse(at) };
}

/** Raw units of an amount that a person typed. Throws DeskError `bad_terms` for one that the token cannot hold, and for nothing. */
function exactRaw(text: string, { symbol, decimals }: HedgeOpened['src']): string {
  const raw = toRaw(text, decimals);
  if (raw === 0n) throw new DeskError('bad_terms', `The amount of ${symbol} must be above zero.`);
  if (toRaw(text, decimals, 'ceil') !== raw) {
    throw new DeskError(
      'bad_terms',
      `${symbol} has ${decimals} decimals, and ${fromRaw(raw, decimals)} is not ${text}.`,
    );
  }
  return `${raw}`;
}
