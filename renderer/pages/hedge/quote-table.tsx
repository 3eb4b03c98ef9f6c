import type { ReactNode } from 'react';
import type { HedgeQuote, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { decimalText, distanceBpsText } from '../../components/figures/prices.ts';
import { ageText, countdownText } from '../../components/figures/times.ts';
import { Note } from '../../components/note.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { cutAmount, exactAmount } from './hedge-words.ts';

type WayName = 'market' | 'intent';
const WAYS: readonly WayName[] = ['market', 'intent'];
const NAMES = { market: 'Market', intent: 'Intent' } as const;

/** Market against intent, line by line: what each gives, what it costs, whom it needs. `used` is the one the ticket takes. */
export function QuoteTable({ quote, used }: { quote: HedgeQuote; used: WayName }) {
  const { side, src, dest, fallback } = quote;
  const against = side === 'SELL' ? dest : src;
  const priced = WAYS.flatMap((name) => quote[name].quote ?? []);
  const places = Math.min(...priced.map((way) => readablePlaces(way.price)));
  const price = (decimal: string | null) => (decimal === null ? 'not known' : decimalText(decimal, places));
  if (priced.length === 0) {
    return (
      <Empty title="Nobody quotes this now">
        {WAYS.map((name) => `${NAMES[name]}: ${quote[name].fault ?? 'no price.'}`).join(' ')}
      </Empty>
    );
  }
  const line = (name: string, say: (way: QuotedWay) => ReactNode, look = '') => (
    <tr>
      <th scope="row">{name}</th>
      {WAYS.map((way) => (
        <td
          key={way}
          className={`${look} ${way === used ? 'is-used' : ''}`}
          data-may-clip={look === 'q-through' ? '' : undefined}
        >
          {cellOf(quote[way].quote, say)}
        </td>
      ))}
    </tr>
  );
  return (
    <>
      <table className="grid quote-table">
        <thead>
          <tr>
            <th className="q-name">
              <span className="only-read">Per way</span>
            </th>
            {WAYS.map((way) => (
              <th key={way} scope="col" className={way === used ? 'is-used' : ''}>
                <b>{NAMES[way]}</b> <Verdict quote={quote} way={way} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WAYS.some((way) => quote[way].quote === null) && (
            <tr>
              <th scope="row">Quote</th>
              {WAYS.map((way) => (
                <td
                  key={way}
                  className={`q-fault ${way === used ? 'is-used' : ''}`}
                  title={quote[way].fault ?? undefined}
                >
                  {quote[way].quote === null ? (quote[way].fault ?? 'none') : 'yes'}
                </td>
              ))}
            </tr>
          )}
          {line(side === 'SELL' ? 'We get' : 'We pay', (way) => amountOf(way, side, against), 'q-amount')}
          {line(side === 'SELL' ? 'At least' : 'At most', (way) =>
            cutAmount(way.bound, against, side === 'SELL' ? 'down' : 'up'),
          )}
          {line(`Price, ${dest.symbol}`, (way) => price(way.price))}
          {line('After gas', (way) => price(way.priceAfterGas))}
          {line('Gas', gasOf)}
          {line('Fee in it', feeOf)}
          {line('Through', (way) => (
            <span title={way.via.join(' → ')}>{viaOf(way)}</span>
          ))}
          {line('Spender', (way) =>
            way.spender === null ? 'none' : <Address hex={way.spender} of="spender’s address" />,
          )}
        </tbody>
      </table>
      {fallback !== null && (
        <Note level="note" title="No intent price: the service falls back to the market.">
          {fallback.sentence}
        </Note>
      )}
    </>
  );
}

/** How old the quote is, and how long what it says can be built on. */
export function QuoteAge({ quote, way }: { quote: HedgeQuote; way: QuotedWay | null }) {
  const now = useDeskNow();
  const left = way === null ? null : way.expiresAt - now;
  return (
    <span className="live-figure" role="timer" aria-label="Age of the quote">
      {ageText(now - quote.at)} old
      {left !== null && (left > 0 ? ` · good for ${countdownText(left)}` : <b className="stop"> · too old</b>)}
    </span>
  );
}

/** By how much a way is better after everything that is known to cost. */
function Verdict({ quote, way }: { quote: HedgeQuote; way: WayName }) {
  const [mine, other] = [quote[way].quote, quote[way === 'market' ? 'intent' : 'market'].quote];
  if (quote.better !== way || mine === null || other === null) return null;
  const isAfterGas = mine.priceAfterGas !== null && other.priceAfterGas !== null;
  const bps = isAfterGas
    ? distanceBpsText(mine.priceAfterGas ?? '', other.priceAfterGas ?? '')
    : distanceBpsText(mine.price, other.price);
  return (
    <span
      className="chip is-outline"
      title={isAfterGas ? 'After gas and fees' : 'After fees; gas is not known of both'}
    >
      better{bps === null ? '' : ` by ${bps.replace('+', '')} bps`}
    </span>
  );
}

function cellOf(way: QuotedWay | null, say: (way: QuotedWay) => ReactNode): ReactNode {
  return way === null ? <span className="quiet">—</span> : say(way);
}

function amountOf(way: QuotedWay, side: HedgeQuote['side'], against: HedgeToken): ReactNode {
  const raw = side === 'SELL' ? way.destAmount : way.srcAmount;
  return (
    <span title={`${exactAmount(raw, against)}, ${raw} raw units`}>
      {cutAmount(raw, against, side === 'SELL' ? 'down' : 'up')}
    </span>
  );
}

/** An intent's gas is paid by whoever fills it, who has it in his price. */
function gasOf({ gas }: QuotedWay): string {
  if (gas.usd === null) return 'not said';
  return gas.units === null && !/[1-9]/.test(gas.usd) ? 'in the price' : `$${centsText(gas.usd)}`;
}

/** Cents, cut up: it is what we pay. */
function centsText(usd: string): string {
  return decimalText(usd, 2, 'up');
}

/** As many decimals as show six digits that are not leading zeros, two at least. */
function readablePlaces(price: string): number {
  const [whole = '0', fraction = ''] = price.replace('-', '').split('.');
  if (whole !== '0') return Math.max(2, 6 - whole.length);
  return (/^0*/.exec(fraction)?.[0].length ?? 0) + 6;
}

function feeOf({ fees }: QuotedWay): string {
  const parts = [
    fees.percent === null ? null : `${fees.percent}\u00a0%`,
    fees.usd === null ? null : `$${centsText(fees.usd)}`,
    fees.partner,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'none said' : parts.join(' · ');
}

function viaOf({ via, bridge }: QuotedWay): string {
  const crossing =
    bridge === null ? [] : [`${bridge.protocol}${bridge.seconds === null ? '' : `, ${bridge.seconds}\u00a0s`}`];
  const parts = [...via, ...crossing];
  return parts.length === 0 ? 'solvers' : parts.join(' → ');
}
