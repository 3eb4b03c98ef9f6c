import { memo, useState } from 'react';
import { Link } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { Closure, Scope, ShownState } from '../../../electron/contract/trading.ts';
import { Age } from '../../components/figures/age.tsx';
import { countText, percentText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText, exactText, narrowPricePlaces, spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { Switch } from '../../components/switch.tsx';
import { useConsole } from '../../state/console.tsx';
import { ladderPath } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import styles from './blotter-row.module.css';
import { quoteVolumeText, volumeText, volumeTitle } from './day-volume.ts';
import { midToReference, referenceTitle, referenceTone } from './mid-to-reference.ts';
import pairsBlotterStyles from './pairs-blotter.module.css';
import { isQuoted, quotingOf } from './quoting-of.ts';
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
        <Link href={ladderPath(row.chainId, row.pair)} className={styles.plain} title="Open its ladder">
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
      <td className={`right ${pairsBlotterStyles.price} bid live-figure`} title={row.bestBid ?? undefined}>
        {!bids || row.bestBid === null ? '—' : decimalText(row.bestBid, places)}
      </td>
      <td className={`right ${pairsBlotterStyles.price} ask live-figure`} title={row.bestAsk ?? undefined}>
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

type Part = 'bids' | 'asks' | 'pair';

const PARTS: readonly Part[] = ['bids', 'asks', 'pair'];

/** Off at a click; on asks for a reason. Dashed where the guard closed it: then a person cannot simply flip it. */
function PairSwitches({ row, guarded }: { row: PairRow; guarded: boolean }) {
  const { halt, toasts } = useConsole();
  const [starting, setStarting] = useState<Part | null>(null);
  const scopeOf = (part: Part): Scope => ({
    chainId: row.chainId,
    pair: row.pair,
    ...(part === 'pair' ? {} : { side: part }),
  });
  const flip = (part: Part) => {
    if (!row.switches[part]) return setStarting(part);
    const followed = row.follow?.on === true;
    const tellOfEnd = () => {
      if (!followed) return;
      const detail = 'Its prices stand still also once it is on again, until following is switched on under Prices.';
      toasts.show({ level: 'look', title: `${row.pair} does not follow the reference any more`, detail });
    };
    halt.scope(scopeOf(part)).then(tellOfEnd, (error: unknown) => {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `${row.pair} is not switched off: ${sentence}`, detail: remedy });
    });
  };
  return (
    <>
      {PARTS.map((part) => (
        <td key={part} className={part === 'bids' ? 'center edge' : 'center'}>
          <Switch
            guarded={guarded || hindrance(row, part) !== null}
            on={row.switches[part]}
            aria-label={`${row.pair} ${part}`}
            title={titleOf(part, row.switches[part], guarded, hindrance(row, part))}
            disabled={row.retiredUntil !== null}
            onClick={() => flip(part)}
          />
        </td>
      ))}
      {starting !== null && (
        <td className={pairsBlotterStyles.nothing}>
          <ResumeDialog
            scope={scopeOf(starting)}
            what={starting === 'pair' ? row.pair : `${row.pair} ${starting}`}
            onClose={() => setStarting(null)}
          />
        </td>
      )}
    </>
  );
}

/** Why what is switched on is not quoted all the same: a switch alone looks as if it were. */
function hindrance({ switches, unquoted }: PairRow, part: Part): string | null {
  if (!switches.pair || !switches[part] || unquoted === undefined) return null;
  if (part !== 'pair') return unquoted[part];
  return unquoted.bids !== null && unquoted.asks !== null ? unquoted.bids : null;
}

function titleOf(part: Part, on: boolean, guarded: boolean, why: string | null): string {
  const what = part === 'pair' ? 'The pair is' : `The ${part} are`;
  const how = on ? 'on; a click switches off at once' : 'off; a click asks why it is safe to switch on';
  const closed = guarded ? '. Closed by the guard; it opens by itself once the cause is gone' : '';
  return `${what} ${how}${closed}.${why === null ? '' : ` Not quoted now: ${why}`}`;
}

const [WIDTH, HEIGHT] = [70, 16];

/** The mid of the last two hours as a line, its newest point marked; two bars where it is not quoted now. */
const Sparkline = memo(function Sparkline({ points, stopped }: { points: MidPoints; stopped: boolean }) {
  const last = points.at(-1);
  const step = (WIDTH - 8) / Math.max(1, points.length - 1);
  const place = (point: number) => (HEIGHT - 2 - (point / 1_000) * (HEIGHT - 4)).toFixed(1);
  let path = '';
  let drawing = false;
  for (const [index, point] of points.entries()) {
    if (point !== null) path += `${drawing ? 'L' : 'M'}${(index * step).toFixed(1)} ${place(point)}`;
    drawing = point !== null;
  }
  const x = (points.length - 1) * step;
  return (
    <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <path d={path} />
      {stopped ? (
        <path className={styles.bars} d={`M${x + 3} 4v8M${x + 6} 4v8`} />
      ) : (
        last !== undefined && last !== null && <circle cx={x} cy={place(last)} r="1.8" />
      )}
    </svg>
  );
});
