import { memo } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Amount } from '../../components/figures/amount.tsx';
import { signedBpsText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { clockText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { QuoteState } from '../../components/quote-state.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { tradeStories } from '../../state/story.ts';
import styles from './activity.module.css';

export const ActivityRow = memo(function ActivityRow({ row }: { row: QuoteRow }) {
  const { base, quote, price } = useQuoteFigures(row);
  if (row.unreadable !== undefined) {
    return (
      <tr>
        <td className="quiet">{clockText(Date.parse(row.time))}</td>
        <td colSpan={7}>
          <Unreadable seq={row.seq} why={row.unreadable} />
        </td>
      </tr>
    );
  }
  return (
    <tr {...tradeStories({ ...row, since: Date.parse(row.time) })}>
      <td className="quiet" data-fits="">
        {clockText(Date.parse(row.time))}
      </td>
      <td data-fits={row.filledMakerAmount === '0' ? '' : undefined}>
        <QuoteState row={row} />
      </td>
      <td>
        <PairName pair={row.pair} />
      </td>
      <td data-fits="">
        <SideMark side={row.side} />
      </td>
      <td className="right">
        <Amount raw={base.raw} token={base.token} narrow />
      </td>
      <td className={`right muted ${styles.against}`}>
        <Amount raw={quote.raw} token={quote.token} narrow />
      </td>
      {row.code !== null ? (
        <td className="right" colSpan={2}>
          <span className="stop mono">{row.code}</span>
        </td>
      ) : (
        <>
          <td className="right">{price ?? '—'}</td>
          <td className="right" title="Edge against the reference when it was decided; + is good for us">
            {row.edgeTenthBps === null ? (
              <span className="quiet">—</span>
            ) : (
              <>
                {signedBpsText(row.edgeTenthBps)} <span className="unit">bps</span>
              </>
            )}
          </td>
        </>
      )}
      <td className="right roomy-only">
        <User address={row.userAddress} copies />
      </td>
    </tr>
  );
});
