import { DeskError } from '../../protocol/desk-error.ts';
import type { NftOrders } from '../../quoting/nft-orders.ts';
import { os } from './base.ts';

/** NFT orders signed by hand. Null where no desk runs: nothing is signed that nobody watches. */
export function nftOrderHandlers(orders: NftOrders | null) {
  const running = () => {
    if (orders !== null) return orders;
    throw new DeskError('no_running_desk', 'An order is signed by a running desk only.', {
      remedy: 'Start the desk with "makerdesk serve"; it watches the chain and knows what else is signed.',
    });
  };
  return {
    check: os.nftOrders.check.handler(({ input }) => running().check(input)),
    sign: os.nftOrders.sign.handler(({ input, context: { actor } }) => running().sign(input, actor)),
    signed: os.nftOrders.signed.handler(({ input: { chainId, orderHash } }) => running().signed(chainId, orderHash)),
  };
}
