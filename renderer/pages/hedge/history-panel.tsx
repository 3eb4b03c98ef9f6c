import { useState } from 'react';
import type { HedgeRow } from '../../../electron/contract/hedge.ts';
import { PlainButton, TextButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table } from '../../components/table.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import { useConsole } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { signedText } from './cover-mark.tsx';
import { cutAmount, rowWords, stateLook } from './hedge-words.ts';
import styles from './history-panel.module.css';
import { MOST_HEDGES, useHedges } from './use-hedges.ts';

/** Every hedge, newest first: what it gave and got, what its fills came to with it; an order that still runs can be cancelled. */
export function HistoryPanel(props: { chainId: number; chosen: number | null; onChoose: (seq: number) => void }) {
  const { chainId, chosen, onChoose } = props;
  const { connection } = useConsole();
  const list = useHedges(chainId);
  const [cancelling, setCancelling] = useState<HedgeRow | null>(null);
  const rows = list.data?.rows ?? [];
  return (
    <Panel
      name="Hedges"
      aside={list.data?.more ? `the newest ${MOST_HEDGES}` : 'newest first'}
      className={styles.history}
    >
      <div className="scroll">
        <ReadState read={list} rows={5} />
        {list.isSuccess && rows.length === 0 && (
          <Empty title="No hedge yet">
            Each hedge is listed here with what it gave and got, and the net of it and its fills.
          </Empty>
        )}
        {rows.length > 0 && (
          <Table>
            <thead>
              <tr>
                <th className={styles.timeColumn}>Time, {zoneName()}</th>
                <th className="right">Gave</th>
                <th className="right">Got</th>
                <th className={styles.wayColumn}>Way</th>
                <th className={styles.stateColumn}>State</th>
                <th className={`right ${styles.gasColumn}`}>Gas, $</th>
                <th className={`right ${styles.netColumn}`}>
                  <span title="Its fills with all their hedges, after gas">Net, $</span>
                </th>
                <td className={styles.actColumn}>
                  <span className="only-read">Cancel</span>
                </td>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.seq}
                  row={row}
                  isChosen={row.seq === chosen}
                  onChoose={onChoose}
                  onCancel={setCancelling}
                />
              ))}
            </tbody>
          </Table>
        )}
      </div>
      {cancelling !== null && (
        <ConfirmDialog
          title={`Cancel hedge ${cancelling.seq}?`}
          keep="Keep it"
          act="Cancel the hedge"
          send={() => connection.client.hedge.cancel({ seq: cancelling.seq })}
          onClose={() => setCancelling(null)}
        >
          {rowWords(cancelling)}. What was filled of it stays. An order whose auction has begun may still be filled: the
          cancellation then waits until that is over.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function Row(props: {
  row: HedgeRow;
  isChosen: boolean;
  onChoose: (seq: number) => void;
  onCancel: (row: HedgeRow) => void;
}) {
  const { row, isChosen, onChoose, onCancel } = props;
  const { netUsd: net } = row;
  const { desk } = useConsole();
  if (row.unreadable !== undefined) {
    return (
      <tr>
        <td>{momentText(row.time, desk.now())}</td>
        <td colSpan={7}>
          <Unreadable seq={row.seq} why={row.unreadable} />
        </td>
      </tr>
    );
  }
  const { shape, tone, word } = stateLook(row);
  const isSold = row.side === 'SELL';
  const gave =
    row.spent === '0' && isSold ? `of ${cutAmount(row.amount, row.src)}` : cutAmount(row.spent, row.src, 'up');
  return (
    <tr aria-selected={isChosen} onClick={() => onChoose(row.seq)}>
      <td>
        <PlainButton aria-pressed={isChosen} onClick={() => onChoose(row.seq)}>
          {momentText(row.time, desk.now())}
          <span className="only-read">
            {' '}
            hedge {row.seq}: {rowWords(row)}
          </span>
        </PlainButton>
      </td>
      <td className="right" title={`${gave}, ${row.spent} raw units`} data-raw={row.spent}>
        {row.spent === '0' && !isSold ? <span className="quiet">{row.src.symbol}</span> : gave}
      </td>
      <Got row={row} />
      <td className={`muted ${styles.wayColumn}`}>
        {row.way}
        {row.automatic && ' ·\u00a0auto'}
      </td>
      <td className="with-mark" title={row.note ?? undefined}>
        <Mark shape={shape} tone={tone} />
        {word}
      </td>
      <td className={`right ${styles.gasColumn}`}>{row.feeUsd === null ? '—' : decimalText(row.feeUsd, 2, 'up')}</td>
      <td className={`right ${styles.netColumn}`}>
        {net === null ? '—' : <span className={net.startsWith('-') ? 'ask strong' : ''}>{signedText(net)}</span>}
      </td>
      <td className={`right ${styles.actColumn}`}>
        {row.cancellable && (
          <TextButton
            onClick={(event) => {
              event.stopPropagation();
              onCancel(row);
            }}
          >
            Cancel…
          </TextButton>
        )}
      </td>
    </tr>
  );
}

/** What a hedge brought in; what somebody else received is shown as gone out. */
function Got({ row: { side, received, amount, dest, beneficiary } }: { row: HedgeRow }) {
  const none = received === '0';
  const got = none && side === 'BUY' ? `of ${cutAmount(amount, dest)}` : cutAmount(received, dest);
  const title = `${got}, ${received} raw units`;
  const shown = none && side === 'SELL' ? <span className="quiet">{dest.symbol}</span> : got;
  if (beneficiary === null) {
    return (
      <td className="right" title={title} data-raw={received}>
        {shown}
      </td>
    );
  }
  return (
    <td className="right muted" title={`${title}: for ${beneficiary}, not for us`} data-raw={received}>
      <span aria-hidden="true">→&nbsp;</span>
      <span className="only-read">for {beneficiary}: </span>
      {shown}
    </td>
  );
}
