import { memo, useState } from 'react';
import type { LadderPreview, PreviewOutcome, PreviewQuote } from '../../../electron/contract/ladder-preview.ts';
import { tablePlaces } from '../../components/figures/amounts.ts';
import { groupedText, readDecimal, withPlaces } from '../../components/figures/decimal-text.ts';
import { decimalText, distanceBpsText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Table } from '../../components/table.tsx';
import { isQuoted, whyNot } from '../pricing/pricing-words.ts';
import { shortUnits } from './ladder-figures.ts';
import styles from './quotes-panel.module.css';
import { usePairPart } from './use-draft.ts';

const EXACT = [
  { value: 'in', text: 'Exact in', title: 'The taker names what they give' },
  { value: 'out', text: 'Exact out', title: 'The taker names what they want' },
] as const;

/** What takers of a few sizes would get of the draft, and how that differs from what is live. */
export const QuotesPanel = memo(function QuotesPanel(props: {
  preview: LadderPreview;
  base: string;
  quote: string;
  pricePlaces: number;
  from: string | null;
}) {
  const { preview, base, quote, pricePlaces, from } = props;
  const [exact, setExact] = useState<'in' | 'out'>('in');
  const rows = (side: 'bids' | 'asks') => preview.quotes.filter((row) => row.side === side && row.exact === exact);
  const other = exact === 'in' ? 'gets' : 'pays';
  const row = (asked: PreviewQuote) => (
    <QuoteLine
      key={`${asked.side} ${asked.exact} ${asked.amount}`}
      row={asked}
      names={[base, quote]}
      places={pricePlaces}
      from={from}
    />
  );
  return (
    <Panel
      name="What the service would quote"
      aside={<span className="narrow-out">draft, to a taker</span>}
      className={styles.wouldQuote}
      actions={<Segmented label="The taker names" options={EXACT} value={exact} onChoose={setExact} />}
    >
      <Scroll>
        <Table>
          <thead>
            <tr>
              <th className={styles.amountColumn}>{exact === 'in' ? 'Taker sells' : `Wants ${quote}`}</th>
              <th
                className={`${styles.askedColumn} right`}
                title={`The service asks for ${MORE[exact]} more than it fills.`}
              >
                asked for
              </th>
              <th className="right">{other}</th>
              <th className={`${styles.averageColumn} right`}>Average</th>
              <th className={`${styles.bpsColumn} right`}>vs {preview.reference === null ? 'mid' : 'ref'}</th>
              <th className={`${styles.bpsColumn} right`}>vs live</th>
            </tr>
          </thead>
          <tbody>
            {rows('bids').length === 0 ? <NoLine side="bids" /> : <NotServed of={preview} side="bids" />}
            {rows('bids').map(row)}
            <tr data-group="">
              <td>{exact === 'in' ? 'Taker pays' : `Wants ${base}`}</td>
              <td className={`${styles.askedColumn} right`}>asked for</td>
              <td className="right">{other}</td>
              <td className="right">Average</td>
              <td className="right">bps</td>
              <td className="right">bps</td>
            </tr>
            {rows('asks').length === 0 ? <NoLine side="asks" /> : <NotServed of={preview} side="asks" />}
            {rows('asks').map(row)}
          </tbody>
        </Table>
      </Scroll>
    </Panel>
  );
});

/** How much more than is filled the service asks a firm quote for. */
const MORE = { in: '1 %', out: '1 bp' } as const;

function NoLine({ side }: { side: 'bids' | 'asks' }) {
  return (
    <tr>
      <td colSpan={6} className="quiet">
        {side === 'bids'
          ? 'No bids, live or in the draft: nothing to sell to us.'
          : 'No asks, live or in the draft: nothing to buy from us.'}
      </td>
    </tr>
  );
}

/** That a side is not quoted as things are, whatever its prices would be. */
function NotServed({ of, side }: { of: Pick<LadderPreview, 'chainId' | 'pair'>; side: 'bids' | 'asks' }) {
  const why = usePairPart(of.chainId, of.pair, (row) =>
    isQuoted(row, side) ? null : (row.unquoted?.[side] ?? whyNot(row) ?? ''),
  );
  if (why == null) return null;
  return (
    <tr>
      <td colSpan={5} className="attn" title={why}>
        <Mark shape="look" tone="attn" /> {side === 'bids' ? 'Bids' : 'Asks'} are not served now
      </td>
      <td className={styles.askedColumn} />
    </tr>
  );
}

function QuoteLine(props: { row: PreviewQuote; names: [string, string]; places: number; from: string | null }) {
  const { row, names, places, from } = props;
  const { draft, live, exact } = row;
  // On bids a taker gives base; the amount they name is of the token they give, or of the one they want.
  const isBase = (row.side === 'bids') === (exact === 'in');
  const [named, other] = isBase ? names : [names[1], names[0]];
  const answer = exact === 'in' ? draft?.gets : draft?.pays;
  const tone = row.side === 'bids' ? 'bid' : 'ask';
  return (
    <tr title={`The firm quote is for ${decimalText(row.asked, 6)} ${named}, ${MORE[exact]} more than is filled.`}>
      <td>
        {shortUnits(row.amount, named)} {named}
      </td>
      <td className={`${styles.askedColumn} right quiet`}>{shortUnits(row.asked, named)}</td>
      {draft === null ? (
        <td colSpan={4} className="right quiet">
          fix the draft first
        </td>
      ) : (
        <>
          <td className={`right ${draft.refused === null ? '' : 'quiet'}`}>
            {answer === null || answer === undefined
              ? '—'
              : `${decimalText(answer, tablePlaces({ symbol: other, decimals: 18 }))} ${other}`}
          </td>
          <td className={`right ${tone}`}>
            {draft.average === null ? '—' : averageText(draft.average, row.side, places)}
          </td>
          {draft.refused === null ? (
            <>
              <td className="right">{bps(draft, from)}</td>
              <td className="right">{live.average === null ? 'new' : bps(draft, live.average)}</td>
            </>
          ) : (
            <td colSpan={2} className="right stop" title={`Refused: ${draft.refused}`}>
              <Mark shape="refused" /> {SHORT[draft.refused] ?? draft.refused}
            </td>
          )}
        </>
      )}
    </tr>
  );
}

/** Codes in the words of a narrow column; the code itself is in the tooltip. */
const SHORT: Partial<Record<NonNullable<PreviewOutcome['refused']>, string>> = {
  insufficient_depth: 'beyond depth',
  insufficient_balance: 'not covered',
  quote_limit: 'quote limit',
  outstanding_limit: 'total limit',
  no_price: 'no price',
  chain_unseen: 'chain unseen',
  chain_clock: 'clocks differ',
  chain_unconfirmed: 'nodes differ',
  signer_unseen: 'key silent',
  past_unproven: 'past not proven',
  amount_too_small: 'too small',
  amount_too_large: 'too large',
};

function bps({ average }: PreviewOutcome, from: string | null): string {
  if (average === null || from === null) return '—';
  return distanceBpsText(average, from) ?? '—';
}

/** Rounded against us, as the desk rounds: what we pay up, what we take down. */
function averageText(average: string, side: 'bids' | 'asks', places: number): string {
  const read = readDecimal(average);
  return read === null ? average : groupedText(withPlaces(read, places, side === 'bids' ? 'up' : 'down'));
}
