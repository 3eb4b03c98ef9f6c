import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { HedgeParts } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';

type End = Pick<HedgeOpened['src'], 'chainId' | 'address'>;

/**
 * While the desk is halted only what closes a position is sent, and only when a person said so: the source is held long by at
 * least what is sold, or the destination short by at least what is bought, after all that runs already has come to its end.
 * Throws DeskError `halted`, `halted_unconfirmed`.
 */
export async function checkHalted(
  { guard, journal, now }: Pick<HedgeParts, 'guard' | 'journal' | 'now'>,
  { chainId, src, dest, side, amount }: Pick<HedgeOpened, 'chainId' | 'src' | 'dest' | 'side' | 'amount'>,
  { confirmed, running }: { confirmed: boolean; running: readonly HedgeRecord[] },
): Promise<void> {
  if (!isHalted({ guard }, chainId)) return;
  const positions = await journal.read.positions(null, now());
  // A position that cannot be read is none that could be closed: its figures are 0.
  const netOf = (end: End) => BigInt(positions.find(({ token }) => isSame(token, end))?.net ?? '0');
  const sells = side === 'SELL';
  let room: bigint | null = sells ? netOf(src) : -netOf(dest);
  for (const hedge of running) {
    const left = leftOf(hedge, sells ? src : dest, sells);
    room = room === null || left === null ? null : room - left;
  }
  if (room === null || room < BigInt(amount)) {
    throw new DeskError('halted', 'The desk is halted, and this does not close a position: it would open one.', {
      remedy: 'Resume the desk, or hedge no more than what is left of the position when the hedges that run are done.',
    });
  }
  if (confirmed) return;
  throw new DeskError('halted_unconfirmed', 'The desk is halted: say that this closes a position, then it is sent.', {
    remedy: 'Confirm it.',
  });
}

/** What a hedge that runs may still sell of this token, or buy of it; null where that is not fixed. */
function leftOf({ opened, spent, received }: HedgeRecord, end: End, sells: boolean): bigint | null {
  if (!isSame(sells ? opened.src : opened.dest, end)) return 0n;
  if ((opened.side === 'SELL') !== sells) return null;
  const left = BigInt(opened.amount) - BigInt(sells ? spent : received);
  return left > 0n ? left : 0n;
}

function isSame(one: End, other: End): boolean {
  return one.chainId === other.chainId && one.address === other.address;
}
