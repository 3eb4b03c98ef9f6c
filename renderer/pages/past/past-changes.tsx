import { Fragment } from 'react';
import type { ChangedCell, PastDeskView } from '../../../electron/contract/past.ts';
import { Empty } from '../../components/empty.tsx';
import { amountText } from '../../components/figures/amounts.ts';
import { plural } from '../../components/figures/counts.ts';
import { exactText } from '../../components/figures/prices.ts';
import { clockTextBeside, momentText, stampText } from '../../components/figures/times.ts';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import styles from './past-page.module.css';
import type { PastDiff } from './use-past.ts';

/** What differs between A and B, each cell with who changed it last. */
export function PastChanges({ diff: { cells, end } }: { diff: PastDiff }) {
  if (cells.length === 0) {
    return (
      <Empty title="Nothing changed between A and B" heading="h2">
        All {plural(end.cells, 'cell')} are the same.
      </Empty>
    );
  }
  const groups = new Map<string, ChangedCell[]>();
  for (const cell of cells) {
    const group = groupOf(cell, end.to, end.from);
    groups.set(group, [...(groups.get(group) ?? []), cell]);
  }
  return (
    <Scroll>
      <Table aria-label="Changed from A to B">
        <thead>
          <tr>
            <th>Cell</th>
            <th className={`${styles.value} right`}>A {clockTextBeside(end.from.at, end.to.at)}</th>
            <th className={`${styles.value} right`}>B {clockTextBeside(end.to.at, end.from.at)}</th>
            <th>Last changed by</th>
          </tr>
        </thead>
        <tbody>
          {[...groups].map(([group, ofGroup]) => (
            <Fragment key={group}>
              <tr data-group>
                <td colSpan={4}>{group}</td>
              </tr>
              {ofGroup.map((cell) => (
                <tr key={cell.name}>
                  <td title={cell.name}>{cell.name}</td>
                  <td className="right muted" title={cell.before ?? undefined}>
                    {valueText(cell, cell.before)}
                  </td>
                  <td className={`right strong ${styles.after}`} title={cell.after ?? undefined}>
                    {valueText(cell, cell.after)}
                  </td>
                  <td className="muted" title={cell.by === null ? undefined : stampText(cell.by.time)}>
                    {cell.by === null ? (
                      <span className="quiet">quotes and fills</span>
                    ) : (
                      <>
                        <bdi>{cell.by.actor}</bdi> {momentText(cell.by.time, end.to.at)}
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

function groupOf({ chainId, pair, tokenId }: ChangedCell, to: PastDeskView, from: PastDeskView): string {
  if (chainId === null) return 'The desk';
  const chain = [...to.chains, ...from.chains].find((one) => one.chainId === chainId)?.name ?? `${chainId}`;
  return `${chain}: ${pair ?? tokenId ?? 'chain'}`;
}

function valueText({ decimals, tokenId }: ChangedCell, value: string | null): string {
  if (value === null) return '—';
  if (decimals !== undefined) return amountText(value, { symbol: tokenId ?? '', decimals });
  return /^\d+(\.\d+)?$/.test(value) ? exactText(value) : value;
}
