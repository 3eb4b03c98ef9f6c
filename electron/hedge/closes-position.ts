import type { HedgeOpened } from '../journal/hedge-events.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { HedgeParts } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';

/**
 * While the desk is halted only what closes a position is sent, and only when a person said so: the source is held long by at
 * least what is sold, or the destination short by at least what is bought. Throws DeskError `halted`, `halted_unconfirmed`.
 */
export async function checkHalted(
  { guard, journal, now }: Pick<HedgeParts, 'guard' | 'journal' | 'now'>,
  { chainId, src, dest, side, amount }: Pick<HedgeOpened, 'chainId' | 'src' | 'dest' | 'side' | 'amount'>,
  confirmed: boolean,
): Promise<void> {
  if (!isHalted({ guard }, chainId)) return;
  const positions = await journal.read.positions(null, now());
  const netOf = ({ chainId: chain, address }: { chainId: number; address: string }) =>
    BigInt(positions.find(({ token }) => token.chainId === chain && token.address === address)?.net ?? '0');
  const closes = side === 'SELL' ? netOf(src) >= BigInt(amount) : -netOf(dest) >= BigInt(amount);
  if (!closes) {
    throw new DeskError('halted', 'The desk is halted, and this does not close a position: it would open one.', {
      remedy: 'Resume the desk, or hedge no more than the position.',
    });
  }
  if (confirmed) return;
  throw new DeskError('halted_unconfirmed', 'The desk is halted: say that this closes a position, then it is sent.', {
    remedy: 'Confirm it.',
  });
}
