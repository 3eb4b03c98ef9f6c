import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { MARK_NAMES, MARKS } from '../../../electron/contract/marks.ts';
import { isByHand, type MarkedFill } from '../../../electron/contract/quote-log.ts';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty, type Read } from '../../components/empty.tsx';
import addressStyles from '../../components/figures/address.module.css';
import { Address } from '../../components/figures/address.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import { NftFigure } from '../../components/figures/nft-figure.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark, SideMark } from '../../components/mark.tsx';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { UnreadableRow } from '../../components/unreadable.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { useConsole } from '../../state/console.tsx';
import { placesIn } from '../../state/number-form.ts';
import { type AmountOf, useQuoteFigures } from '../../state/quote-figures.ts';
import { fillStories, storyName, storyPath } from '../../state/story.ts';
import { zoneName } from '../../state/time-zone.ts';
import { CoverMark } from '../hedge/cover-mark.tsx';
import styles from './fills-table.module.css';
import { useChainOf } from './use-fills.ts';

/** What a row needs to know beside its fill. */
interface FillFacts {
  fill: MarkedFill;
  base: AmountOf;
  quote: AmountOf;
  price: string | null;
  cover: HedgedFill | undefined;
  chain: string | null;
  now: number;
  onUser: (user: `0x${string}`) => void;
}

type FillColumn = TableColumn<MarkedFill, FillFacts>;

/** Amounts of two tokens are not compared: those of one stand together. A whole amount has at most 78 digits. */
const amountOf = (sideOfBase: 'bids' | 'asks') => (fill: MarkedFill) => {
  const [token, amount] =
    fill.side === sideOfBase ? [fill.takerAsset, fill.takerAmount] : [fill.makerAsset, fill.makerAmount];
  return `${token} ${amount.padStart(78, '0')}`;
};

const COLUMNS: readonly FillColumn[] = [
  {
    id: 'time',
    name: 'Time',
    get head() {
      return [`Time, ${zoneName()}`] as const;
    },
    width: 92,
    grows: 0.2,
    rank: 0,
    className: 'muted',
    sortedBy: ({ time }) => time,
    cell: ({ fill, now }) => momentText(fill.time, now),
  },
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 82,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ fill, chain }) => (
      <>
        {isByHand(fill) ? <span className="quiet">NFT order</span> : <ChangedPair fill={fill} />}{' '}
        {chain !== null && <span className="unit">{chain}</span>}
      </>
    ),
  },
  {
    id: 'we',
    name: 'We buy or sell',
    head: ['We'],
    width: 46,
    grows: 0,
    rank: 1,
    sortedBy: ({ side }) => side,
    cell: ({ fill }) =>
      fill.side === null ? (
        <span className="quiet" title="Not a quote of a pair: we gave the amount and got what stands under Against.">
          gave
        </span>
      ) : (
        <SideMark side={fill.side} />
      ),
  },
  {
    id: 'amount',
    name: 'Amount',
    head: ['Amount'],
    title: 'Sorted by token, then by amount',
    width: 92,
    grows: 0.6,
    rank: 1,
    align: 'right',
    sortedBy: amountOf('bids'),
    cell: ({ fill, base }) =>
      fill.makerNft === undefined ? (
        <Amount raw={base.raw} token={base.token} />
      ) : (
        <NftFigure nft={fill.makerNft} pieces={fill.makerAmount} contract={fill.makerAsset} />
      ),
  },
  {
    id: 'against',
    name: 'Against',
    head: ['Against'],
    title: 'Sorted by token, then by amount',
    width: 106,
    grows: 0.6,
    rank: 3,
    align: 'right',
    sortedBy: amountOf('asks'),
    cell: ({ fill, quote }) =>
      fill.takerNft === undefined ? (
        <Amount raw={quote.raw} token={quote.token} />
      ) : (
        <NftFigure nft={fill.takerNft} pieces={fill.takerAmount} contract={fill.takerAsset} />
      ),
  },
  {
    id: 'price',
    name: 'Price',
    head: ['Price'],
    width: 84,
    grows: 0.5,
    rank: 1,
    align: 'right',
    cell: ({ fill, price }) => (fill.pair === null ? '—' : (price ?? '—')),
  },
  {
    id: 'reference',
    name: 'Reference',
    head: ['Reference'],
    width: 84,
    grows: 0.5,
    rank: 8,
    align: 'right',
    className: 'muted',
    cell: ({ fill, price }) =>
      fill.reference === null ? '—' : decimalText(fill.reference, price === null ? 2 : placesIn(price)),
  },
  ...MARK_NAMES.map(
    (name): FillColumn => ({
      id: name,
      name: name === 'edge' ? 'Edge, bps' : `Markout after ${MARKS[name].text}, bps`,
      head: [MARKS[name].text],
      width: 46,
      grows: 0.1,
      rank: MARKS[name].spare ? 7 : 2,
      align: 'right',
      sortedBy: (fill) => (typeof fill[name] === 'number' ? fill[name] : null),
      cell: ({ fill }) => <MarkFigure mark={fill[name]} />,
    }),
  ),
  {
    id: 'edgeUsd',
    name: 'Edge, $',
    head: ['Edge, $'],
    width: 66,
    grows: 0.2,
    rank: 6,
    align: 'right',
    sortedBy: ({ edgeUsd }) => readDecimal(edgeUsd ?? ''),
    cell: ({ fill }) => (fill.edgeUsd === null ? '—' : signedText(fill.edgeUsd)),
  },
  {
    id: 'hedge',
    name: 'Hedge',
    head: ['Hedge'],
    width: 79,
    grows: 0.1,
    rank: 4,
    className: 'live-figure',
    cell: ({ cover }) => (cover === undefined ? <span className="quiet">—</span> : <CoverMark fill={cover} />),
  },
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 86,
    namedWidth: 158,
    grows: 0.1,
    rank: 2.5,
    sortedBy: ({ userAddress }) => userAddress,
    cell: ({ fill: { userAddress }, onUser }) =>
      userAddress === null ? (
        '—'
      ) : (
        <button
          type="button"
          className={addressStyles.address}
          title={`${userAddress}\nClick shows this user alone.`}
          onClick={() => onUser(userAddress)}
        >
          <User address={userAddress} />
        </button>
      ),
  },
  {
    id: 'transaction',
    name: 'Transaction',
    head: ['Transaction'],
    width: 160,
    grows: 0.3,
    rank: 9,
    className: 'with-mark',
    cell: ({ fill }) => (
      <>
        {fill.reverted && <Mark shape="cancelled" tone="attn" />}
        <Address hex={fill.transactionHash} of="transaction" />{' '}
        {fill.reverted && <span className="attn">taken back</span>}
      </>
    ),
  },
];

/** Each fill with what it was worth. */
export function FillsTable(props: {
  fills: readonly MarkedFill[];
  read: Read;
  ended: boolean;
  /** What became of the risk of each, by its row. */
  covers: ReadonlyMap<number, HedgedFill>;
  what: string;
  onMore: () => void;
  onUser: (user: `0x${string}`) => void;
  actions: ReactNode;
}) {
  const { fills, read, ended, covers, what, onMore, onUser, actions } = props;
  const aside = `${what}, newest first. Markouts in bps against the reference, + is good for us`;
  const view = useTableView({ name: 'fills', columns: COLUMNS, rows: fills, whole: ended });
  return (
    <Panel
      name="Fills"
      aside={aside}
      className={styles.panel}
      actions={
        <>
          {(fills.length > 0 || ended) && (
            <span className="quiet">
              {ended ? plural(fills.length, 'fill') : `${countText(fills.length)} read so far`}
            </span>
          )}
          {actions}
          <ColumnsMenu view={view} of="Fills" />
        </>
      }
    >
      <DataTable
        name="Fills"
        view={view}
        rows={view.rows}
        onEnd={onMore}
        read={read}
        unknown="The fills are not known here; each one is written down all the same"
        bars={6}
        row={(fill, columns) => (
          <Row key={fill.seq} fill={fill} cover={covers.get(fill.seq)} columns={columns} onUser={onUser} />
        )}
      >
        <Empty title="No fills in this time">A fill appears here within a block of settling.</Empty>
      </DataTable>
    </Panel>
  );
}

interface RowProps {
  fill: MarkedFill;
  cover: HedgedFill | undefined;
  columns: readonly FillColumn[];
  onUser: (user: `0x${string}`) => void;
}

const Row = memo(
  function Row({ fill, cover, columns, onUser }: RowProps) {
    const now = useConsole().desk.now();
    const figures = useQuoteFigures(fill);
    const chain = useChainOf(fill);
    if (fill.unreadable !== undefined) {
      return <UnreadableRow row={fill} why={fill.unreadable} columns={columns.length} now={now} />;
    }
    return (
      <tr className={fill.reverted ? styles.reverted : ''} data-seq={fill.seq} {...fillStories(fill)}>
        <Cells columns={columns} facts={{ fill, cover, chain, now, onUser, ...figures }} />
      </tr>
    );
  },
  (old, next) =>
    old.fill === next.fill &&
    isSameCover(old.cover, next.cover) &&
    old.columns === next.columns &&
    old.onUser === next.onUser,
);

/** Covers are read anew all the time; a row is drawn anew only when its own changed. */
function isSameCover(old: HedgedFill | undefined, next: HedgedFill | undefined): boolean {
  return old?.cover === next?.cover && old?.resultUsd === next?.resultUsd && old?.result === next?.result;
}

function signedText(dollars: string): string {
  const text = decimalText(dollars, 2, dollars.startsWith('-') ? 'up' : 'down');
  return /[1-9]/.test(text) && !text.startsWith('−') ? `+${text}` : text;
}

/** The pair of a fill, and the way to what changed it. */
function ChangedPair({ fill: { chainId, pair } }: { fill: MarkedFill }) {
  if (pair === null) return <PairName pair={null} />;
  const of = { kind: 'pair', chainId, pair } as const;
  return (
    <Link className={styles.pair} href={storyPath(of)} title={storyName(of)}>
      <PairName pair={pair} />
    </Link>
  );
}
