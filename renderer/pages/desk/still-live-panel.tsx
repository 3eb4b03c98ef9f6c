import { useMemo } from 'react';
import { Chip } from '../../components/chip.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { amountText, wholeAmountText } from '../../components/figures/amounts.ts';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { Meter } from '../../components/meter.tsx';
import { Panel } from '../../components/panel.tsx';
import { stillLive } from '../../components/still-live.ts';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import haltedPageStyles from './halted-page.module.css';
import { OnChainAnswers } from './on-chain-answers.tsx';
import { OtherSigned } from './other-signed.tsx';
import styles from './still-live-panel.module.css';

/** What can still be taken from us, and the answers to that: wait, cancel quotes, cancel orders, withdraw allowances. */
export function StillLivePanel() {
  const { desk } = useConsole();
  const exposure = useDesk((view) => view.exposure);
  const chains = useDesk((view) => view.chains);
  const { rows, quotes, zeroAt } = useMemo(() => stillLive(exposure), [exposure]);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
  return (
    <Panel name="What is still live" aside="what can still be taken from us" className={haltedPageStyles.live}>
      <div className="scroll">
        <OtherSigned what="signed" />
        <Table>
          <colgroup>
            <col />
            <col className={haltedPageStyles.amountColumn} />
            <col className={haltedPageStyles.quotesColumn} />
            <col className={haltedPageStyles.leftColumn} />
            <col className={haltedPageStyles.meterColumn} />
          </colgroup>
          <thead>
            <tr>
              <th>Token</th>
              <th className="right">Amount</th>
              <th className="right">Quotes</th>
              <th className="right">Ends in</th>
              <th>
                <span className="only-read">Share of the time left</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.length === 0 && (
              <tr>
                <td colSpan={5} className="muted">
                  No signed quote can be filled any more.
                </td>
              </tr>
            )}
            {rows.map((row) => (
              <tr key={`${row.chainId}:${row.address}`}>
                <td>
                  <b className="strong">{row.tokenId}</b> <span className="unit">{nameOf(row.chainId)}</span>
                </td>
                <td className="right live-figure" title={wholeAmountText(row.live, row.decimals)}>
                  {amountText(row.live, { symbol: row.tokenId, decimals: row.decimals }, 'up')}
                </td>
                <td className="right live-figure">{countText(row.quotes)}</td>
                <td className="right strong">{row.zeroAt === null ? '—' : <Countdown until={row.zeroAt} />}</td>
                <td>{row.zeroAt !== null && zeroAt !== null && <LeftMeter until={row.zeroAt} last={zeroAt} />}</td>
              </tr>
            ))}
          </tbody>
        </Table>
        <OtherSigned what="allowed" />
      </div>
      <div className={`${haltedPageStyles.answer} ${haltedPageStyles.usual}`}>
        <div className="fill">
          <h3>
            Wait <Chip tone="outline">usual choice</Chip>
          </h3>
          <p>
            {zeroAt === null
              ? 'No quote is left to wait for; orders and permits last until their own ends.'
              : `Costs nothing. ${plural(quotes, 'quote')} can be filled until ${momentText(zeroAt, desk.now())} UTC, none after; orders and permits until their own ends.`}
          </p>
        </div>
        <span className="muted">Nothing to do</span>
      </div>
      <OnChainAnswers quotes={quotes} />
    </Panel>
  );
}

/** How much of the longest time that is left is left for this token. */
function LeftMeter({ until, last }: { until: number; last: number }) {
  const now = useDeskNow();
  const share = last <= now ? 0 : Math.max(0, Math.min(1, (until - now) / (last - now)));
  return <Meter share={share} className={styles.thick} />;
}
