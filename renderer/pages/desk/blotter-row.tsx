import { memo } from 'react';
import { Link } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { Closure, ShownState } from '../../../electron/contract/trading.ts';
import { Age } from '../../components/figures/age.tsx';
import { countText, percentText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText, exactText, narrowPricePlaces, spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { ladderPath } from '../../state/pages.ts';
import { quoteVolumeText, volumeText, volumeTitle } from './day-volume.ts';
import { midToReference, referenceTitle, referenceTone } from './mid-to-reference.ts';
import { PairSwitches } from './pair-switches.tsx';
import { isQuoted, quotingOf } from './quoting-of.ts';
import { Sparkline } from './sparkline.tsx';
import type { MidPoints } from './use-mids.ts';

/** One pair of the blotter; drawn anew only when its own row changed. */
export const BlotterRow = memo(function BlotterRow(props: {
  row: PairRow;
  state: ShownState;
  closed: Closure | null;
  points: MidPoints | undefined;
}) {
  const { row, state, closed, points } = props;
  const quoting = quotingOf(row, state, closed);
  const places = narrowPricePlaces([row.bestBid, row.bestAsk]);
  const [bids, asks] = [isQuoted(row, state, closed, 'bids'), isQuoted(row, state, closed, 'asks')];
  return (
    <tr>
      <td className="with-mark">
        <Mark shape={quoting.shape} tone={quoting.tone} />
        <Link href={ladderPath(row.chainId, row.pair)} className="plain" title="Open its ladder">
          <PairName pair={row.pair} />
        </Link>
      </td>
      <td
        className={`narrow-out live-figure ${quoting.tone === 'ok' ? 'muted' : quoting.tone}`}
        title={quoting.why ?? undefined}
      >
        {quoting.word}
      </td>
      <td className="right muted edge narrow-out live-figure" title={worthTitle(row, 'bids')}>
        {!bids || row.bestBidAmount === null ? '—' : exactText(row.bestBidAmount)}
      </td>
      <td className="right price bid live-figure" title={row.bestBid ?? undefined}>
        {!bids || row.bestBid === null ? '—' : decimalText(row.bestBid, places)}
      </td>
      <td className="right price ask live-figure" title={row.bestAsk ?? undefined}>
        {!asks || row.bestAsk === null ? '—' : decimalText(row.bestAsk, places, 'up')}
      </td>
      <td className="right muted narrow-out live-figure" title={worthTitle(row, 'asks')}>
        {!asks || row.bestAskAmount === null ? '—' : exactText(row.bestAskAmount)}
      </td>
      <td className="right live-figure">
        {!bids || !asks || row.spreadTenthBps === null ? '—' : spreadText(row.spreadTenthBps)}
      </td>
      <td className={`right narrow-out live-figure ${referenceTone(row)}`} title={referenceTitle(row)}>
        {(bids && asks) || row.offReference ? midToReference(row) : '—'}
      </td>
      <td className="right muted">{row.revision === 0 ? '—' : <Age since={row.publishedAt} />}</td>
      <td className="edge">{points !== undefined && <Sparkline points={points} stopped={!bids && !asks} />}</td>
      <td className="quiet wide-only" title={`Published by ${row.publishedBy}`}>
        {row.revision === 0 ? '—' : `${countText(row.revision)} · ${row.publishedBy}`}
      </td>
      <td className="right edge wide-only live-figure" title={worthTitle(row, 'bids')}>
        {bids ? volumeText(row.worth?.bids, row) : '—'}
      </td>
      <td className="right wide-only live-figure" title={worthTitle(row, 'asks')}>
        {asks ? volumeText(row.worth?.asks, row) : '—'}
      </td>
      <td className="right edge live-figure">{countText(row.today.signed)}</td>
      <td className="right muted wide-only live-figure">{quoteVolumeText(row.today.signedVolume, row)}</td>
      <td className="right live-figure" title={volumeTitle('Signed', row.today.signedVolume, row)}>
        {volumeText(row.today.signedVolume, row)}
      </td>
      <td className="right edge live-figure">{countText(row.today.filled)}</td>
      <td className="right muted wide-only live-figure">{quoteVolumeText(row.today.filledVolume, row)}</td>
      <td className="right live-figure" title={volumeTitle('Filled', row.today.filledVolume, row)}>
        {volumeText(row.today.filledVolume, row)}
      </td>
      <td className="right muted roomy-only live-figure">{percentText(row.today.filled, row.today.signed)}</td>
      <td className={`right live-figure ${row.today.refused > 0 ? '' : 'quiet'}`}>{countText(row.today.refused)}</td>
      <PairSwitches row={row} guarded={closed !== null || row.fault !== null} />
    </tr>
  );
});

/** How much a side's whole ladder comes to. */
function worthTitle(row: PairRow, side: 'bids' | 'asks'): string {
  return volumeTitle(side === 'bids' ? 'All bids: we buy for' : 'All asks: we sell for', row.worth?.[side], row);
}
