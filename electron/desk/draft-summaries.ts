import type { Draft } from '../contract/book.ts';
import type { DraftSummary } from '../contract/ladder-preview.ts';
import type { Rooms } from './rooms.ts';

/** Every draft that differs from what is live, pair by pair in the order of the book. */
export function draftSummaries({ book }: Pick<Rooms, 'book'>): DraftSummary[] {
  return book.chains().flatMap((chain) =>
    [...chain.pairs.values()].flatMap((pair) => {
      const draft = book.draft(chain.chainId, pair.id);
      const { bids, asks } = pair.ladder.ladder;
      const cells = changedCells(draft);
      const removed = Math.max(0, bids.length - draft.bids.length) + Math.max(0, asks.length - draft.asks.length);
      if (cells.length === 0 && removed === 0) return [];
      const cellFaults = cellsOf(draft).filter(({ fault }) => fault !== null).length;
      const ladderFaults = draft.faults.filter((fault) => !/^(bids|asks)\[[0-9]+\]/.test(fault)).length;
      return {
        chainId: chain.chainId,
        pair: pair.id,
        version: draft.version,
        cells: cells.length + 2 * removed,
        editors: [...new Set(cells.flatMap(({ editor }) => editor ?? []))],
        faults: cellFaults + ladderFaults,
        bestBid: draft.bids[0]?.price.value ?? null,
        bestAsk: draft.asks[0]?.price.value ?? null,
        liveBid: bids[0]?.[0] ?? null,
        liveAsk: asks[0]?.[0] ?? null,
      };
    }),
  );
}

function cellsOf({ bids, asks }: Draft) {
  return [...bids, ...asks].flatMap(({ price, amount }) => [price, amount]);
}

function changedCells(draft: Draft) {
  return cellsOf(draft).filter(({ editor }) => editor !== null);
}
