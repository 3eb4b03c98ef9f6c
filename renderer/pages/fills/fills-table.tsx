import { memo } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { MARK_NAMES, MARKS, type MarkedFill, type MarkName } from '../../../electron/contract/quote-log.ts';
import { Empty, Waiting } from '../../components/empty.tsx';
import addressStyles from '../../components/figures/address.module.css';
import { Address } from '../../components/figures/address.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { plural, shortHex } from '../../components/figures/counts.ts';
import { NftFigure } from '../../components/figures/nft-figure.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark, SideMark } from '../../components/mark.tsx';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole } from '../../state/console.tsx';
import { useQuoteFigures } from '../../state/quote-figures.ts';
import { CoverMark } from '../hedge/cover-mark.tsx';
import styles from './fills-table.module.css';
import { useChainOf } from './use-fills.ts';

/** Each fill with what it was worth. */
export function FillsTable(props: {
  fills: readonly MarkedFill[];
  pending: boolean;
  ended: boolean;
  /** What became of the risk of each, by its row. */
  covers: ReadonlyMap<number, HedgedFill>;
  what: string;
  onMore: () => void;
  onUser: (user: `0x${string}`) => void;
}) {
  const { fills, pending, ended, covers, what, onMore, onUser } = props;
  const aside = `${what}, newest first. Marks in bps against the reference, + is good for us`;
  return (
    <Panel
      name="Fills"
      aside={aside}
      className={styles.panel}
      actions={<span className="quiet">{ended ? plural(fills.length, 'fill') : `${fills.length} read so far`}</span>}
    >
      {pending && <Waiting rows={6} />}
      {!pending && fills.length === 0 && (
        <Empty title="No fills in this time">A fill appears here within a block of settling.</Empty>
      )}
      {fills.length > 0 && (
        <VirtualRows
          name="Fills"
          head={HEAD}
          rows={fills}
          keyOf={(fill) => fill.seq}
          onEnd={onMore}
          row={(fill, style) => (
            <Row key={fill.seq} fill={fill} cover={covers.get(fill.seq)} style={style} onUser={onUser} />
          )}
        />
      )}
    </Panel>
  );
}

const markClass = (name: MarkName) => (MARKS[name].spare ? `right ${styles.soonColumn}` : 'right');

const HEAD = (
  <div className={`${virtualRowsStyles.head} ${styles.columns}`}>
    <span>Time, UTC</span>
    <span>Pair</span>
    <span>We</span>
    <span className="right">Amount</span>
    <span className="right">Against</span>
    <span className="right">Price</span>
    <span className={`right ${styles.referenceColumn}`}>Reference</span>
    {MARK_NAMES.map((name) => (
      <span key={name} className={markClass(name)}>
        {MARKS[name].text}
      </span>
    ))}
    <span className={`right ${styles.moneyColumn}`}>Edge, $</span>
    <span>Hedge</span>
    <span>User</span>
    <span className={styles.transactionColumn}>Transaction</span>
  </div>
);

interface RowProps {
  fill: MarkedFill;
  cover: HedgedFill | undefined;
  style: { transform: string };
  onUser: (user: `0x${string}`) => void;
}

const Row = memo(
  function Row({ fill, cover, style, onUser }: RowProps) {
    const { desk } = useConsole();
    const { base, quote, price } = useQuoteFigures(fill);
    const places = price?.split('.')[1]?.length ?? 2;
    const chain = useChainOf(fill);
    const { userAddress } = fill;
    if (fill.unreadable !== undefined) {
      return (
        <div className={`${virtualRowsStyles.row} ${virtualRowsStyles.unreadable}`} style={style} data-seq={fill.seq}>
          <span className="muted">{momentText(fill.time, desk.now())}</span>
          <Unreadable seq={fill.seq} why={fill.unreadable} />
        </div>
      );
    }
    return (
      <div
        className={`${virtualRowsStyles.row} ${styles.columns} ${fill.reverted ? styles.reverted : ''}`}
        style={style}
        data-seq={fill.seq}
      >
        <span className="muted">{momentText(fill.time, desk.now())}</span>
        <span>
          {isOfNft(fill) ? <span className="quiet">NFT order</span> : <PairName pair={fill.pair} />}{' '}
          {chain !== null && <span className="unit">{chain}</span>}
        </span>
        {fill.side === null ? (
          <span
            className="quiet"
            title="An order that is no quote of a pair: we gave the amount and got what stands against it."
          >
            gave
          </span>
        ) : (
          <SideMark side={fill.side} />
        )}
        <span className="right">
          {fill.makerNft === undefined ? (
            <Amount raw={base.raw} token={base.token} />
          ) : (
            <NftFigure nft={fill.makerNft} pieces={fill.makerAmount} contract={fill.makerAsset} />
          )}
        </span>
        <span className="right">
          {fill.takerNft === undefined ? (
            <Amount raw={quote.raw} token={quote.token} />
          ) : (
            <NftFigure nft={fill.takerNft} pieces={fill.takerAmount} contract={fill.takerAsset} />
          )}
        </span>
        <span className="right">{fill.pair === null ? '—' : (price ?? '—')}</span>
        <span className={`right muted ${styles.referenceColumn}`}>
          {fill.reference === null ? '—' : decimalText(fill.reference, places)}
        </span>
        {MARK_NAMES.map((name) => (
          <span key={name} className={markClass(name)}>
            <MarkFigure mark={fill[name]} />
          </span>
        ))}
        <span className={`right ${styles.moneyColumn}`}>{fill.edgeUsd === null ? '—' : signedText(fill.edgeUsd)}</span>
        {cover === undefined ? <span className="quiet">—</span> : <CoverMark fill={cover} />}
        <span>
          {userAddress === null ? (
            '—'
          ) : (
            <button
              type="button"
              className={`${addressStyles.address} mono`}
              title={`${userAddress}\nClick shows this user alone.`}
              onClick={() => onUser(userAddress)}
            >
              {shortHex(userAddress)}
            </button>
          )}
        </span>
        <span className={`with-mark ${styles.transactionColumn}`}>
          {fill.reverted && <Mark shape="cancelled" tone="attn" />}
          <Address hex={fill.transactionHash} of="transaction" />{' '}
          {fill.reverted && <span className="attn">taken back</span>}
        </span>
      </div>
    );
  },
  (old, next) =>
    old.fill === next.fill &&
    isSameCover(old.cover, next.cover) &&
    old.style.transform === next.style.transform &&
    old.onUser === next.onUser,
);

function isOfNft({ makerNft, takerNft }: MarkedFill): boolean {
  return makerNft !== undefined || takerNft !== undefined;
}

/** Covers are read anew all the time; a row is drawn anew only when its own changed. */
function isSameCover(old: HedgedFill | undefined, next: HedgedFill | undefined): boolean {
  return old?.cover === next?.cover && old?.resultUsd === next?.resultUsd && old?.result === next?.result;
}

function signedText(dollars: string): string {
  const text = decimalText(dollars, 2, dollars.startsWith('-') ? 'up' : 'down');
  return /[1-9]/.test(text) && !text.startsWith('−') ? `+${text}` : text;
}
