import type { Database } from 'better-sqlite3';
import { nftText } from '../../contract/quote-log.ts';
import { bytesOf } from '../hex-bytes.ts';
import { amount, named, type PastRows, shortened, type TellingsOf, words } from '../telling.ts';
import type { FILL_EVENTS } from './events.ts';

type Ours = { seq: number; pair: string | null };

/** What the chain said of our orders and balances. */
export function tellFills(past: PastRows, db: Database): TellingsOf<typeof FILL_EVENTS> {
  const ours = db.prepare<[Buffer, number], Ours>(
    'SELECT seq, pair FROM quotes INDEXED BY quotes_by_hash WHERE order_hash = ? AND chain_id = ?',
  );
  const ofOrder = (chainId: number, orderHash: string) => {
    const quote = /^0x[0-9a-f]{64}$/i.test(orderHash) ? ours.get(bytesOf(orderHash), chainId) : undefined;
    return { chainId, pair: quote?.pair, ...(quote !== undefined && { quote: quote.seq }) };
  };
  return {
    fill: {
      name: 'Fill',
      group: 'fills',
      concerns: ({ seq, body }) => ({ ...ofOrder(body.chainId, body.orderHash), fill: seq }),
      say: ({ body }) => {
        const { chainId, makerAsset, takerAsset, makerAmount, takerAmount, makerNft, takerNft, taker, block } = body;
        const unknown = ofOrder(chainId, body.orderHash).quote === undefined;
        return [
          words('we gave '),
          makerNft === undefined
            ? amount(makerAmount, past.token(chainId, makerAsset), 'after')
            : { text: nftText(makerNft, makerAmount), as: 'after' },
          words(' for '),
          takerNft === undefined
            ? amount(takerAmount, past.token(chainId, takerAsset), 'after')
            : { text: nftText(takerNft, takerAmount), as: 'after' },
          words(` to ${shortened(taker)}, block ${block}${unknown ? ': an order that this desk never signed' : ''}`),
        ];
      },
    },
    cancel: {
      name: 'Order cancelled',
      group: 'fills',
      concerns: ({ body }) => ofOrder(body.chainId, body.orderHash),
      say: ({ body: { orderHash, block } }) => [
        words(`the order ${shortened(orderHash)} is cancelled on chain, block ${block}`),
      ],
    },
    reverted: {
      name: 'Taken back',
      group: 'fills',
      concerns: ({ body }) => ofOrder(body.chainId, body.orderHash),
      say: ({ body: { eventSeq, orderHash, cause } }) => {
        const what = past.at(eventSeq)?.kind === 'cancel' ? 'cancel' : 'fill';
        const of = `the ${what} of row ${eventSeq}, order ${shortened(orderHash)}`;
        return [
          words(
            cause === 'never_there' ? `${of}, is on no chain: two nodes say so` : `a reorganisation took back ${of}`,
          ),
        ];
      },
    },
    drift: {
      name: 'Balance drift',
      group: 'fills',
      concerns: ({ body: { chainId } }) => ({ chainId }),
      say: ({ body: { chainId, token, amount: raw, fromBlock, block } }) => [
        words(`the balance at ${named(past.token(chainId, token)?.symbol ?? shortened(token), 16)} changed by `),
        { text: raw.startsWith('-') ? '' : '+', as: 'after' },
        amount(raw, past.token(chainId, token), 'after'),
        words(` besides fills and transfers, blocks ${fromBlock} to ${block}`),
      ],
    },
  };
}
