import { memo } from 'react';
import type { FillRow } from '../../../electron/contract/quote-log.ts';
import { Empty } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { SideMark } from '../../components/side-mark.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole } from '../../state/console.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';

export function FillsTable({ fills, pending }: { fills: readonly FillRow[]; pending: boolean }) {
  return (
    <Panel name="Fills" aside={`${plural(fills.length, 'fill')}, newest first`} className="fills-table">
      {!pending && fills.length === 0 && (
        <Empty title="No fills yet">A fill appears here within a block of settling.</Empty>
      )}
      <VirtualRows
        name="Fills"
        head={HEAD}
        rows={fills}
        keyOf={(fill) => fill.seq}
        row={(fill, style) => <Row key={fill.seq} fill={fill} style={style} />}
      />
    </Panel>
  );
}

const HEAD = (
  <div className="rows-head fill-columns">
    <span>Time</span>
    <span>Pair</span>
    <span>We</span>
    <span className="right">Amount</span>
    <span className="right">Against</span>
    <span className="right">Price</span>
    <span>User</span>
    <span>Transaction</span>
    <span className="right">Block</span>
  </div>
);

const Row = memo(
  function Row({ fill, style }: { fill: FillRow; style: { transform: string } }) {
    const { desk } = useConsole();
    const { base, quote, price } = useQuoteFigures(fill);
    return (
      <div className={`rows-row fill-columns ${fill.reverted ? 'is-reverted' : ''}`} style={style} data-seq={fill.seq}>
        <span className="muted">{momentText(fill.time, desk.now())}</span>
        <PairName pair={fill.pair} />
        <SideMark side={fill.side} />
        <span className="right">
          <Amount raw={base.raw} token={base.token} />
        </span>
        <span className="right">
          <Amount raw={quote.raw} token={quote.token} />
        </span>
        <span className="right">{price ?? '—'}</span>
        <span>{fill.userAddress === null ? '—' : <Address hex={fill.userAddress} of="user’s address" />}</span>
        <span className="with-mark">
          {fill.reverted && <Mark shape="cancelled" tone="attn" />}
          <Address hex={fill.transactionHash} of="transaction" />{' '}
          {fill.reverted && <span className="attn">taken back</span>}
        </span>
        <span className="right muted">{fill.block}</span>
      </div>
    );
  },
  (old, next) => old.fill === next.fill && old.style.transform === next.style.transform,
);
