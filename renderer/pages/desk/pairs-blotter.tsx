import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import type { Closure, ShownState } from '../../../electron/contract/trading.ts';
import { DataTable, SomeCells } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { PanelBox } from '../../components/panel.tsx';
import { type TableView, useTableView } from '../../components/use-table-view.ts';
import { useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { BLOTTER_COLUMNS, BlotterRow } from './blotter-row.tsx';
import { totalDollars, totalText, totalTitle } from './day-volume.ts';
import { fillRatioText } from './fill-ratio.ts';
import styles from './pairs-blotter.module.css';
import { useMids } from './use-mids.ts';

type Blotter = TableView<PairRow, (typeof BLOTTER_COLUMNS)[number]>;

/** The pairs as somebody arranged their columns. */
export function useBlotter(): Blotter {
  const pairs = useDesk((view) => view.pairs);
  return useTableView({ name: 'blotter', columns: BLOTTER_COLUMNS, rows: pairs, isTight: true });
}

/** Every pair, by chain: what we quote, how old it is, what came of it today, and its switches. */
export function PairsBlotter({ view }: { view: Blotter }) {
  const pairs = useDesk((desk) => desk.pairs);
  const chains = useDesk((desk) => desk.chains);
  const mids = useMids();
  const totals = useMemo(() => totalsOf(pairs), [pairs]);
  const { isPointed, hand } = useHand();
  const rows = useHeldOrder(view, isPointed);
  const lines = useMemo(() => blotterLines(rows, chains), [rows, chains]);
  return (
    <PanelBox className={styles.blotter} aria-label="Pairs" {...hand}>
      <DataTable
        name="Pairs"
        view={view}
        rows={lines}
        row={(line, columns) =>
          line.kind === 'chain' ? (
            <tr key={line.chainId} data-group="">
              <td colSpan={columns.length} className={styles.groupName}>
                <ChainName {...line} />
              </td>
            </tr>
          ) : (
            <PairLine
              key={pairKey(line.pair)}
              row={line.pair}
              closed={line.closed}
              points={mids.get(pairKey(line.pair))}
              columns={columns}
            />
          )
        }
        foot={(columns) => (
          <tr>
            <SomeCells columns={columns} of={totals} />
          </tr>
        )}
      >
        <Empty title="No pair yet">
          {chains.length === 0
            ? 'This desk has no chain yet: set one up under Settings, Chains.'
            : 'Add two tokens and a pair of them on Tokens & pairs (G T); then give it prices.'}
        </Empty>
      </DataTable>
    </PanelBox>
  );
}

/** A pointer that has not moved for so long was left lying there. Milliseconds. */
const RESTS_MS = 15_000;

/** Whether a hand is on the pairs: the pointer is, and was moved not long ago. Not every way in which it goes is told as leaving them. */
function useHand() {
  const [isPointed, setPointed] = useState(false);
  const rests = useRef<ReturnType<typeof setTimeout>>(undefined);
  const gone = useCallback(() => {
    clearTimeout(rests.current);
    setPointed(false);
  }, []);
  useEffect(() => {
    const { documentElement } = document;
    window.addEventListener('blur', gone);
    documentElement.addEventListener('pointerleave', gone);
    return () => {
      clearTimeout(rests.current);
      window.removeEventListener('blur', gone);
      documentElement.removeEventListener('pointerleave', gone);
    };
  }, [gone]);
  const here = () => {
    clearTimeout(rests.current);
    rests.current = setTimeout(gone, RESTS_MS);
    setPointed(true);
  };
  const hand = {
    onPointerEnter: here,
    onPointerMove: here,
    onPointerDown: here,
    onWheel: here,
    onPointerLeave: gone,
    onPointerCancel: gone,
  };
  return { isPointed, hand };
}

/** While the pointer is on the pairs they stay where they are: a switch that somebody is about to press is not exchanged for another. */
function useHeldOrder({ rows, sort }: Blotter, isHeld: boolean): readonly PairRow[] {
  const sortedBy = sort === null ? null : `${sort.id} ${sort.desc}`;
  const [held, setHeld] = useState<{ sortedBy: string; keys: readonly string[] } | null>(null);
  if ((!isHeld || sortedBy === null) && held !== null) setHeld(null);
  if (isHeld && sortedBy !== null && held?.sortedBy !== sortedBy) setHeld({ sortedBy, keys: rows.map(pairKey) });
  return useMemo(() => {
    if (held === null) return rows;
    const places = new Map(held.keys.map((key, place) => [key, place]));
    const placeOf = (row: PairRow) => places.get(pairKey(row)) ?? places.size;
    return rows.toSorted((a, b) => placeOf(a) - placeOf(b));
  }, [rows, held]);
}

function PairLine(props: Omit<Parameters<typeof BlotterRow>[0], 'state'>) {
  const { row, closed } = props;
  const state = useDesk((view): ShownState => {
    const chain = view.status?.chains.find(({ chainId }) => chainId === row.chainId);
    return chain?.pairs[row.pair] ?? chain?.state ?? 'HALTED';
  });
  return <BlotterRow {...props} state={state} closed={closed ?? row.closed ?? null} />;
}

function ChainName({ chainId, chain, count }: { chainId: number; chain: ChainRow | undefined; count: number }) {
  return (
    <>
      <b>{chain?.name ?? `Chain ${chainId}`}</b> &nbsp; chain {chainId} · {plural(count, 'pair')}
      {chain && <ChainTrouble chain={chain} pairs={count} />}
    </>
  );
}

/** Why a chain quotes nothing, beside its name. */
function ChainTrouble({ chain: { fault, closed, quotes }, pairs }: { chain: ChainRow; pairs: number }) {
  const nothing = quotes === false && pairs > 0 ? 'nothing is quoted' : null;
  const why = fault ?? (closed === null ? nothing : `closed: ${REFUSALS[closed].sentence}`);
  return why === null ? null : (
    <span className={`stop ${styles.trouble}`} title={why}>
      &nbsp;· {why}
    </span>
  );
}

/** What stands under all pairs, by column. */
function totalsOf(pairs: readonly PairRow[]): Record<string, ReactNode> {
  const total = (of: 'signed' | 'filled' | 'refused') => pairs.reduce((count, row) => count + row.today[of], 0);
  const dollars = (of: 'signedVolume' | 'filledVolume') => {
    const sum = totalDollars(pairs, of);
    return <span title={totalTitle(sum)}>{totalText(sum)}</span>;
  };
  return {
    pair: 'All pairs',
    signed: countText(total('signed')),
    signedVolume: dollars('signedVolume'),
    filled: countText(total('filled')),
    filledVolume: dollars('filledVolume'),
    ratio: fillRatioText(pairs),
    refused: countText(total('refused')),
  };
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
