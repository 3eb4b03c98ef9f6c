import type { ReactNode } from 'react';
import type { QuoteDetail } from '../../../electron/contract/quote-log.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { Address } from '../../components/figures/address.tsx';
import { allowanceText, type TokenFigure, wholeAmountText } from '../../components/figures/amounts.ts';
import { plural } from '../../components/figures/counts.ts';
import { clockText, preciseClockText } from '../../components/figures/times.ts';
import { QuoteState } from '../../components/quote-state.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { useTokenFinder } from '../../state/tokens.ts';

/** What was asked, what the guard saw, what was signed. All digits, and the raw integer below. */
export function QuoteFacts({ quote }: { quote: QuoteDetail }) {
  const find = useTokenFinder();
  const { base, quote: against, price } = useQuoteFigures(quote);
  const gives = find(quote.chainId, quote.makerAsset);
  const gets = find(quote.chainId, quote.takerAsset);
  const received = Date.parse(quote.time);
  return (
    <>
      <section className="facts-head">
        <p>
          <span className="chip">
            <QuoteState row={quote} />
          </span>
        </p>
        {quote.code !== null ? (
          <p className="said">
            <b className="mono stop">{quote.code}</b> {REFUSALS[quote.code].sentence}
          </p>
        ) : (
          <p className="said">
            We {quote.side === 'bids' ? 'buy' : 'sell'} <b>{amount(base.raw, base.token)}</b> for{' '}
            <b>{amount(against.raw, against.token)}</b>, at <b>{price ?? '—'}</b>.
          </p>
        )}
      </section>
      <Facts name="Request">
        <Fact name={preciseClockText(received)}>
          POST /firm, {plural(quote.requestBody.length, 'byte')}, from{' '}
          <b>{quote.counterparty ?? 'nobody in particular (no HMAC)'}</b>, answered in {quote.latencyMs.toFixed(2)} ms
        </Fact>
        <Fact name="Names">{quote.given === 'makerAmount' ? 'what we give' : 'what we get'}; we name the other</Fact>
        <Fact name="User">
          <Address hex={quote.userAddress} of="user’s address" />
        </Fact>
        <Fact name="Taker">
          <Address hex={quote.takerAddress} of="taker’s address" />
        </Fact>
        <Fact name="Body">
          <span className="mono whole">{quote.requestBody}</span>
        </Fact>
      </Facts>
      <Facts name="As read then">
        <Fact name="Ladder">{quote.ladderRevision === null ? '—' : `revision ${quote.ladderRevision}`}</Fact>
        <Fact name="Balance">{amount(quote.balance, gives)}</Fact>
        <Fact name="Allowance">
          {quote.allowance !== null && gives !== undefined
            ? allowanceText(quote.allowance, gives)
            : amount(quote.allowance, gives)}
        </Fact>
        <Fact name="Live, signed">{amount(quote.exposure, gives)}</Fact>
      </Facts>
      <Facts name="Order, as signed">
        <Fact name="makerAmount" raw={quote.makerAmount}>
          we give {amount(quote.makerAmount, gives)}
        </Fact>
        <Fact name="takerAmount" raw={quote.takerAmount}>
          we get {amount(quote.takerAmount, gets)}
        </Fact>
        <Fact name="filled" raw={quote.filledMakerAmount}>
          {amount(quote.filledMakerAmount, gives)}
        </Fact>
        <Fact name="maker">
          <Address hex={quote.maker} of="maker’s address" />
        </Fact>
        <Fact name="expiry" raw={quote.expiry === null ? null : String(quote.expiry)}>
          {quote.expiry === null ? '—' : `${clockText(quote.expiry * 1_000)} UTC`}
        </Fact>
        <Fact name="nonceAndMeta">
          <span className="mono whole">{quote.nonceAndMeta ?? 'not signed'}</span>
        </Fact>
        <Fact name="Order hash">
          <span className="mono whole">{quote.orderHash ?? 'not signed'}</span>
        </Fact>
        <Fact name="Signature">
          <span className="mono whole">{quote.signature ?? 'not signed'}</span>
        </Fact>
        <Fact name={`Row ${quote.seq}`}>
          <span className="mono whole">{quote.hash}</span>
        </Fact>
      </Facts>
    </>
  );
}

function Facts({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="facts">
      <h3>{name}</h3>
      <dl>{children}</dl>
    </section>
  );
}

function Fact({ name, raw, children }: { name: string; raw?: string | null; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {raw !== null && raw !== undefined && <span className="mono quiet raw">{raw}</span>}
      </dd>
    </div>
  );
}

function amount(raw: string | null, token: TokenFigure | undefined): string {
  if (raw === null) return '—';
  return token === undefined ? `${raw} raw` : `${wholeAmountText(raw, token.decimals)} ${token.symbol}`;
}
