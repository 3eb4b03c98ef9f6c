import { useQuery } from '@tanstack/react-query';
import type { HedgeToken, Position } from '../../../electron/contract/hedge.ts';
import { TextButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import pairNameStyles from '../../components/figures/pair-name.module.css';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Table } from '../../components/table.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';
import { exactAmount, signedAmountText } from './hedge-words.ts';
import styles from './position-panel.module.css';

/** What the desk is long or short of by its fills and hedges, the largest first; a press brings the whole of it to the ticket. */
export function PositionPanel({ chainId, onHedge }: { chainId: number; onHedge: (position: Position) => void }) {
  const read = useQuery(useQueries().hedge.positions.queryOptions({ input: { chainId }, refetchInterval: 10_000 }));
  const listed = useDesk((view) => view.listed);
  const isBase = ({ symbol }: HedgeToken) => listed.some((pair) => pair.chainId === chainId && pair.base === symbol);
  const { data } = read;
  return (
    <Panel name="Net position" aside="fills and hedges, + is long">
      <div className="scroll">
        <ReadState read={read} rows={4} />
        {data?.length === 0 && (
          <Empty title="Flat">
            Nothing was filled yet: a fill makes the desk long of one token and short of another.
          </Empty>
        )}
        {data !== undefined && data.length > 0 && (
          <Table>
            <thead>
              <tr>
                <th className={styles.tokenColumn}>Token</th>
                <th className="right">Filled</th>
                <th className="right">Hedged</th>
                <th className="right">Net</th>
                <th className={`right ${styles.usdColumn}`}>Net, $</th>
                <th className={`right ${styles.countColumn}`}>
                  <span title="Fills that are not wholly hedged">Fills</span>
                </th>
                <td className={styles.actColumn}>
                  <span className="only-read">Hedge</span>
                </td>
              </tr>
            </thead>
            <tbody>
              {data.map((position) => (
                <Row
                  key={position.token.address}
                  position={position}
                  onHedge={isBase(position.token) && position.net !== '0' ? onHedge : null}
                />
              ))}
            </tbody>
          </Table>
        )}
      </div>
    </Panel>
  );
}

function Row({ position, onHedge }: { position: Position; onHedge: ((position: Position) => void) | null }) {
  const { token, filled, hedged, net, netUsd, unhedgedFills } = position;
  if (position.unreadable !== undefined) {
    return (
      <tr>
        <td className={pairNameStyles.pairName}>{token.symbol}</td>
        <td className="with-mark stop" colSpan={6} title={position.unreadable}>
          <Mark shape="look" tone="stop" />
          cannot be told: {position.unreadable}
        </td>
      </tr>
    );
  }
  const isLong = BigInt(net) > 0n;
  const whole = exactAmount(isLong ? net : net.replace('-', ''), token);
  return (
    <tr>
      <td className={pairNameStyles.pairName}>{token.symbol}</td>
      <td className="right muted live-figure">{signedAmountText(filled, token)}</td>
      <td className="right muted live-figure">{signedAmountText(hedged, token)}</td>
      <td className="right strong live-figure" title={`${whole}, ${net} raw units`}>
        {signedAmountText(net, token)}
      </td>
      <td className={`right live-figure ${styles.usdColumn}`}>{netUsd === null ? '—' : dollarsText(netUsd)}</td>
      <td className="right">{unhedgedFills}</td>
      <td className="right">
        {onHedge !== null && (
          <TextButton aria-label={`${isLong ? 'Sell' : 'Buy'} it: ${whole}`} onClick={() => onHedge(position)}>
            {isLong ? 'Sell' : 'Buy'} it
          </TextButton>
        )}
      </td>
    </tr>
  );
}

/** Whole dollars with their sign. */
function dollarsText(decimal: string): string {
  const whole = decimal.split('.')[0] ?? '0';
  if (!/[1-9]/.test(whole)) return '0';
  const text = exactText(whole);
  return text.startsWith('−') ? text : `+${text}`;
}
