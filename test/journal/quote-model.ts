import type { QuoteState } from '../../electron/contract/quote-log.ts';

type Amounts = { maker: bigint; taker: bigint };

/** One signed or refused quote, told by what happened to it. */
type ModelQuote = {
  number: number;
  refused: boolean;
  withheld: boolean;
  overdue: boolean;
  fills: Map<number, Amounts>;
  cancels: Set<number>;
};

/** What a quote is of, in the plainest way: the events that stand are kept, and its state is read off them. */
export class QuoteModel {
  readonly #makerAmount: bigint;
  readonly quotes = new Map<number, ModelQuote>();

  constructor(makerAmount: bigint) {
    this.#makerAmount = makerAmount;
  }

  asked(seq: number, number: number, refused: boolean): void {
    const quote = { number, refused, withheld: false, overdue: false, fills: new Map(), cancels: new Set<number>() };
    this.quotes.set(seq, quote);
  }

  withheld(seq: number): void {
    const quote = this.quotes.get(seq);
    if (quote !== undefined) quote.withheld = true;
  }

  overdue(seqs: number[]): void {
    for (const seq of seqs) {
      const quote = this.quotes.get(seq);
      if (quote !== undefined && !quote.refused) quote.overdue = true;
    }
  }

  filled(seq: number, number: number, amounts: Amounts): void {
    this.#signed(number)?.fills.set(seq, amounts);
  }

  cancelled(seq: number, number: number): void {
    this.#signed(number)?.cancels.add(seq);
  }

  takenBack(eventSeq: number): void {
    for (const quote of this.quotes.values()) {
      quote.fills.delete(eventSeq);
      quote.cancels.delete(eventSeq);
    }
  }

  filledOf(seq: number): Amounts {
    const fills = [...(this.quotes.get(seq)?.fills.values() ?? [])];
    const sum = (of: keyof Amounts) => fills.reduce((total, fill) => total + fill[of], 0n);
    return { maker: sum('maker'), taker: sum('taker') };
  }

  stateOf(seq: number): QuoteState | undefined {
    const quote = this.quotes.get(seq);
    if (quote === undefined) return undefined;
    if (quote.refused) return 'refused';
    const { maker } = this.filledOf(seq);
    if (maker >= this.#makerAmount) return 'filled';
    if (quote.cancels.size > 0) return 'cancelled';
    if (quote.withheld) return 'withheld';
    if (quote.overdue) return 'expired';
    return maker === 0n ? 'live' : 'part_filled';
  }

  #signed(number: number): ModelQuote | undefined {
    return [...this.quotes.values()].find((quote) => quote.number === number && !quote.refused);
  }
}
