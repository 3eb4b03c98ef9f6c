import { useMemo } from 'react';
import type { Formula } from '../../../electron/contract/formula.ts';
import { type FormulaPrice, termText } from '../../../electron/contract/formula-prices.ts';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { figureText, TERM_NAMES } from './pricing-words.ts';
import {
  PRICE_SIDES,
  type Priced,
  type PriceSide,
  type ShownShare,
  type ShownTerm,
  type ShownTerms,
  shownTerms,
} from './terms.ts';
import styles from './terms-panel.module.css';

/** A price term by term: what each one is, and what it adds to our bid and to our ask, so that each column adds up. */
export function TermsPanel(props: {
  priced: Priced;
  /** What is live, where `priced` is a draft. */
  live?: Priced | null;
  level: number;
  base: string;
  quote: string;
  /** What the mid is made of, in words. */
  midWords: string;
  aside: string;
  name: string;
}) {
  const { priced, live, level, base, quote, midWords, aside, name } = props;
  const { formula, price } = priced;
  const shown = useMemo(() => shownTerms({ formula, price }, level), [formula, price, level]);
  const was = live == null ? null : shownTerms(live, level);
  const wordsOf = (of: Priced, term: ShownTerm['term']) => {
    if (term === 'mid') return midWords;
    if (term === 'steps') return stepsText(of.formula, level);
    return termText(of.formula, of.price, term, figureText, base);
  };
  const isDraft = live !== undefined;
  return (
    <Panel
      name={name}
      aside={aside}
      actions={<span className="quiet narrow-out">filled: adds to the spread · hollow: takes from it</span>}
      className={`${styles.terms} ${isDraft ? styles.draft : ''}`}
    >
      <Scroll>
        <Table aria-label={name}>
          <thead>
            <tr>
              <th className={styles.termColumn}>Term and its value</th>
              <th className={`right ${styles.bpsColumn}`}>bps</th>
              <th className={`right ${styles.priceColumn}`}>We buy</th>
              <th className="center">
                <span className="only-read">How far each moves the price</span>
                <span className="roomy-only" aria-hidden="true">
                  {shown.ends[0]} to {shown.ends[1]}
                </span>
              </th>
              <th className={`right ${styles.priceColumn}`}>We sell</th>
              <th className={`right ${styles.bpsColumn}`}>bps</th>
            </tr>
          </thead>
          <tbody>
            {shown.rows.map((row) => {
              const words = wordsOf(priced, row.term);
              const before =
                live == null || !differs(live.formula, priced.formula, row.term) ? words : wordsOf(live, row.term);
              return (
                <tr key={row.term} data-unused={words === 'none' || undefined}>
                  <td className={styles.term}>
                    <b>{TERM_NAMES[row.term]}</b>
                    <small
                      title={before === words ? words : `${words}, live: ${before}`}
                      className={before === words ? '' : 'draft'}
                    >
                      {words === 'none' ? 'not used' : words}
                      {before !== words && (
                        <>
                          {' '}
                          <s>{before === 'none' ? 'not used' : before}</s>
                        </>
                      )}
                    </small>
                  </td>
                  <ShareCells share={row.bid} side="bid" />
                  <td className={styles.chart}>
                    <Bars row={row} mid={shown.mid} />
                  </td>
                  <ShareCells share={row.ask} side="ask" />
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <TotalRow
              shown={shown}
              name={totalName(level)}
              words={spreadText(price.ladder, shown.spread, { quote, isDraft })}
              isDraft={isDraft}
            />
            {was !== null && (
              <TotalRow shown={was} name="As it is set" words="what the live formula gives now" isLive />
            )}
          </tfoot>
        </Table>
      </Scroll>
    </Panel>
  );
}

function ShareCells({ share, side }: { share: ShownShare | null; side: PriceSide }) {
  const bps = <td className="right">{share === null ? '—' : share.bps}</td>;
  const price = (
    <td className="right" title={share?.exact}>
      {share === null ? '—' : share.price}
    </td>
  );
  return side === 'bid' ? (
    <>
      {bps}
      {price}
    </>
  ) : (
    <>
      {price}
      {bps}
    </>
  );
}

function TotalRow(props: { shown: ShownTerms; name: string; words: string; isDraft?: boolean; isLive?: boolean }) {
  const { shown, name, words, isDraft, isLive } = props;
  const { bid, ask } = shown.total;
  const price = (side: PriceSide) => {
    const total = shown.total[side];
    if (total === null) return <td className="right quiet">no level</td>;
    if (total.isClosed) {
      return (
        <td
          className="right quiet"
          title={
            isDraft ? 'This side would be closed: it would not be served.' : 'This side is closed: it is not served.'
          }
        >
          <s>{total.price}</s>
        </td>
      );
    }
    const looks = isLive ? 'quiet' : `${side} ${styles.price} ${isDraft ? '' : 'live-figure'}`;
    return <td className={`right ${looks}`}>{isLive ? <s>{total.price}</s> : total.price}</td>;
  };
  return (
    <tr className={isLive ? styles.live : styles.total}>
      <td className={styles.term}>
        <b>{name}</b>
        <small>{words}</small>
      </td>
      <td className="right">{bid?.bps ?? '—'}</td>
      {price('bid')}
      <td className={styles.chart}>
        {!isLive && (
          <svg viewBox="0 0 1000 44" preserveAspectRatio="none" aria-hidden="true">
            <path className={styles.span} d={spanPath(bid?.at ?? shown.mid, ask?.at ?? shown.mid)} />
          </svg>
        )}
      </td>
      {price('ask')}
      <td className="right">{ask?.bps ?? '—'}</td>
    </tr>
  );
}

/** What a term does to both sides, on one scale with all others; the mid is the dotted line. */
function Bars({ row, mid }: { row: ShownTerm; mid: number }) {
  const x = (part: number) => part * 1_000;
  return (
    <svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.mid} d={`M${x(mid)} 0V40`} />
      {PRICE_SIDES.map((side) => {
        const share = row[side];
        if (share === null) return null;
        const { from, to, widens } = share;
        return (
          <g key={side} data-side={side}>
            {row.term !== 'mid' && <path className={styles.join} d={`M${x(from)} 0V20`} />}
            {row.term !== 'mid' && <path className={styles.join} d={`M${x(to)} 20V40`} />}
            {widens !== null && (
              <rect
                className={widens ? styles.adds : styles.takes}
                x={x(Math.min(from, to))}
                width={Math.max(x(Math.abs(to - from)), 1)}
                y="10"
                height="20"
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}

function spanPath(from: number, to: number): string {
  const [left, right] = [from * 1_000, to * 1_000];
  return `M${left} 0V32M${right} 0V32M${left} 22H${right}`;
}

function totalName(level: number): string {
  return level === 0 ? 'Best bid, ask' : `Bid ${level + 1}, ask ${level + 1}`;
}

/** How far bid and ask are apart, or which of them is not served, or would not be. */
function spreadText(
  { bids, asks }: FormulaPrice['ladder'],
  spread: ShownTerms['spread'],
  { quote, isDraft }: { quote: string; isDraft: boolean },
): string {
  if (bids.length + asks.length === 0)
    return isDraft ? 'would be closed: neither would be served' : 'closed: neither is served';
  const are = isDraft ? 'would be' : 'are';
  if (bids.length === 0) return `bids ${are} closed`;
  if (asks.length === 0) return `asks ${are} closed`;
  return spread === null ? '' : `spread ${spread.bps} bps, ${spread.price} ${quote}`;
}

/** Whether two formulas have other settings of a term; that their inputs moved on between two looks is no difference. */
function differs(one: Formula, other: Formula, term: ShownTerm['term']): boolean {
  const settings = ({ spreadBps, tick, inventory, volatility, age, bids, asks }: Formula) =>
    ({
      mid: [],
      spread: [spreadBps],
      skew: [inventory],
      volatility: [volatility],
      age: [age],
      rounding: [tick],
      steps: [bids.stepBps, asks.stepBps],
    })[term];
  return JSON.stringify(settings(one)) !== JSON.stringify(settings(other));
}

function stepsText({ bids, asks }: Formula, level: number): string {
  const steps = (stepBps: string) => `${level} × ${figureText(stepBps)} bps`;
  const [buy, sell] = [steps(bids.stepBps), steps(asks.stepBps)];
  return buy === sell ? `${buy}, rounded outward` : `${buy} down, ${sell} up, rounded outward`;
}
