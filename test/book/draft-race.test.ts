import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft, DraftEdit } from '../../electron/contract/book.ts';
import { howOften } from '../how-often.ts';
import { CHAIN, chain, configuredBook, type OpenBook } from './fixture.ts';

const PAIR = 'WETH/USDC';
const LADDER = {
  bids: [
    ['100', '1'],
    ['100', '2'],
  ],
  asks: [
    ['101', '3'],
    ['101', '4'],
  ],
};
const EDITORS = ['mara', 'jon', 'ada'] as const;
type Editor = (typeof EDITORS)[number];

const step = fc.record({
  who: fc.constantFrom(...EDITORS),
  what: fc.constantFrom('look', 'set', 'set', 'set', 'insert', 'remove', 'publish', 'discard'),
  side: fc.constantFrom('bids' as const, 'asks' as const),
  level: fc.nat(2),
});
type Step = { who: Editor; what: string; side: 'bids' | 'asks'; level: number };

describe('However editors race', () => {
  it("nobody's change is lost unless somebody who saw it took it away, and nothing is published unseen", async () => {
    const desk = await configuredBook({ version: 1, chains: [chain({ prices: { [PAIR]: LADDER } })] });
    let lastAmount = 10;
    const amount = () => {
      lastAmount += 1;
      return String(lastAmount);
    };
    const run = async (batches: Step[][]) => {
      const race = new Race(desk);
      await race.begin();
      for (const batch of batches) await Promise.all(batch.map((each) => race.take(each, amount())));
      race.end();
      race.judge();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }), run),
      {
        numRuns: howOften(25, 250),
      },
    );
  });
});

/** Editors who each act on the draft as they last saw it, and a record of what became of it. */
class Race {
  readonly #desk: OpenBook;
  readonly #seen = new Map<Editor, Draft>();
  /** Every state of the draft, oldest first. */
  readonly #history: Draft[] = [];
  /** Who made a version, and which version they had seen before. */
  readonly #madeBy = new Map<number, { who: string; seen: number }>();
  /** Which version wrote an amount; each is written once. */
  readonly #writtenIn = new Map<string, { who: Editor; version: number }>();
  #stop: () => void = () => undefined;

  constructor(desk: OpenBook) {
    this.#desk = desk;
  }

  async begin(): Promise<void> {
    const draft = await this.#desk.book.discard(CHAIN, PAIR, 'referee');
    for (const who of EDITORS) this.#seen.set(who, draft);
    this.#history.push(draft);
    this.#stop = this.#desk.book.onDraft((each) => this.#history.push(each));
  }

  end(): void {
    this.#stop();
  }

  async take({ who, what, side, level }: Step, amount: string): Promise<void> {
    const { book } = this.#desk;
    const seen = this.#seen.get(who);
    if (seen === undefined) return;
    try {
      if (what === 'look') this.#seen.set(who, book.draft(CHAIN, PAIR));
      else if (what === 'discard') this.#made(who, seen.version, await book.discard(CHAIN, PAIR, who, seen.version));
      else if (what === 'publish') {
        const { ladder, revision } = await book.publish(CHAIN, PAIR, seen.version, who);
        expect(amountsOf(ladder)).toEqual(amountsIn(seen));
        expect(book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision).toBeGreaterThanOrEqual(revision);
      } else {
        const draft = await book.edit(CHAIN, PAIR, [editFor(what, side, level, amount)], who, seen.version);
        if (what !== 'remove') this.#writtenIn.set(amount, { who, version: draft.version });
        this.#made(who, seen.version, draft);
      }
    } catch (error) {
      expect(['draft_changed', 'no_such_level', 'ladder_moved', 'draft_faulty']).toContain(
        (error as { code?: string }).code,
      );
    }
  }

  judge(): void {
    for (const [index, draft] of this.#history.entries()) {
      const before = this.#history[index - 1];
      if (before === undefined) continue;
      expect(draft.version).toBeGreaterThan(before.version);
      const now = new Set(amountsIn(draft));
      for (const amount of amountsIn(before).filter((each) => !now.has(each))) {
        const written = this.#writtenIn.get(amount);
        const taker = this.#madeBy.get(draft.version);
        if (written === undefined) continue;
        expect(taker, `version ${draft.version} lost ${amount}`).toBeDefined();
        if (taker && taker.who !== written.who) expect(taker.seen).toBeGreaterThanOrEqual(written.version);
      }
    }
    for (const [amount, { version }] of this.#writtenIn) {
      expect(amountsIn(this.#history.find((draft) => draft.version === version))).toContain(amount);
    }
  }

  #made(who: Editor, seen: number, draft: Draft): void {
    this.#madeBy.set(draft.version, { who, seen });
    this.#seen.set(who, draft);
  }
}

function editFor(what: string, side: 'bids' | 'asks', level: number, amount: string): DraftEdit {
  if (what === 'remove') return { kind: 'remove', side, level };
  if (what === 'insert') return { kind: 'insert', side, level, price: side === 'bids' ? '100' : '101', amount };
  return { kind: 'set', side, level, field: 'amount', value: amount };
}

function amountsIn(draft: Draft | undefined): string[] {
  return [...(draft?.bids ?? []), ...(draft?.asks ?? [])].map(({ amount }) => amount.value);
}

function amountsOf({ bids, asks }: { bids: [string, string][]; asks: [string, string][] }): string[] {
  return [...bids, ...asks].map(([, amount]) => amount);
}
