import type { NewEvent } from '../../electron/journal/events.ts';
import { CHAIN } from '../book/fixture.ts';
import { type OpenDesk, quotes, TAKER } from './open-desk.ts';

type FillEvent = Extract<NewEvent, { kind: 'fill' }>;

/**
 * A fill of the desk's n-th order, in whole tenths of it, as the chain's watcher would write it now. `place` is where it stands on the
 * chain: another for each.
 */
export async function filling(
  desk: OpenDesk,
  order: number,
  { tenths = 10, place }: { tenths?: number; place: number },
): Promise<FillEvent> {
  const signed = (await quotes(desk)).filter(({ orderHash }) => orderHash !== null)[order];
  if (signed?.orderHash == null || signed.makerAmount === null || signed.takerAmount === null) {
    throw new Error(`There is no order ${order}.`);
  }
  const part = (amount: string) => `${(BigInt(amount) * BigInt(tenths)) / 10n}`;
  const hash = `0x${place.toString(16).padStart(64, '0')}`;
  return {
    time: desk.now(),
    actor: 'chain',
    kind: 'fill',
    body: {
      chainId: CHAIN,
      orderHash: signed.orderHash,
      block: 1,
      blockHash: hash,
      blockTime: desk.now(),
      transactionHash: hash,
      logIndex: place,
      taker: TAKER,
      makerAsset: signed.makerAsset,
      takerAsset: signed.takerAsset,
      makerAmount: part(signed.makerAmount),
      takerAmount: part(signed.takerAmount),
    },
  };
}
