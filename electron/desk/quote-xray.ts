import type { ChainBook } from '../book/chain-book.ts';
import type { QuoteDetail } from '../contract/quote-log.ts';
import type { QuoteXray } from '../contract/quote-xray.ts';
import type { JournalReader } from '../journal/queries.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { toRaw } from '../protocol/decimal.ts';
import { orNull } from '../protocol/or-null.ts';
import { quotePreimage } from './quote-preimage.ts';
import { quoteWalk } from './quote-walk.ts';
import type { Rooms } from './rooms.ts';

type Read = Pick<JournalReader, 'ladderRevision' | 'referenceAt' | 'askedInMinute' | 'fillsOfQuote' | 'cancelsOfQuote'>;

/** Everything a quote's decision depended on, from its row and worked out once more. */
export async function xrayOf(quote: QuoteDetail, { journal, book, now }: Pick<Rooms, 'journal' | 'book' | 'now'>) {
  const read: Read = journal.read;
  const { chainId, pair, ladderRevision, seq } = quote;
  const time = Date.parse(quote.time);
  const chain = book.chain(chainId);
  const [published, reference, userLastMinute, fills, cancels] = await Promise.all([
    pair === null || ladderRevision === null ? null : read.ladderRevision(chainId, pair, ladderRevision),
    pair === null ? null : read.referenceAt(chainId, pair, time),
    read.askedInMinute(quote.userAddress, seq, time),
    read.fillsOfQuote(seq, now()),
    read.cancelsOfQuote(seq),
  ]);
  const xray: QuoteXray = {
    quote,
    reference,
    userLastMinute,
    fills,
    cancels,
    walk: chain === undefined || published === null ? null : orNull(() => quoteWalk(quote, published, chain)),
    preimage: chain === undefined ? null : orNull(() => quotePreimage(quote, chain)),
    limits: chain === undefined ? null : limitsNow(quote, chain),
  };
  return xray;
}

/** The limits that hold now for what the quote gives; a limit of zero is off. */
function limitsNow({ makerAsset, takerAddress }: QuoteDetail, chain: ChainBook): QuoteXray['limits'] {
  const { limits, reserve, takers } = chain.config;
  const [tokenId, token] = [...chain.tokens].find(([, { address }]) => address === makerAsset) ?? ['', undefined];
  const raw = (text: string | undefined) =>
    token === undefined || text === undefined ? 0n : toRaw(text, token.decimals, 'floor');
  const orOff = (amount: bigint) => (amount === 0n ? null : boundedAmount(amount));
  return {
    maxQuote: orOff(raw(limits.maxQuote[tokenId])),
    maxOutstanding: orOff(raw(limits.maxOutstanding[tokenId])),
    reserve: boundedAmount(raw(reserve[tokenId])),
    quotesPerUserPerMinute: limits.quotesPerUserPerMinute,
    ladderMaxAgeSeconds: limits.ladderMaxAgeSeconds,
    takerListed: takers.length === 0 ? null : takers.includes(takerAddress),
  };
}
