import { type ReactNode, useMemo } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { ChainRow } from '../../../electron/contract/desk-view.ts';
import type { TradingState } from '../../../electron/contract/trading.ts';
import { Empty } from '../../components/empty.tsx';
import { countText, percentText, plural } from '../../components/figures/counts.ts';
import { useDesk } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { BlotterHead } from './blotter-head.tsx';
import { BlotterRow } from './blotter-row.tsx';

/** Every pair, by chain: what we quote, how old it is, what came of it today, and its switches. */
export function PairsBlotter() {
  const pairs = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const groups = useMemo(() => byChain(pairs, chains), [pairs, chains]);
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
      <div className="scroll">
        <table className="grid">
          <BlotterHead />
          <tbody>
            {groups.map(({ chain, chainId, rows }) => (
              <ChainGroup key={chainId} chainId={chainId} chain={chain} rows={rows} />
            ))}
            <Totals pairs={pairs} />
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ChainGroup({ chainId, chain, rows }: { chainId: number; chain: ChainRow | undefined; rows: PairRow[] }) {
  const status = useDesk((view) => view.status?.chains.find((row) => row.chainId === chainId));
  const closed = chain?.closed ?? null;
  const stateOf = (pair: string): TradingState => status?.pairs[pair] ?? status?.state ?? 'HALTED';
  return (
    <>
      <tr className="group">
        <td className="group-name">
          <b>{chain?.name ?? `Chain ${chainId}`}</b> &nbsp; chain {chainId} · {plural(rows.length, 'pair')}
          {chain?.fault && <span className="stop"> · {chain.fault}</span>}
        </td>
        <OtherCells />
      </tr>
      {rows.map((row) => (
        <BlotterRow key={pairKey(row)} row={row} state={stateOf(row.pair)} closed={closed ?? row.closed ?? null} />
      ))}
    </>
  );
}

function Totals({ pairs }: { pairs: readonly PairRow[] }) {
  const total = (of: 'signed' | 'filled' | 'refused') => pairs.reduce((count, row) => count + row.today[of], 0);
  return (
    <tr className="total">
      <td>All pairs</td>
      <OtherCells
        figures={
          <>
            <td className="right edge live-figure">{countText(total('signed'))}</td>
            <td className="right live-figure">{countText(total('filled'))}</td>
            <td className="right live-figure muted narrow-out">{percentText(total('filled'), total('signed'))}</td>
            <td className="right live-figure">{countText(total('refused'))}</td>
          </>
        }
      />
    </tr>
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
      <td />
      <td className="wide-only" />
      {figures ?? (
        <>
          <td />
          <td />
          <td className="narrow-out" />
          <td />
        </>
      )}
      <td />
      <td />
      <td />
    </>
  );
}

function byChain(pairs: readonly PairRow[], chains: readonly ChainRow[]) {
  const ids = [...new Set([...chains.map(({ chainId }) => chainId), ...pairs.map(({ chainId }) => chainId)])];
  return ids.map((chainId) => ({
    chainId,
    chain: chains.find((chain) => chain.chainId === chainId),
    rows: pairs.filter((row) => row.chainId === chainId),
  }));
}
