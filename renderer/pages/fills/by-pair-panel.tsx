import { useMemo } from 'react';
import { amountText } from '../../components/figures/amounts.ts';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowGap } from '../../components/row-gap.tsx';
import { useRowWindow } from '../../components/use-row-window.ts';
import { useDesk } from '../../state/console.tsx';
import type { FillRange } from './fill-ranges.ts';
import { useBaseTokens } from './use-base-tokens.ts';
import { type VolumeRow, volumeByPair } from './volume-by-pair.ts';

/** How much was bought and sold of each pair's base token; the bar is the share of the pair's own larger side. */
export function ByPairPanel(props: {
  volume: readonly VolumeRow[];
  range: FillRange;
  chosen: string;
  onChoose: (key: string) => void;
}) {
  const pairs = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const baseOf = useBaseTokens();
  const sums = useMemo(() => volumeByPair(props.volume), [props.volume]);
  const { scroller, first, end, above, below } = useRowWindow(pairs.length);
  const most = Math.max(1, ...[...sums.values()].map(({ fills }) => fills));
  return (
    <Panel name="Volume by pair" aside={`last ${props.range.name}`} className="by-pair">
      <div className="scroll" ref={scroller}>
        <table className="grid">
          <thead>
            <tr>
              <th className="f-pair">Pair</th>
              <th className="right f-count">Fills</th>
              <th className="right">Bought, base</th>
              <th className="right">Sold, base</th>
              <th className="right">Net, base</th>
            </tr>
          </thead>
          <tbody>
            <RowGap height={above} />
            {pairs.slice(first, end).map((row) => {
              const key = `${row.chainId}:${row.pair}`;
              const sum = sums.get(key) ?? { fills: 0, bought: 0n, sold: 0n };
              const token = baseOf(row);
              const text = (raw: bigint) => (token === undefined ? '—' : amountText(raw, token));
              const net = sum.bought - sum.sold;
              return (
                <tr key={key} aria-selected={key === props.chosen} onClick={() => props.onChoose(key)}>
                  <td>
                    <button type="button" className="plain-button">
                      <PairName pair={row.pair} />
                    </button>{' '}
                    {chains.length > 1 && (
                      <span className="unit">{chains.find(({ chainId }) => chainId === row.chainId)?.name}</span>
                    )}
                  </td>
                  <td className="right bar-cell">
                    <i style={{ width: `${(sum.fills / most) * 100}%` }} />
                    <span>{countText(sum.fills)}</span>
                  </td>
                  <td className="right bid">{text(sum.bought)}</td>
                  <td className="right ask">{text(sum.sold)}</td>
                  <td className="right">
                    {net > 0n && '+'}
                    {text(net)}
                  </td>
                </tr>
              );
            })}
            <RowGap height={below} />
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
