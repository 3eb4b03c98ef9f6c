import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { priceFormula, whyClosed } from '../book/price-formula.ts';
import { type Formula, formulaOf } from '../contract/formula.ts';
import type { FormulaClosing, FormulaRow, TriedFormula } from '../contract/formula-prices.ts';
import { fromRaw } from '../protocol/decimal.ts';
import type { ReferencePolls } from './reference-polls.ts';
import type { Rooms } from './rooms.ts';

type Parts = Pick<Rooms, 'book' | 'now'> & { references: Pick<ReferencePolls, 'inputs' | 'references'> };

/** The formulas of a chain, of one pair or of all, with what they give now. */
export function formulaRows(parts: Parts, chain: ChainBook, only?: string): FormulaRow[] {
  const { chainId, config, pairs } = chain;
  return [...pairs.values()].flatMap((pair) => {
    const formula = formulaOf(config, pair.id);
    if (formula === null || (only !== undefined && only !== pair.id)) return [];
    const isByHand = config.byHand?.includes(pair.id) === true;
    return [
      {
        chainId,
        pair: pair.id,
        formula,
        pricedBy: isByHand ? 'hand' : 'formula',
        ...triedFormula(parts, chain, pair, formula),
        served: parts.book.servedBy(chainId, pair.id),
      },
    ];
  });
}

/** What a formula gives of a pair by what is known now. */
export function triedFormula(
  { book, now, references }: Parts,
  chain: ChainBook,
  pair: BookPair,
  formula: Formula,
): TriedFormula {
  const { chainId, config } = chain;
  const reference = book.references.of(chainId, pair.id);
  if (reference === undefined) return { why: 'nothing is known of its reference', now: null, closings: [] };
  const inputs = references.inputs.of(chainId, pair, formula, reference);
  const ofReference = [
    ageClosing(now() - reference.time, config.referenceMaxAgeSeconds),
    ...sourceClosings(references.references(chainId).find((line) => line.pair === pair.id)),
  ];
  const isOld = ofReference[0]?.why ?? null;
  if ('kind' in inputs) {
    const why = 'sentence' in inputs ? inputs.sentence : null;
    return { why: isOld ?? reference.heldBack ?? why, now: null, closings: sorted(ofReference) };
  }
  const price = priceFormula(formula, inputs, pair.base.decimals);
  const why = isOld ?? whyClosed(price) ?? reference.heldBack;
  return { why, now: price, closings: sorted([...ofReference, ...price.closings]) };
}

function ageClosing(ageMs: number, mostSeconds: number): FormulaClosing {
  const age = fromRaw(BigInt(Math.max(0, ageMs)), 3);
  const isOld = ageMs > mostSeconds * 1_000;
  return {
    by: 'age',
    closes: 'pair',
    now: age,
    limit: `${mostSeconds}`,
    nearPercent: percent(ageMs, mostSeconds * 1_000),
    why: isOld ? `its reference is ${(Math.ceil(ageMs / 100) / 10).toFixed(1)} s old, limit ${mostSeconds} s` : null,
  };
}

/** Of a pair with several sources: how many of them count, and how far they are apart. */
function sourceClosings(line: ReturnType<ReferencePolls['references']>[number] | undefined): FormulaClosing[] {
  if (line === undefined || line.sources.length === 1) return [];
  const { sources, atLeast, apartTenthBps, apartBps, why } = line;
  const fresh = sources.filter(({ use }) => use === 'mid' || use === 'counted').length;
  const isFew = fresh < atLeast;
  const few: FormulaClosing = {
    by: 'sources_fresh',
    closes: 'pair',
    now: `${fresh}`,
    limit: `${atLeast}`,
    nearPercent: isFew ? 100 : percent(atLeast, fresh),
    why: isFew ? why : null,
  };
  if (apartBps === 0) return [few];
  const apart: FormulaClosing = {
    by: 'sources_apart',
    closes: 'pair',
    now: apartTenthBps === null ? null : fromRaw(BigInt(apartTenthBps), 1),
    limit: `${apartBps}`,
    nearPercent: percent(apartTenthBps ?? 0, apartBps * 10),
    why: isFew ? null : why,
  };
  return [few, apart];
}

/** Of plain counts, not of money. */
function percent(now: number, limit: number): number {
  return Math.min(100, Math.max(0, Math.floor((now * 100) / limit)));
}

/** What closes now first, then the nearest. */
function sorted(closings: readonly FormulaClosing[]): FormulaClosing[] {
  const isOpen = ({ why }: FormulaClosing) => Number(why === null);
  return [...closings].sort((a, b) => isOpen(a) - isOpen(b) || b.nearPercent - a.nearPercent);
}
