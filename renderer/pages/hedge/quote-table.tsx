import type { ReactNode } from 'react';
import type { HedgeQuote, HedgeToken, QuotedWay } from '../../../electron/contract/hedge.ts';
import { Button } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { decimalText, distanceBpsText } from '../../components/figures/prices.ts';
import { ageText, countdownText } from '../../components/figures/times.ts';
import { Note } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { costOf, costParts, dollarsText, shareText } from './hedge-loss.ts';
import { cutAmount, exactAmount, spoken, spokenWhole } from './hedge-words.ts';
import { type PriceTerms, pricesOf, pricesText } from './price-terms.ts';
import styles from './quote-table.module.css';
import type { Offer } from './use-quote.ts';

/**
 * The venues side by side, line by line: what each gives, and what it costs. `used` is the one the ticket takes; `isBound` says
 * that its slippage binds the whole amount.
 */
export function QuoteTable(props: {
  quote: HedgeQuote;
  used: string | undefined;
  isBound: boolean;
  terms: PriceTerms;
  again: () => void;
}) {
  const { quote, used, isBound, terms, again } = props;
  const { side, src, dest } = quote;
  const against = side === 'SELL' ? dest : src;
  const priced = quote.quotes.flatMap((offer) => offer.quote ?? []);
  if (priced.length === 0) return <NoPrice quote={quote} again={again} />;
  const price = pricesText(priced.map((way) => pricesOf(way, src, terms).price));
  const lines: readonly Line[] = [
    { name: side === 'SELL' ? 'We get' : 'We pay', say: (way) => amountOf(way, side, against), look: styles.amount },
    ...(isBound
      ? [
          {
            name: side === 'SELL' ? 'At least' : 'At most',
            say: (way: QuotedWay) => boundOf(way, side, against),
          },
        ]
      : []),
    { name: `${terms.of.symbol} per ${terms.per.symbol}`, say: (way) => price(pricesOf(way, src, terms).price) },
    {
      name: 'After gas',
      say: (way) => {
        const { afterGas } = pricesOf(way, src, terms);
        return afterGas === null ? 'not known' : price(afterGas);
      },
    },
    { name: 'Costs, all in', say: costText, title: COST_SAYS },
    { name: 'of that, gas', say: gasOf },
    { name: 'of that, fee', say: feeOf },
    { name: 'of that, price', say: priceText },
    { name: 'Through', say: (way) => <span title={way.via.join(' → ')}>{viaOf(way)}</span> },
  ];
  return (
    <Table className={styles.table}>
      <thead>
        <tr>
          <th className={styles.nameColumn}>
            <span className="only-read">Per venue</span>
          </th>
          {quote.quotes.map((offer) => (
            <th key={offer.venue} scope="col" className={`right ${offer.venue === used ? styles.used : ''}`}>
              <Verdict quote={quote} mine={offer} /> <b>{offer.title}</b>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={line.name}>
            <th scope="row" title={line.title}>
              {line.name}
            </th>
            {quote.quotes.map((offer) => (
              <Cell
                key={offer.venue}
                line={line}
                offer={offer}
                isUsed={offer.venue === used}
                rows={index === 0 ? lines.length : 0}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const COST_SAYS =
  'What you give less what you get, in the service’s dollars, after gas and fees; spread and price impact are in it';

interface Line {
  name: string;
  title?: string;
  look?: string;
  say: (way: QuotedWay) => ReactNode;
}

/** A figure of a way; a way that cannot be had says why, in one cell over all its rows. */
function Cell(props: {
  line: Line;
  offer: Offer;
  isUsed: boolean;
  /** How many rows its reason takes; none below the first. */
  rows: number;
}) {
  const { line, offer, isUsed, rows } = props;
  const used = isUsed ? styles.used : '';
  if (offer.quote !== null) {
    return <td className={`right ${line.look ?? ''} ${used}`}>{line.say(offer.quote)}</td>;
  }
  if (rows === 0) return null;
  return (
    <td className={`${styles.fault} ${used}`} rowSpan={rows}>
      <b>No price.</b> {spoken(offer.fault ?? '')}
    </td>
  );
}

/** No venue has a price: what each said, once, and the button that asks again. */
function NoPrice({ quote, again }: { quote: HedgeQuote; again: () => void }) {
  const said = quote.quotes.map(({ title, fault }) => ({ title, fault: spokenWhole(fault ?? '') }));
  const [first] = said;
  const isSame = said.every(({ fault }) => fault === first?.fault);
  return (
    <Note
      level="look"
      title={`There is no price, neither by ${said.map(({ title }) => title.toLowerCase()).join(' nor by ')}.`}
      actions={<Button onClick={again}>Ask again</Button>}
    >
      <span className={styles.said}>
        {isSame ? first?.fault : said.map(({ title, fault }) => `${title}: ${fault}`).join(' ')}
      </span>{' '}
      Nothing is sent without one.
    </Note>
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

/** By how much a venue is better than the best of the others after everything that is known to cost. */
function Verdict({
  quote: { quotes, better, side },
  mine: { venue, quote: mine },
}: {
  quote: HedgeQuote;
  mine: Offer;
}) {
  if (better !== venue || mine === null) return null;
  const others = quotes.flatMap((offer) => (offer.venue === venue || offer.quote === null ? [] : [offer.quote]));
  const amount = (way: QuotedWay) => BigInt(side === 'SELL' ? way.destAmount : -BigInt(way.srcAmount));
  const other = others.reduce<QuotedWay | null>(
    (best, way) => (best === null || amount(way) > amount(best) ? way : best),
    null,
  );
  if (other === null) return null;
  const isAfterGas = mine.priceAfterGas !== null && other.priceAfterGas !== null;
  const bps = isAfterGas
    ? distanceBpsText(mine.priceAfterGas ?? '', other.priceAfterGas ?? '')
    : distanceBpsText(mine.price, other.price);
  return (
    <Chip tone="outline" title={isAfterGas ? 'After gas and fees' : 'After fees; gas is not known of both'}>
      better{bps === null ? '' : ` by ${bps.replace('+', '')} bps`}
    </Chip>
  );
}

function amountOf(way: QuotedWay, side: HedgeQuote['side'], against: HedgeToken): ReactNode {
  const raw = side === 'SELL' ? way.destAmount : way.srcAmount;
  return (
    <span title={`${exactAmount(raw, against)}, ${raw} raw units`}>
      {cutAmount(raw, against, side === 'SELL' ? 'down' : 'up')}
    </span>
  );
}

function boundOf({ bound, isFenced }: QuotedWay, side: HedgeQuote['side'], against: HedgeToken): ReactNode {
  const says = isFenced
    ? 'As far off the reference as a hedge of this pair may be: that is stricter than the slippage, and moves with the reference'
    : 'By the slippage';
  return <span title={says}>{cutAmount(bound, against, side === 'SELL' ? 'down' : 'up')}</span>;
}

function costText(way: QuotedWay): string {
  const cost = costOf(way);
  return cost === null ? 'not known' : `${shareText(cost.share)} · ${dollarsText(cost.usd)}`;
}

/** An intent's gas is paid by whoever fills it, who has it in their price. */
function gasOf({ gas, fees }: QuotedWay): string {
  if (gas.usd === null) return 'not said';
  if (gas.units !== null || /[1-9]/.test(gas.usd)) return `$${centsText(gas.usd)}`;
  return fees.gasUsd === null ? 'in the price' : `$${centsText(fees.gasUsd)}, in the price`;
}

/** Cents, cut up: it is what we pay. */
function centsText(usd: string): string {
  return decimalText(usd, 2, 'up');
}

/** What nobody charges: the spread, and the price's own move with the amount. */
function priceText(way: QuotedWay): string {
  const parts = costParts(way);
  return parts === null ? 'not known' : `${shareText(parts.priceShare)} · ${dollarsText(parts.price)}`;
}

function feeOf(way: QuotedWay): ReactNode {
  const { fees } = way;
  const known = costParts(way);
  const fee = known?.fee == null ? null : `${shareText(known.feeShare)} · ${dollarsText(known.fee)}`;
  const parts = [
    fees.percent === null ? null : (fee ?? `${fees.percent}\u00a0%`),
    fees.bridgeUsd === null ? null : `$${centsText(fees.bridgeUsd)} bridge`,
  ].filter((part) => part !== null);
  const words = parts.length === 0 ? 'none said' : parts.join(' · ');
  return fees.partner === null ? words : <span title={`Partner: ${fees.partner}`}>{words}</span>;
}

function viaOf({ via, bridge }: QuotedWay): string {
  const crossing =
    bridge === null ? [] : [`${bridge.protocol}${bridge.seconds === null ? '' : `, ${bridge.seconds}\u00a0s`}`];
  const parts = [...crossing, via.join(' → ')].filter((part) => part !== '');
  return parts.length === 0 ? 'solvers' : parts.join(' · ');
}
