import { prepareLadder } from '../book/ladder-check.ts';
import type { Draft, DraftLevel } from '../contract/book.ts';
import type { LadderPreview } from '../contract/ladder-preview.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Level } from '../protocol/wire.ts';
import { previewQuotes } from './preview-quotes.ts';
import { previewSide } from './preview-side.ts';
import type { ReferenceOf } from './references-of.ts';
import type { Rooms } from './rooms.ts';
import { strictTaste } from './strict-taste.ts';

/**
 * The effect of publishing the draft of a pair as it stands, worked out exactly as a firm request would be. Throws
 * DeskError `unknown_pair`.
 */
export function ladderPreview(
  { book, guard }: Pick<Rooms, 'book' | 'guard'>,
  referenceOf: ReferenceOf,
  chainId: number,
  id: string,
): LadderPreview {
  const draft = book.draft(chainId, id);
  const chain = book.chain(chainId);
  const pair = chain?.pairs.get(id);
  if (chain === undefined || pair === undefined) {
    throw new DeskError('unknown_pair', `${id} is not a pair of chain ${chainId}.`);
  }
  const reference = referenceOf(chainId, id);
  const ladder = soundLadder(draft);
  const sized = ladder === null ? null : prepareLadder(ladder, pair.base, pair.quote);
  // A draft that holds more than an order can carry cannot be published: there is nothing to show of it.
  const prepared = sized === null || sized.faults.length > 0 ? null : sized.prepared;
  return {
    chainId,
    pair: id,
    version: draft.version,
    revision: pair.ladder.revision,
    reference,
    quotes: previewQuotes({ chain, pair, guard, draft: prepared }),
    sides:
      ladder === null || prepared === null
        ? []
        : (['bids', 'asks'] as const).map((side) =>
            previewSide({
              chain,
              pair,
              guard,
              side,
              levels: ladder[side],
              prepared: prepared[side],
              reference,
            }),
          ),
    strict: ladder === null ? [] : strictTaste(chain, pair, ladder),
  };
}

/** The draft as a ladder, or null while a cell of it is wrong; what is live meanwhile does not matter here. */
export function soundLadder(draft: Draft): { bids: Level[]; asks: Level[] } | null {
  const faulty = [...draft.bids, ...draft.asks].some(
    ({ price, amount }) => price.fault !== null || amount.fault !== null,
  );
  if (faulty) return null;
  const level = ({ price, amount }: DraftLevel): Level => [price.value, amount.value];
  return { bids: draft.bids.map(level), asks: draft.asks.map(level) };
}
