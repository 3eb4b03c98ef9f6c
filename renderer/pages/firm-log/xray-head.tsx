import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Address } from '../../components/figures/address.tsx';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { signedBpsText } from '../../components/figures/bps.ts';
import { shortHex } from '../../components/figures/counts.ts';
import { preciseClockText, stampText } from '../../components/figures/times.ts';
import { QuoteState } from '../../components/quote-state.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { Fact, Facts, wholeText } from './facts.tsx';

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
      {quote.code !== null && (
        <p className="said">
          <b className="mono stop">{quote.code}</b> {REFUSALS[quote.code].sentence}
        </p>
      )}
      {quote.orderHash !== null && (
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
  const named = quote.given === 'makerAmount' ? gives : gets;
  const amount = quote.given === 'makerAmount' ? quote.makerAmount : quote.takerAmount;
  const bytes = new TextEncoder().encode(quote.requestBody).length;
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
        <p className="mono whole">{quote.requestBody}</p>
      </details>
    </Facts>
  );
}

interface Props {
  xray: QuoteXray;
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}
