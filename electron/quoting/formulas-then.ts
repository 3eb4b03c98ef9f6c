import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import type { ChainBook } from '../book/chain-book.ts';
import { priceFormula } from '../book/price-formula.ts';
import { volatilityOf } from '../book/volatility.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { type Formula, formulaOf } from '../contract/formula.ts';
import type { FormulaInputs } from '../contract/formula-prices.ts';
import type { WhatIfSettings } from '../contract/what-if.ts';
import type { FillBody } from '../journal/fills/events.ts';
import { type Move, movesOfFill } from '../journal/fills/positions.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { type HedgeRecord, movesOfHedge, openedHedge, steppedHedge } from '../journal/hedges/fold.ts';
import type { Address } from '../protocol/address.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { type PastRow, pastRows } from './past-desk.ts';
import { isOver, type samplesThen } from './samples-then.ts';

/** A desk works a formula out so often, milliseconds. */
const EVERY_MS = 1_000;

const NO_REFERENCE = 'what the reference of the pair said then is not kept, without which its formula has no price';
const NO_POSITION = 'what the desk was long or short of then cannot be read, which the formula asks for';

/** What other formulas would have made of their pairs, out of what was known at each moment. */
export class FormulasThen {
  readonly #formulas: NonNullable<WhatIfSettings['formulas']>;
  readonly #positions: PositionsThen;
  readonly #samples: ReturnType<typeof samplesThen>;
  /** What was made last of each pair: the requests of one second get the same. */
  readonly #made = new Map<string, { of: Formula; at: number; decimals: number; made: Ladder | { why: string } }>();

  constructor(db: Database, formulas: WhatIfSettings['formulas'], samples: ReturnType<typeof samplesThen>) {
    this.#formulas = formulas ?? {};
    this.#positions = new PositionsThen(db);
    this.#samples = samples;
  }

  /**
   * The ladder that a pair would have had at a row of the journal, worked out at the beginning of its second; an empty one where the
   * formula would have closed the pair. Null where nothing else would have priced it: it has no other formula, or a person had taken it
   * over. `why`: what is not known. Rows are asked for in their order.
   */
  ladderAt(
    chain: ChainBook,
    pair: string,
    { seq, time }: { seq: number; time: number },
  ): Ladder | { why: string } | null {
    const { chainId, config, pairs } = chain;
    const formula = formulaOf({ formulas: this.#formulas[`${chainId}`] }, pair);
    const base = pairs.get(pair)?.base;
    if (formula === null || base === undefined || config.byHand?.includes(pair)) return null;
    if (isDeepStrictEqual(formula, formulaOf(config, pair))) return null;
    const key = `${chainId} ${pair}`;
    const at = momentOfPrice(time);
    const last = this.#made.get(key);
    if (last?.at === at && last.of === formula && last.decimals === base.decimals) return last.made;
    const mostAgeMs = config.referenceMaxAgeSeconds * 1_000;
    const inputs = this.#inputs({ chainId, pair, base, formula }, { seq, at, mostAgeMs });
    const made = 'why' in inputs ? inputs : ladderOf(formula, inputs, base.decimals);
    this.#made.set(key, { of: formula, at, decimals: base.decimals, made });
    return made;
  }

  #inputs(
    {
      chainId,
      pair,
      base,
      formula,
    }: { chainId: number; pair: string; base: { address: Address; decimals: number }; formula: Formula },
    { seq, at, mostAgeMs }: { seq: number; at: number; mostAgeMs: number },
  ): FormulaInputs | { why: string } {
    const samples = this.#samples(chainId, pair);
    const said = samples.knownAt(at).at(-1);
    if (said === undefined || isOver(said, at, mostAgeMs)) return { why: NO_REFERENCE };
    const { inventory, volatility } = formula;
    const position = inventory === undefined ? null : this.#positions.at(seq, chainId, base.address);
    if (inventory !== undefined && position === null) return { why: NO_POSITION };
    const moved = volatility === undefined ? null : volatilityOf(samples.knownAt(at), volatility.windowSeconds, at);
    if (moved !== null && 'sentence' in moved) return { why: NO_REFERENCE };
    return {
      mid: said.text,
      ageMs: Math.max(0, at - said.midTime),
      position: position === null ? null : fromRaw(position, base.decimals),
      volatilityBps: moved?.bps ?? null,
    };
  }
}

/** When what a formula made by `time` was worked out, both Unix milliseconds. */
export function momentOfPrice(time: number): number {
  return Math.floor(time / EVERY_MS) * EVERY_MS;
}

function ladderOf(formula: Formula, inputs: FormulaInputs, decimals: number): Ladder {
  return priceFormula(formula, inputs, decimals).ladder;
}

const MOVES = ['fill', 'reverted', 'chain_reset', 'hedge_opened', 'hedge_step'];

/** What the desk was long or short of each token after a row of the journal, by its fills and hedges. */
class PositionsThen {
  readonly #db: Database;
  #rows: Generator<PastRow> | null = null;
  #next: PastRow | undefined;
  readonly #net = new Map<string, bigint>();
  readonly #fills = new Map<number, readonly Move[]>();
  readonly #hedges = new Map<number, HedgeRecord>();
  #isBroken = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Raw units, + is long; null where it cannot be read. */
  at(seq: number, chainId: number, token: Address): bigint | null {
    if (this.#rows === null) {
      this.#rows = pastRows(this.#db, Number.MAX_SAFE_INTEGER, MOVES);
      this.#next = this.#rows.next().value ?? undefined;
    }
    for (; this.#next !== undefined && this.#next.seq < seq; this.#next = this.#rows.next().value ?? undefined) {
      try {
        this.#take(this.#next);
      } catch {
        this.#isBroken = true;
      }
    }
    return this.#isBroken ? null : (this.#net.get(`${chainId} ${token}`) ?? 0n);
  }

  #take({ seq, time, actor, kind, body: text }: PastRow): void {
    const body = JSON.parse(text);
    switch (kind) {
      case 'fill': {
        const moves = movesOfFill(1n, body as FillBody);
        this.#fills.set(seq, moves);
        this.#move(moves, 1n);
        return;
      }
      case 'reverted':
        this.#move(this.#fills.get(body.eventSeq) ?? [], -1n);
        return;
      case 'chain_reset':
        for (const key of this.#net.keys()) if (key.startsWith(`${body.chainId} `)) this.#net.delete(key);
        return;
      case 'hedge_opened':
        this.#hedges.set(seq, openedHedge(seq, time, actor, body as HedgeOpened));
        return;
      default: {
        const before = this.#hedges.get(body.hedgeSeq);
        if (before === undefined) throw new Error(`Row ${body.hedgeSeq} opened no hedge.`);
        const after = steppedHedge(before, time, body.step);
        this.#hedges.set(body.hedgeSeq, after);
        this.#move(movesOfHedge(before, after), 1n);
      }
    }
  }

  #move(moves: readonly Move[], way: 1n | -1n): void {
    for (const { chainId, token, filled = 0n, hedged = 0n } of moves) {
      const key = `${chainId} ${token}`;
      this.#net.set(key, (this.#net.get(key) ?? 0n) + way * (filled + hedged));
    }
  }
}
