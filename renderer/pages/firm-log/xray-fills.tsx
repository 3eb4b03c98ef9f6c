import type { MarkedFill } from '../../../electron/contract/quote-log.ts';
import type { QuoteXray } from '../../../electron/contract/quote-xray.ts';
import { Address } from '../../components/figures/address.tsx';
import type { TokenFigure } from '../../components/figures/amounts.ts';
import { markText } from '../../components/figures/bps.ts';
import { countText } from '../../components/figures/counts.ts';
import { clockText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Fact, Facts, wholeText } from './facts.tsx';

/** What became of it on the chain. */
export function XrayFills({ xray, gives, gets }: Props) {
  const { quote, fills, cancels } = xray;
  if (quote.orderHash === null) return null;
  const left = BigInt(quote.makerAmount ?? 0) - BigInt(quote.filledMakerAmount);
  return (
    <Facts name={fills.length === 1 ? 'Fill' : 'Fills'}>
      {fills.length + cancels.length === 0 && <p className="muted">Nothing on chain yet.</p>}
      <dl>
        {fills.map((fill) => (
          <Fact key={fill.seq} name={clockText(fill.time)}>
            <FillFacts fill={fill} gives={gives} gets={gets} />
          </Fact>
        ))}
        {cancels.map((cancel) => (
          <Fact key={cancel.transactionHash} name={clockText(cancel.time)}>
            cancelled on chain, block {countText(cancel.block)}{' '}
            <Address hex={cancel.transactionHash} of="transaction" />
            {cancel.reverted && <TakenBack />}
          </Fact>
        ))}
        {fills.length > 0 && left > 0n && (
          <Fact name="Left over">
            {wholeText(`${left}`, gives)}
            {quote.expiry !== null && <>, fillable until {stampText(quote.expiry * 1_000)} UTC</>}
          </Fact>
        )}
      </dl>
    </Facts>
  );
}

interface Props {
  xray: QuoteXray;
  gives: TokenFigure | undefined;
  gets: TokenFigure | undefined;
}

function FillFacts({ fill, gives, gets }: { fill: MarkedFill } & Omit<Props, 'xray'>) {
  return (
    <>
      <b>{wholeText(fill.makerAmount, gives)}</b> for <b>{wholeText(fill.takerAmount, gets)}</b>, block{' '}
      {countText(fill.block)}, <Address hex={fill.transactionHash} of="transaction" />
      {fill.reverted && <TakenBack />}
      <span className="raw">
        edge <b>{markText(fill.edge)}</b> · 10 s <b>{markText(fill.after10s)}</b> · 1 min{' '}
        <b>{markText(fill.after1m)}</b> · 5 min <b>{markText(fill.after5m)}</b> bps
      </span>
    </>
  );
}

function TakenBack() {
  return (
    <span className="attn with-mark">
      {' '}
      <Mark shape="cancelled" tone="attn" />
      taken back by a reorganisation
    </span>
  );
}
