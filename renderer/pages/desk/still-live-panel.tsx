import { useMemo } from 'react';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { Chip } from '../../components/chip.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { amountText, wholeAmountText } from '../../components/figures/amounts.ts';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { dearestFirst, dollarsUp, dollarText, liveWorth } from '../../components/live-dollars.ts';
import { Meter } from '../../components/meter.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { quotesOf, stillLive } from '../../components/still-live.ts';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import haltedPageStyles from './halted-page.module.css';
import { OnChainAnswers } from './on-chain-answers.tsx';
import { OtherSigned } from './other-signed.tsx';
import styles from './still-live-panel.module.css';
import { useLiveSum, useStillLive } from './use-still-live.ts';

/** What can still be taken from us, and the answers to that: wait, cancel quotes, cancel orders, withdraw allowances. */
export function StillLivePanel() {
  const { desk } = useConsole();
  const exposure = useDesk((view) => view.exposure);
  const chains = useDesk((view) => view.chains);
  const { rows, orders, zeroAt } = useMemo(() => {
    const live = stillLive(exposure);
    return { rows: dearestFirst(live.rows), orders: live.orders, zeroAt: live.zeroAt };
  }, [exposure]);
  const alone = quotesOf({ orders, zeroAt }, useStillLive().data?.chains ?? []);
  const { dollars, unpriced } = useMemo(() => liveWorth(exposure), [exposure]);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  const waitSays =
    alone.quotesEnd === null
      ? 'No quote is left to wait for; orders and permits last until their own ends.'
      : `Costs nothing. ${plural(alone.quotes, 'quote')} can be filled until ${momentText(alone.quotesEnd, desk.now())} ${zoneName(alone.quotesEnd)}, none after; orders and permits until their own ends.`;
  return (
    <Panel name="What is still live" aside={<LiveSum />} className={haltedPageStyles.live}>
      <Scroll>
        <OtherSigned what="signed" />
        <Table>
          <colgroup>
            <col />
            <col className={haltedPageStyles.amountColumn} />
            <col className={haltedPageStyles.dollarsColumn} />
            <col className={haltedPageStyles.quotesColumn} />
            <col className={haltedPageStyles.leftColumn} />
            <col className={`narrow-out ${haltedPageStyles.meterColumn}`} />
          </colgroup>
          <thead>
            <tr>
              <th>Token</th>
              <th className="right">Amount</th>
              <th className="right">Dollars</th>
              <th className="right" title="Firm quotes, and orders signed by hand that give the token">
                Orders
              </th>
              <th className="right">Ends in</th>
              <th className="narrow-out">
                <span className="only-read">Share of the time left</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.length === 0 && (
              <tr>
                <td colSpan={5} className="muted">
                  No signed quote can be filled.
                </td>
              </tr>
            )}
            {rows.map((row) => (
              <tr key={`${row.chainId}:${row.address}`}>
                <td title={`${row.tokenId} ${nameOf(row.chainId)}`}>
                  <b className="strong">{row.tokenId}</b> <span className="unit">{nameOf(row.chainId)}</span>
                  {row.unlisted === true && <span className="quiet"> not listed now: raw units</span>}
                </td>
                <td className="right live-figure" title={wholeAmountText(row.live, row.decimals)}>
                  {amountText(row.live, { symbol: row.tokenId, decimals: row.decimals }, 'up')}
                </td>
                <LiveDollars row={row} />
                <td className="right live-figure">{countText(row.quotes)}</td>
                <td className="right strong">{row.zeroAt === null ? '—' : <Countdown until={row.zeroAt} />}</td>
                <td className="narrow-out">
                  {row.zeroAt !== null && zeroAt !== null && <LeftMeter until={row.zeroAt} last={zeroAt} />}
                </td>
              </tr>
            ))}
          </tbody>
          {rows.length > 1 && (
            <tfoot>
              <tr>
                <td>{unpriced.length > 0 ? 'All with a price' : 'All tokens'}</td>
                <td />
                <td className="right live-figure">{dollarText(dollars)}</td>
                <td className="right live-figure">{countText(orders)}</td>
                <td className="right">{zeroAt === null ? '—' : <Countdown until={zeroAt} />}</td>
                <td className="narrow-out" />
              </tr>
            </tfoot>
          )}
        </Table>
        <OtherSigned what="allowed" />
      </Scroll>
      <div className={`${haltedPageStyles.answer} ${haltedPageStyles.usual}`} title={waitSays}>
        <div className="fill">
          <h3>
            Wait <Chip tone="outline">usual choice</Chip>
          </h3>
          <p>{waitSays}</p>
        </div>
        <span className="muted narrow-out">Nothing to do</span>
      </div>
      <OnChainAnswers giving={orders} quotesEnd={alone.quotesEnd} />
    </Panel>
  );
}

/** All that quotes and intent orders can still take; tokens without a price are named, not left out silently. */
function LiveSum() {
  const { isNone, bound, dollars, without } = useLiveSum();
  if (isNone) return bound === 'at least' ? 'not everything is known' : 'no quote or intent order can be filled';
  return (
    <span title="Quotes and intent orders at the reference now, rounded up; allowances stand below">
      <b className="strong live-figure">{dollarText(dollars)}</b> {bound} can still be taken
      {without.length > 0 && `; no price of ${without.join(', ')} is known`}
    </span>
  );
}

function LiveDollars({ row }: { row: ExposureRow }) {
  const dollars = dollarsUp(row.live, row.decimals, row.dollars);
  if (dollars !== null) return <td className="right live-figure">{dollarText(dollars)}</td>;
  return (
    <td className="right quiet" title={`No dollar price of ${row.tokenId} is known, or its reference is too old`}>
      no price
    </td>
  );
}

/** How much of the longest time that is left is left for this token. */
function LeftMeter({ until, last }: { until: number; last: number }) {
  const now = useDeskNow();
  const share = last <= now ? 0 : Math.max(0, Math.min(1, (until - now) / (last - now)));
  return <Meter share={share} className={styles.thick} />;
}
