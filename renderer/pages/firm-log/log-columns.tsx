import { isByHand, type QuoteRow } from '../../../electron/contract/quote-log.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { PlainButton, TextButton } from '../../components/button.tsx';
import { Amount } from '../../components/figures/amount.tsx';
import { countText, shortHex } from '../../components/figures/counts.ts';
import { NftFigure } from '../../components/figures/nft-figure.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { User } from '../../components/figures/party.tsx';
import { dayText, preciseClockText, stampText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { QuoteState } from '../../components/quote-state.tsx';
import { AT_FIRST, type KeptTable, type TableColumn } from '../../components/table-columns.ts';
import { numberText } from '../../state/number-form.ts';
import { type AmountOf, hasMoreThanDust } from '../../state/quote-figures.ts';
import { zoneName } from '../../state/time-zone.ts';

/** What a row needs to know beside itself. `today` is the day of the desk's clock as `dayText` writes it. */
export interface CellFacts {
  row: QuoteRow;
  base: AmountOf;
  quote: AmountOf;
  price: string | null;
  chain: string;
  today: string;
  /** Asks whether its order is to be cancelled on chain. */
  onCancel: (row: QuoteRow) => void;
}

/** A column of the log. */
export type LogColumn = TableColumn<QuoteRow, CellFacts>;

const figure = (mark: QuoteRow['edgeTenthBps']) => (typeof mark === 'number' ? mark : null);

/** The columns of the log and how each shows a quote; that of the chain is wanted from two chains on. */
export function logColumns(chains: number): readonly LogColumn[] {
  return LOG_COLUMNS.map((column) => (column.id === 'chain' ? { ...column, hidden: chains < 2 } : column));
}

const LOG_COLUMNS: readonly LogColumn[] = [
  {
    id: 'time',
    name: 'Time',
    get head() {
      return ['Time', zoneName()] as const;
    },
    width: 94,
    grows: 0.4,
    rank: 0,
    sortedBy: ({ seq }) => seq,
    cell: ({ row, today }) => <TimeCell row={row} today={today} />,
  },
  {
    id: 'state',
    name: 'State',
    head: ['State', 'time left'],
    width: 110,
    grows: 0.4,
    rank: 1,
    sortedBy: ({ state }) => state,
    cell: ({ row, quote }) => <QuoteState row={row} hasRest={hasMoreThanDust(row, quote)} />,
  },
  {
    id: 'chain',
    name: 'Chain',
    head: ['Chain'],
    width: 84,
    grows: 1,
    rank: 9,
    sortedBy: ({ chainId }) => chainId,
    cell: ({ chain }) => chain,
  },
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 92,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ row }) => (isByHand(row) ? <span className="quiet">NFT order</span> : <PairName pair={row.pair} />),
  },
  {
    id: 'we',
    name: 'We buy or sell',
    head: ['We'],
    width: 46,
    grows: 0.4,
    rank: 2,
    sortedBy: ({ side }) => side,
    cell: ({ row }) =>
      isByHand(row) ? (
        <span
          className="quiet"
          title="Signed by hand for one taker: we give the amount and get what stands under Against."
        >
          give
        </span>
      ) : (
        <SideMark side={row.side} />
      ),
  },
  {
    id: 'amount',
    name: 'Amount',
    head: ['Amount', 'base'],
    width: 116,
    grows: 0.4,
    rank: 3,
    align: 'right',
    cell: ({ row, base }) =>
      row.makerNft === undefined ? (
        <Amount raw={base.raw} token={base.token} />
      ) : (
        <NftFigure nft={row.makerNft} pieces={row.makerAmount ?? '0'} contract={row.makerAsset} />
      ),
  },
  {
    id: 'against',
    name: 'Against',
    head: ['Against', 'quote'],
    width: 120,
    grows: 0.4,
    rank: 8,
    align: 'right',
    cell: ({ row, quote }) =>
      row.takerNft === undefined ? (
        <Amount raw={quote.raw} token={quote.token} cut={row.side === 'bids' ? 'up' : 'down'} />
      ) : (
        <NftFigure nft={row.takerNft} pieces={row.takerAmount ?? '0'} contract={row.takerAsset} />
      ),
  },
  {
    id: 'price',
    name: 'Price or code',
    head: ['Price', 'or code'],
    width: 138,
    grows: 1,
    rank: 1,
    align: 'right',
    cell: ({ row, price }) =>
      row.code === null ? (
        (price ?? '—')
      ) : (
        <span className="stop mono" title={REFUSALS[row.code].sentence}>
          {row.code}
        </span>
      ),
  },
  {
    id: 'edge',
    name: 'Edge',
    head: ['Edge', 'bps'],
    width: 46,
    grows: 0.4,
    rank: 5,
    align: 'right',
    sortedBy: ({ edgeTenthBps }) => figure(edgeTenthBps),
    cell: ({ row }) => <MarkFigure mark={row.edgeTenthBps} />,
  },
  {
    id: 'user',
    name: 'User',
    head: ['User'],
    width: 86,
    namedWidth: 158,
    grows: 0.4,
    rank: 4,
    sortedBy: ({ userAddress }) => userAddress,
    cell: ({ row }) => (
      <span className="muted" title={row.userAddress}>
        <User address={row.userAddress} />
      </span>
    ),
  },
  {
    id: 'taker',
    name: 'Taker contract',
    head: ['Taker'],
    width: 86,
    grows: 0.4,
    rank: 12,
    sortedBy: ({ takerAddress }) => takerAddress,
    cell: ({ row }) => (
      <span className="mono muted" title={row.takerAddress}>
        {shortHex(row.takerAddress)}
      </span>
    ),
  },
  {
    id: 'revision',
    name: 'Ladder revision',
    head: ['Revision'],
    width: 58,
    grows: 0.4,
    rank: 11,
    align: 'right',
    hidden: true,
    sortedBy: ({ ladderRevision }) => ladderRevision,
    cell: ({ row }) => (row.ladderRevision === null ? '—' : countText(row.ladderRevision)),
  },
  {
    id: 'took',
    name: 'Took',
    head: ['Took', 'ms'],
    width: 46,
    grows: 0.4,
    rank: 7,
    align: 'right',
    sortedBy: ({ latencyMs }) => latencyMs,
    cell: ({ row }) => (isByHand(row) ? '—' : numberText(row.latencyMs.toFixed(2))),
  },
  {
    id: 'hash',
    name: 'Order hash',
    head: ['Order hash'],
    width: 86,
    grows: 0.4,
    rank: 6,
    cell: ({ row }) => (
      <span className="mono quiet" title={row.orderHash ?? undefined}>
        {row.orderHash === null ? 'not signed' : shortHex(row.orderHash)}
      </span>
    ),
  },
  {
    id: 'cancel',
    name: 'Cancel on chain',
    head: [],
    width: 52,
    grows: 0,
    // The one thing here that limits a loss: of what tells the order only time, pair, side, price and amount stay before it.
    rank: 3.5,
    align: 'right',
    cell: ({ row, quote, onCancel }) =>
      row.outcome === 'open' &&
      hasMoreThanDust(row, quote) && (
        <TextButton
          aria-label={`Cancel order ${shortHex(row.orderHash ?? '')} on chain…`}
          onClick={(event) => {
            event.stopPropagation();
            onCancel(row);
          }}
        >
          Cancel…
        </TextButton>
      ),
  },
  {
    id: 'row',
    name: 'Row of the journal',
    head: ['Row'],
    width: 72,
    grows: 0.4,
    rank: 13,
    align: 'right',
    hidden: true,
    sortedBy: ({ seq }) => seq,
    cell: ({ row }) => <span className="muted">{countText(row.seq)}</span>,
  },
];

/** Before, which columns are shown was all that was kept: their names with commas between them. */
export const OLDER_COLUMNS = {
  place: 'makerdesk.log-columns',
  read: (text: string): KeptTable => {
    const names = text.split(',');
    // The column that cancels came later: nobody has chosen it away.
    const known = LOG_COLUMNS.filter(({ id }) => id !== 'cancel');
    if (!known.some(({ id }) => names.includes(id))) return AT_FIRST;
    return { ...AT_FIRST, shown: Object.fromEntries(known.map(({ id }) => [id, names.includes(id)])) };
  },
};

/** Today with its milliseconds; any other day with its date, the rest on hover. Pressed, it opens the row it is in. */
function TimeCell({ row, today }: { row: QuoteRow; today: string }) {
  const time = Date.parse(row.time);
  const title = `${dayText(time)} ${preciseClockText(time)} ${zoneName(time)} · row ${countText(row.seq)}`;
  return (
    <PlainButton title={title}>
      <span className="muted">{dayText(time) === today ? preciseClockText(time) : stampText(time)}</span>
    </PlainButton>
  );
}
