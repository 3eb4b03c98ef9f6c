import { type ReactNode, useMemo } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import type { Closure, ShownState } from '../../../electron/contract/trading.ts';
import { Empty } from '../../components/empty.tsx';
import { countText, percentText, plural } from '../../components/figures/counts.ts';
import { PanelBox } from '../../components/panel.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { BlotterRow } from './blotter-row.tsx';
import { totalDollars, totalText, totalTitle } from './day-volume.ts';
import styles from './pairs-blotter.module.css';
import { type MidPoints, useMids } from './use-mids.ts';

/** Every pair, by chain: what we quote, how old it is, what came of it today, and its switches. */
export function PairsBlotter() {
  const pairs = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const mids = useMids();
  const rows = useMemo(() => blotterLines(pairs, chains), [pairs, chains]);
  return (
    <PanelBox className={styles.blotter} aria-label="Pairs">
      <RowTable
        rows={rows}
        head={<BlotterHead />}
        row={(row) =>
          row.kind === 'chain' ? (
            <ChainHead key={row.chainId} {...row} />
          ) : (
            <PairLine key={pairKey(row.pair)} row={row.pair} closed={row.closed} points={mids.get(pairKey(row.pair))} />
          )
        }
        foot={
          <tfoot>
            <Totals pairs={pairs} />
          </tfoot>
        }
      >
        <Empty title="No pair yet">
          {chains.length === 0
            ? 'This desk has no chain. Bring a desk file: makerdesk import FILE.'
            : 'Add two tokens and a pair of them on Tokens & pairs (G T); then give it prices.'}
        </Empty>
      </RowTable>
    </PanelBox>
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
    <tr data-group="">
      <td className={styles.groupName}>
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
    <span className={`stop ${styles.trouble}`} title={why} data-may-clip>
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

/** Widths are fixed before data arrives. Columns of the same number of figures stand under each other. */
function BlotterHead() {
  return (
    <>
      <colgroup>
        <col className={styles.pairColumn} />
        <col className={`${styles.quotingColumn} narrow-out`} />
        <col className={`${styles.sizeColumn} narrow-out`} />
        <col className={styles.priceColumn} />
        <col className={styles.priceColumn} />
        <col className={`${styles.sizeColumn} narrow-out`} />
        <col className={styles.smallColumn} />
        <col className={`${styles.smallColumn} narrow-out`} />
        <col className={styles.smallColumn} />
        <col className={styles.sparkColumn} />
        <col className={`${styles.byColumn} wide-only`} />
        <col className={`${styles.volumeColumn} wide-only`} />
        <col className={`${styles.volumeColumn} wide-only`} />
        <col className={styles.signedColumn} />
        <col className={`${styles.inQuoteColumn} wide-only`} />
        <col className={styles.volumeColumn} />
        <col className={styles.countColumn} />
        <col className={`${styles.inQuoteColumn} wide-only`} />
        <col className={styles.volumeColumn} />
        <col className={`${styles.smallColumn} roomy-only`} />
        <col className={styles.countColumn} />
        <col className={styles.switchColumn} />
        <col className={styles.switchColumn} />
        <col className={styles.switchColumn} />
      </colgroup>
      <thead>
        <tr>
          <th>Pair</th>
          <th className="narrow-out">Quoting</th>
          <Head name="Size" unit="base" look="edge narrow-out" />
          <Head name="We buy at" unit="quote" />
          <Head name="We sell at" unit="quote" />
          <Head name="Size" unit="base" look="narrow-out" />
          <Head name="Spread" unit="bps" />
          <Head name="Mid–ref" unit="bps" look="narrow-out" />
          <Head name="Age" unit="ladder" />
          <th className="edge">
            Mid<small>last 2 h</small>
          </th>
          <th className="wide-only">
            Revision<small>by</small>
          </th>
          <Head name="Bids worth" unit="k$" look="edge wide-only" />
          <Head name="Asks worth" unit="k$" look="wide-only" />
          <Head name="Signed" unit="today" look="edge" />
          <Head name="Volume" unit="quote" look="wide-only" />
          <Head name="Volume" unit="k$" />
          <Head name="Filled" unit="today" look="edge" />
          <Head name="Volume" unit="quote" look="wide-only" />
          <Head name="Volume" unit="k$" />
          <Head name="Ratio" unit="%" look="roomy-only" />
          <Head name="Refused" unit="today" />
          <th className="center edge">Bids</th>
          <th className="center">Asks</th>
          <th className="center">Pair</th>
        </tr>
      </thead>
    </>
  );
}

function Head({ name, unit, look = '' }: { name: string; unit: string; look?: string }) {
  return (
    <th className={`right ${look}`}>
      {name}
      <small>{unit}</small>
    </th>
  );
}
