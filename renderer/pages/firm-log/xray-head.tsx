import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Address } from '../../components/figures/address.tsx';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { signedBpsText } from '../../components/figures/bps.ts';
import { shortHex } from '../../components/figures/counts.ts';
import { preciseClockText, stampText } from '../../components/figures/times.ts';
import { QuoteState } from '../../components/quote-state.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { Fact, Facts, wholeText } from './facts.tsx';
import { isByHand } from './log-cells.tsx';

/** What it was, in one sentence. */
export function XrayHead({ xray: { quote } }: { xray: QuoteXray }) {
  const { base, quote: against, price } = useQuoteFigures(quote);
  return (
    <section className="facts-head">
      <p>
        <span className="chip">
          <QuoteState row={quote} />
        </span>
      </p>
      {quote.unreadable !== undefined && (
        <p className="said">
          <Unreadable seq={quote.seq} why={quote.unreadable} /> What was stored of it stands under the raw bytes.
        </p>
      )}
      {quote.code !== null && (
        <p className="said">
          <b className="mono stop">{quote.code}</b> {REFUSALS[quote.code].sentence}
        </p>
      )}
      {isByHand(quote) && <p className="said">Signed by hand. {quote.requestBody}</p>}
      {quote.orderHash !== null && !isByHand(quote) && (
        <p className="said">
          We {quote.side === 'bids' ? 'buy' : 'sell'} <b>{wholeText(base.raw, base.token)}</b> for{' '}
          <b>{wholeText(against.raw, against.token)}</b> {quote.side === 'bids' ? 'from' : 'to'}{' '}
          {shortHex(quote.userAddress)}, at <b>{price ?? '—'}</b>
          {quote.edgeTenthBps !== null && <> ({signedBpsText(quote.edgeTenthBps)} bps against the reference)</>}.
        </p>
      )}
    </section>
  );
}

/** What was asked, by whom, and how long the answer took. */
export function XrayRequest({ xray: { quote }, gives, gets }: Props) {
  const received = Date.parse(quote.time);
  if (isByHand(quote)) {
    return (
      <Facts name="By hand" aside={stampText(received).slice(0, -9)}>
        <dl>
          <Fact name={preciseClockText(received)}>a person confirmed the words above, and this is what was signed</Fact>
          <Fact name="Taker">
            <Address hex={quote.takerAddress} of="taker’s address" />
          </Fact>
        </dl>
      </Facts>
    );
  }
  const named = quote.given === 'makerAmount' ? gives : gets;
  const amount = quote.given === 'makerAmount' ? quote.makerAmount : quote.takerAmount;
  const bytes = quote.requestBytes ?? new TextEncoder().encode(quote.requestBody).length;
  return (
    <Facts name="Request" aside={stampText(received).slice(0, -9)}>
      <dl>
        <Fact name={preciseClockText(received)}>
          POST /firm, {bytes} bytes, from <b>{quote.counterparty ?? 'nobody in particular'}</b>
        </Fact>
        <Fact name="Auth">
          {quote.counterparty === null
            ? 'no HMAC is asked for: loopback only'
            : `HMAC of ${quote.counterparty} matches`}
        </Fact>
        <Fact name="Asks for" raw={amount === null ? null : `${quote.given} ${amount}`}>
          {quote.given === 'makerAmount' ? 'wants' : 'sells'} <b>{wholeText(amount, named)}</b>; we name the{' '}
          {(quote.given === 'makerAmount' ? gets : gives)?.symbol ?? 'other amount'}
        </Fact>
        <Fact name="User">
          <Address hex={quote.userAddress} of="user’s address" />
        </Fact>
        <Fact name="Took">
          <b>{quote.latencyMs.toFixed(2)} ms</b> from the first byte to the decision
        </Fact>
      </dl>
      <details>
        <summary className="quiet">raw bytes</summary>
        {quote.requestBytes === undefined ? (
          <p className="mono whole">{quote.requestBody}</p>
        ) : (
          <p className="quiet">Bodies of more than 2 KiB are not kept. What the request asked for is above.</p>
        )}
      </details>
    </Facts>
  );
}

interface Props {
  xray: QuoteXray;
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}
