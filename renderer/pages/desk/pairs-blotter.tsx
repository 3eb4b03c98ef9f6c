import { type ReactNode, useMemo } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import type { Closure, ShownState } from '../../../electron/contract/trading.ts';
import { Empty } from '../../components/empty.tsx';
import { countText, percentText, plural } from '../../components/figures/counts.ts';
import { RowGap } from '../../components/row-gap.tsx';
import { useRowWindow } from '../../components/use-row-window.ts';
import { useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { BlotterHead } from './blotter-head.tsx';
import { BlotterRow } from './blotter-row.tsx';
import { totalDollars, totalText, totalTitle } from './day-volume.ts';
import { type MidPoints, useMids } from './use-mids.ts';

/** Every pair, by chain: what we quote, how old it is, what came of it today, and its switches. */
export function PairsBlotter() {
  const pairs = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const mids = useMids();
  const rows = useMemo(() => blotterLines(pairs, chains), [pairs, chains]);
  const { scroller, first, end, above, below } = useRowWindow(rows.length);
  if (pairs.length === 0) {
    return (
      <section className="panel blotter" aria-label="Pairs">
        <Empty title="No pair yet">
          {chains.length === 0
            ? 'This desk has no chain. Bring a desk file: makerdesk import FILE.'
            : 'Add two tokens and a pair of them on Tokens & pairs (G T); then give it prices.'}
        </Empty>
      </section>
    );
  }
  return (
    <section className="panel blotter" aria-label="Pairs">
      <div className="scroll" ref={scroller}>
        <table className="grid">
          <BlotterHead />
          <tbody>
            <RowGap height={above} />
            {rows
              .slice(first, end)
              .map((row) =>
                row.kind === 'chain' ? (
                  <ChainHead key={row.chainId} {...row} />
                ) : (
                  <PairLine
                    key={pairKey(row.pair)}
                    row={row.pair}
                    closed={row.closed}
                    points={mids.get(pairKey(row.pair))}
                  />
                ),
              )}
            <RowGap height={below} />
          </tbody>
          <tfoot>
            <Totals pairs={pairs} />
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function PairLine(props: { row: PairRow; closed: Closure | null; points: MidPoints | undefined }) {
  const { row, closed, points } = props;
  const state = useDesk((view): ShownState => {
    const chain = view.status?.chains.find(({ chainId }) => chainId === row.chainId);
    return chain?.pairs[row.pair] ?? chain?.state ?? 'HALTED';
  });
  return <BlotterRow row={row} state={state} closed={closed ?? row.closed ?? null} points={points} />;
}

function ChainHead({ chainId, chain, count }: { chainId: number; chain: ChainRow | undefined; count: number }) {
  return (
    <tr className="group">
      <td className="group-name">
        <b>{chain?.name ?? `Chain ${chainId}`}</b> &nbsp; chain {chainId} · {plural(count, 'pair')}
        {chain && <ChainTrouble chain={chain} pairs={count} />}
      </td>
      <OtherCells />
    </tr>
  );
}

/** Why a chain quotes nothing, beside its name. */
function ChainTrouble({ chain: { fault, closed, quotes }, pairs }: { chain: ChainRow; pairs: number }) {
  const nothing = quotes === false && pairs > 0 ? 'nothing is quoted' : null;
  const why = fault ?? (closed === null ? nothing : `closed: ${REFUSALS[closed].sentence}`);
  return why === null ? null : (
    <span className="stop trouble" title={why} data-may-clip>
      &nbsp;· {why}
    </span>
  );
}

function Totals({ pairs }: { pairs: readonly PairRow[] }) {
  const total = (of: 'signed' | 'filled' | 'refused') => pairs.reduce((count, row) => count + row.today[of], 0);
  return (
    <tr>
      <td>All pairs</td>
      <OtherCells
        figures={
          <>
            <td className="right edge live-figure">{countText(total('signed'))}</td>
            <td className="wide-only" />
            <VolumeTotal pairs={pairs} of="signedVolume" />
            <td className="right edge live-figure">{countText(total('filled'))}</td>
            <td className="wide-only" />
            <VolumeTotal pairs={pairs} of="filledVolume" />
            <td className="right live-figure muted roomy-only">{percentText(total('filled'), total('signed'))}</td>
            <td className="right live-figure">{countText(total('refused'))}</td>
          </>
        }
      />
    </tr>
  );
}

function VolumeTotal({ pairs, of }: { pairs: readonly PairRow[]; of: 'signedVolume' | 'filledVolume' }) {
  const total = totalDollars(pairs, of);
  return (
    <td className="right live-figure" title={totalTitle(total)}>
      {totalText(total)}
    </td>
  );
}

/** The cells behind the name in a row that is no pair: each column has its own, since some are left out on small screens. */
function OtherCells({ figures }: { figures?: ReactNode }) {
  return (
    <>
      <td className="narrow-out" />
      <td className="narrow-out" />
      <td />
      <td />
      <td className="narrow-out" />
      <td />
      <td className="narrow-out" />
      <td />
      <td />
      <td className="wide-only" />
      <td className="wide-only" />
      <td className="wide-only" />
      {figures ?? (
        <>
          <td />
          <td className="wide-only" />
          <td />
          <td />
          <td className="wide-only" />
          <td />
          <td className="roomy-only" />
          <td />
        </>
      )}
      <td />
      <td />
      <td />
    </>
  );
}

type BlotterLine =
  | { kind: 'chain'; chainId: number; chain: ChainRow | undefined; count: number }
  | { kind: 'pair'; pair: PairRow; closed: Closure | null };

/** Chain by chain: its head, then its pairs. */
function blotterLines(pairs: readonly PairRow[], chains: readonly ChainRow[]): BlotterLine[] {
  const ids = [...new Set([...chains.map(({ chainId }) => chainId), ...pairs.map(({ chainId }) => chainId)])];
  return ids.flatMap((chainId): BlotterLine[] => {
    const chain = chains.find((candidate) => candidate.chainId === chainId);
    const rows = pairs.filter((row) => row.chainId === chainId);
    const closed = chain?.closed ?? null;
    return [
      { kind: 'chain', chainId, chain, count: rows.length },
      ...rows.map((pair) => ({ kind: 'pair' as const, pair, closed })),
    ];
  });
}
