import type { Database } from 'better-sqlite3';
import { entryOf, type HedgeStep } from '../../contract/hedge-steps.ts';
import type { Rational } from '../../protocol/decimal.ts';
import { referenceAt } from '../book/reference-samples.ts';
import { costsOfHedge } from './costs.ts';
import type { HedgeRecord } from './fold.ts';
import { shareCost } from './share-hedge.ts';

/** What a hedge moved for one of its fills, raw units with sign, and what of its costs is that fill's, in dollars. */
export interface HedgeShare {
  hedgeSeq: number;
  base: bigint;
  /** Null where it ended in another token than the pair's quote, and moved something for this fill. */
  quote: bigint | null;
  /** Null where the worth of its gas is not known. */
  gas: Rational | null;
  fees: Rational;
  /** The reference when it was placed, or done elsewhere, quote per base; null without one. */
  mid: string | null;
}

type Row = { hedgeSeq: number; base: string; quote: string | null };
type Costs = { gas: Rational | null; fees: Rational };
type OfHedge = Costs & {
  mid: string | null;
  /** A share of it without base is nothing, in whatever token it ended. */
  isNothingWithoutBase: boolean;
};
type Place = { chainId: number; pair: string | null };
type Fill = Place & { seq: number };

/**
 * Finds the hedges of fills, oldest first. What it returns remembers hedges of many fills: it is made anew for each question.
 * Throws where the record of a hedge cannot be read.
 */
export function hedgeShares(db: Database): () => (fill: Fill) => HedgeShare[] {
  const ofFill = db.prepare<[number], Row>(
    'SELECT hedge_seq AS hedgeSeq, base, quote FROM hedge_fills WHERE fill_seq = ? ORDER BY hedge_seq',
  );
  const ofHedge = db.prepare<[number], { fillSeq: number; base: string }>(
    'SELECT fill_seq AS fillSeq, base FROM hedge_fills WHERE hedge_seq = ? ORDER BY fill_seq',
  );
  const record = db.prepare<[number], string>('SELECT record FROM hedges WHERE seq = ?').pluck();
  const steps = db
    .prepare<[number], string>(
      'SELECT j.body FROM hedge_steps s JOIN journal j ON j.seq = s.seq WHERE s.hedge_seq = ? ORDER BY s.seq',
    )
    .pluck();
  const costsOf = costsOfHedge(db);
  const stepOf = (text: string): HedgeStep => JSON.parse(text).step;
  const midAt = db
    .prepare<[Place & { time: number }], string | null>(
      `SELECT ${referenceAt({ chain: ':chainId', pair: ':pair', time: ':time' })}`,
    )
    .pluck();

  return () => {
    const known = new Map<number, (fill: Fill) => OfHedge>();
    const hedge = (seq: number) => {
      const read = known.get(seq) ?? readHedge(seq);
      known.set(seq, read);
      return read;
    };
    const readHedge = (seq: number): ((fill: Fill) => OfHedge) => {
      const text = record.get(seq);
      if (text === undefined) throw new Error(`hedge ${seq} is not there`);
      const own: HedgeRecord = JSON.parse(text);
      const fills = ofHedge.all(seq);
      const bases = fills.map(({ base }) => BigInt(base));
      const { gas, fees } = costsOf(own);
      const isNothingWithoutBase = movedNothing(own) || bases.some((base) => base !== 0n);
      const gasShares = gas === null ? null : shareCost(gas, bases);
      const feeShares = shareCost(fees, bases);
      const places = new Map(fills.map(({ fillSeq }, index) => [fillSeq, index]));
      const time = own.isEntered === true ? (entryOf(steps.all(seq).map(stepOf))?.at ?? own.time) : own.time;
      const mids = new Map<string, string | null>();
      const midOf = ({ chainId, pair }: Place) => {
        const name = `${chainId} ${pair}`;
        const mid = mids.get(name) ?? own.opened.referenceMid ?? midAt.get({ chainId, pair, time }) ?? null;
        mids.set(name, mid);
        return mid;
      };
      return (fill) => {
        const index = places.get(fill.seq) ?? 0;
        const costs = { gas: gasShares?.[index] ?? null, fees: feeShares[index] ?? NOTHING };
        return { ...costs, mid: midOf(fill), isNothingWithoutBase };
      };
    };
    return (fill) =>
      ofFill.all(fill.seq).map(({ hedgeSeq, base, quote }) => {
        const { isNothingWithoutBase, ...share } = hedge(hedgeSeq)(fill);
        const unknown = base === '0' && isNothingWithoutBase ? 0n : null;
        return { hedgeSeq, base: BigInt(base), quote: quote === null ? unknown : BigInt(quote), ...share };
      });
  };
}

function movedNothing({ spent, received, others = [] }: HedgeRecord): boolean {
  return spent === '0' && received === '0' && others.length === 0;
}

const NOTHING: Rational = { n: 0n, d: 1n };
