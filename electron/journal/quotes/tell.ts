import type { SentencePart } from '../../contract/journal.ts';
import { nftText } from '../../contract/quote-log.ts';
import { REFUSALS } from '../../contract/refusal.ts';
import {
  amount,
  counted,
  named,
  type PastRows,
  quoted,
  shortened,
  type TellingsOf,
  type ToldRow,
  user,
  words,
} from '../telling.ts';
import type { NftOrderBody, QUOTE_EVENTS, QuoteBody } from './events.ts';

/** Quotes, and what became of them. */
export function tellQuotes(past: PastRows): TellingsOf<typeof QUOTE_EVENTS> {
  const much = (chainId: number, address: string, raw: string | null, as?: 'after'): SentencePart =>
    raw === null ? { text: 'nothing', as } : amount(raw, past.token(chainId, address), as);
  const signed = (body: QuoteBody): SentencePart[] => {
    const { chainId, side, makerAsset, takerAsset, makerAmount, takerAmount, makerNft, takerNft } = body;
    const gives: SentencePart =
      makerNft === undefined
        ? much(chainId, makerAsset, makerAmount, 'after')
        : { text: nftText(makerNft, makerAmount ?? '1'), as: 'after' };
    // As in the firm log: what we pay in quote tokens is cut up.
    if (side === 'bids' && gives.amount !== undefined) gives.amount.up = true;
    return [
      words('we give '),
      gives,
      words(' for '),
      takerNft === undefined
        ? much(chainId, takerAsset, takerAmount, 'after')
        : { text: nftText(takerNft, takerAmount ?? '1'), as: 'after' },
    ];
  };
  const ofQuote = (seq: number) => past.at(seq) as ToldRow<QuoteBody> | undefined;

  return {
    quote: {
      name: 'Quote',
      group: 'quotes',
      concerns: ({ seq, body: { chainId, pair } }) => ({ chainId, pair, quote: seq }),
      say: ({ body }) => {
        const to = [words(' to '), ...user(past, body.userAddress)];
        if (body.code === null) return [words('signed: '), ...signed(body), ...to];
        const asked = body.given === 'makerAmount' ? body.makerAmount : body.takerAmount;
        const asset = body.given === 'makerAmount' ? body.makerAsset : body.takerAsset;
        return [
          words('refused '),
          asked === null ? words('a quote') : much(body.chainId, asset, asked),
          ...to,
          words(': '),
          { text: named(body.code), as: 'after' },
          ...quoted(REFUSALS[body.code]?.sentence),
        ];
      },
    },
    nft_order: {
      name: 'NFT order',
      group: 'quotes',
      concerns: ({ seq, body: { chainId, pair } }) => ({ chainId, pair, quote: seq }),
      say: ({ body }: ToldRow<NftOrderBody>) => [
        words('signed an order by hand: '),
        ...signed(body),
        words(' to '),
        ...user(past, body.takerAddress),
      ],
    },
    quote_withheld: {
      name: 'Quote withheld',
      group: 'quotes',
      concerns: ({ body: { chainId, quoteSeq } }) => ({ chainId, pair: ofQuote(quoteSeq)?.body.pair, quote: quoteSeq }),
      say: ({ body: { quoteSeq, code } }) => [
        words(`withheld the signed quote of row ${quoteSeq}: `),
        { text: named(code), as: 'after' },
        ...quoted(REFUSALS[code]?.sentence),
      ],
    },
    quotes_expired: {
      name: 'Quotes expired',
      group: 'quotes',
      concerns: ({ body: { chainId, quoteSeqs } }) => {
        const [only] = quoteSeqs;
        return quoteSeqs.length === 1 && only !== undefined
          ? { chainId, pair: ofQuote(only)?.body.pair, quote: only }
          : { chainId };
      },
      say: ({ body: { quoteSeqs } }) => [
        words(`${counted(quoteSeqs.length, 'signed quote')} can no longer be filled: the time is over`),
      ],
    },
    chain_reset: {
      name: 'Chain reset',
      group: 'desk',
      concerns: ({ body: { chainId } }) => ({ chainId, wide: true }),
      say: ({ body: { quoteSeqs, genesis, reason } }) => [
        words(
          `the chain was reset${genesis === undefined ? '' : `, first block ${shortened(genesis)}`}; ${counted(quoteSeqs.length, 'open quote')} ended`,
        ),
        ...quoted(reason),
      ],
    },
  };
}
