import { type HedgeRecord, isEnded } from '../journal/hedges/fold.ts';
import type { HedgeLog } from './hedge-log.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';

/**
 * Tells the guard what a hedge under way may still take of the maker's tokens, so that no quote is signed on the same
 * balance: all of it from the moment it is opened, less what it is known to have spent.
 */
export function tellWhatHedgeTakes(
  { guard, log: complain }: Pick<HedgeParts, 'guard' | 'log'>,
  log: Pick<HedgeLog, 'isRunning' | 'running' | 'last'>,
  hedge: HedgeRecord,
): void {
  const { seq, opened } = hedge;
  const { chainId, src, side, amount, way } = opened;
  const tell = (most: bigint, spent: string) =>
    guard.orders.of(chainId).hedgeTakes(seq, src.address, most - BigInt(spent));
  if (isEnded(hedge) || side === 'SELL') {
    tell(isEnded(hedge) ? 0n : BigInt(amount), isEnded(hedge) ? '0' : hedge.spent);
    return;
  }
  // The most that a purchase spends stands in what was built for it, which is before anything of it is signed.
  const built = way.mode === 'market' ? log.last(seq, 'swap_built') : log.last(seq, 'order_built');
  built.then(
    (step) => {
      if (step !== null && log.isRunning(seq)) tell(BigInt(step.most), log.running(seq).spent);
    },
    (error: unknown) => complain.warn('what a hedge takes is not known', { seq, error: sentenceOf(error) }),
  );
}
