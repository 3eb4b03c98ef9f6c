import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { PairRow } from '../../../electron/contract/book.ts';
import { type Formula, formulaText } from '../../../electron/contract/formula.ts';
import type { ReferenceLine } from '../../../electron/contract/sources.ts';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty, EmptyPage } from '../../components/empty.tsx';
import { Age } from '../../components/figures/age.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText, narrowPricePlaces, spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { liveSums, type TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useDesk, useQueries } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { pricingPath } from '../../state/pages.ts';
import { storiesOf } from '../../state/story.ts';
import { PairTabs } from '../prices/pair-tabs.tsx';
import styles from './all-pricing-page.module.css';
import { figureText, isQuoted, midPlaces, notQuoted, pricedBy, whyNot } from './pricing-words.ts';

/** How often sources and formulas of all pairs are read anew. Milliseconds. */
const AGAIN_MS = 5_000;

/** Decimals of a price that have room. */
const MOST_PLACES = 9;

/** A pair with what the list tells of it. */
interface PricedPair {
  row: PairRow;
  chain: string;
  formula: Formula | null;
  reference: ReferenceLine | undefined;
  why: string | null;
}

const PAIRS: readonly TableColumn<PricedPair>[] = [
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 112,
    grows: 0.2,
    rank: 0,
    sortedBy: ({ row }) => row.pair,
    cell: ({ row }) => (
      <Link href={pricingPath(row.chainId, row.pair)} className={styles.pair} title="What its prices are made of">
        <PairName pair={row.pair} />
      </Link>
    ),
  },
  {
    id: 'chain',
    name: 'Chain',
    head: ['Chain'],
    width: 78,
    grows: 0.2,
    rank: 2,
    sortedBy: ({ chain }) => chain,
    cell: ({ chain }) => <span className="muted">{chain}</span>,
  },
  {
    id: 'by',
    name: 'Priced by',
    head: ['Priced by'],
    width: 122,
    grows: 0.3,
    rank: 3,
    sortedBy: ({ row }) => pricedBy(row),
    cell: ({ row }) => pricedBy(row),
  },
  {
    id: 'formula',
    name: 'Formula',
    head: ['Formula'],
    width: 150,
    grows: 1,
    rank: 5,
    sortedBy: ({ formula }) => (formula === null ? null : formulaText(formula)),
    tip: ({ formula }) => (formula === null ? null : formulaText(formula)),
    cell: ({ formula }) =>
      formula === null ? (
        <span className="quiet">—</span>
      ) : (
        <>
          {figureText(formula.spreadBps)} bps
          <span className="muted">
            ,{' '}
            {[
              levelsText(formula),
              formula.inventory && 'skew',
              formula.volatility && 'volatility',
              formula.age && 'age',
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </>
      ),
  },
  {
    id: 'sources',
    name: 'Sources',
    head: ['Sources'],
    width: 72,
    grows: 0.4,
    rank: 6,
    sortedBy: ({ reference }) => reference?.sources.length ?? null,
    tip: ({ reference }) => reference?.sources.map(({ name, use }) => `${name}: ${USES[use]}`).join(', '),
    cell: ({ reference, row }) => <SourcesCell reference={reference} isNone={row.hasReference !== true} />,
  },
  {
    id: 'mid',
    name: 'Mid',
    head: ['Mid'],
    width: 82,
    grows: 0.2,
    rank: 4,
    align: 'right',
    cell: ({ row }) =>
      row.reference == null ? (
        <span className="quiet">—</span>
      ) : (
        <span className={row.reference.stale ? styles.stale : ''}>
          {decimalText(row.reference.mid, midPlaces(row, row.reference.mid))}
        </span>
      ),
  },
  {
    id: 'age',
    name: 'Age of the mid',
    head: ['Age'],
    width: 34,
    grows: 0.1,
    rank: 4,
    align: 'right',
    sortedBy: ({ row }) => row.reference?.time ?? null,
    cell: ({ row: { reference } }) =>
      reference == null ? (
        <span className="quiet">—</span>
      ) : (
        <span className={reference.stale ? 'stop' : ''}>
          <Age since={reference.time} />
        </span>
      ),
  },
  {
    id: 'bid',
    name: 'We buy',
    head: ['We buy'],
    width: 82,
    grows: 0.2,
    rank: 1,
    align: 'right',
    className: 'bid',
    cell: ({ row }) => (isQuoted(row, 'bids') ? bestText(row, row.bestBid) : '—'),
  },
  {
    id: 'ask',
    name: 'We sell',
    head: ['We sell'],
    width: 82,
    grows: 0.2,
    rank: 1,
    align: 'right',
    className: 'ask',
    cell: ({ row }) => (isQuoted(row, 'asks') ? bestText(row, row.bestAsk) : '—'),
  },
  {
    id: 'spread',
    name: 'Spread, bps',
    head: ['Spread', 'bps'],
    width: 44,
    grows: 0.1,
    rank: 8,
    align: 'right',
    sortedBy: ({ row }) => spreadOf(row),
    cell: ({ row }) => {
      const spread = spreadOf(row);
      return spread === null ? '—' : spreadText(spread);
    },
  },
  {
    id: 'state',
    name: 'State',
    head: ['State'],
    width: 120,
    grows: 1,
    rank: 0,
    sortedBy: ({ why }) => why ?? '',
    tip: ({ why }) => why,
    cell: ({ row, why }) => {
      const state = notQuoted(row);
      if (state === null) return <span className="muted">quoted</span>;
      return (
        <span className="with-mark">
          <Mark shape={state.shape} tone={state.tone} />
          <b className="strong">{state.word}</b> <span className="muted">{why}</span>
        </span>
      );
    },
  },
];
const COLUMNS = liveSums(PAIRS, 'pair', 'chain', 'by', 'formula', 'sources', 'state');

const USES = { mid: 'the mid', counted: 'counted', old: 'too old', silent: 'nothing yet' } as const;

/** Every pair with what prices it: its sources, its formula, its mid, and whether it is quoted. */
export function AllPricingPage() {
  const queries = useQueries();
  const pairs = useDesk((view) => view.pairs);
  const chains = useDesk((view) => view.chains);
  const formulas = useQuery(queries.formulas.list.queryOptions({ input: {}, refetchInterval: AGAIN_MS }));
  const sources = useQuery(queries.service.sources.queryOptions({ input: {}, refetchInterval: AGAIN_MS }));
  const known = useMemo(
    () => ({
      formulas: new Map(formulas.data?.map((one) => [pairKey(one), one.formula])),
      references: new Map(sources.data?.references.map((one) => [pairKey(one), one])),
    }),
    [formulas.data, sources.data],
  );
  const rows = useMemo(
    () =>
      pairs.map((row): PricedPair => {
        const chain = chains.find((one) => one.chainId === row.chainId)?.name ?? `${row.chainId}`;
        const [formula, reference] = [known.formulas.get(pairKey(row)) ?? null, known.references.get(pairKey(row))];
        return { row, chain, formula, reference, why: whyNot(row) };
      }),
    [pairs, chains, known],
  );
  const view = useTableView({ name: 'pricing', columns: COLUMNS, rows });
  if (pairs.length === 0) {
    return (
      <EmptyPage name="Prices" title="No pair yet" go={{ to: '/tokens-and-pairs', text: 'Tokens & pairs' }}>
        A pair needs two tokens and its listing; then it stands here with what prices it.
      </EmptyPage>
    );
  }
  const priced = pairs.filter((row) => row.formula !== undefined).length;
  const shut = rows.filter(({ why }) => why !== null).length;
  const failed = formulas.error ?? sources.error;
  return (
    <>
      <PairTabs chosen={undefined} view="all" />
      {failed !== null && (
        <div className={styles.failed}>
          <QueryError
            what="Formulas and sources are not known here; the pairs are priced all the same"
            error={failed}
            again={() => void Promise.all([formulas.refetch(), sources.refetch()])}
          />
        </div>
      )}
      <PageBody className={styles.page}>
        <Panel
          name="What prices each pair"
          aside={`${plural(pairs.length, 'pair')}, ${priced} by a formula, ${shut} not quoted`}
          actions={<ColumnsMenu view={view} of="What prices each pair" />}
        >
          <DataTable
            name="What prices each pair"
            view={view}
            rows={view.rows}
            row={(priced, columns) => (
              <tr
                key={pairKey(priced.row)}
                {...storiesOf({ kind: 'pair', chainId: priced.row.chainId, pair: priced.row.pair })}
              >
                <Cells columns={columns} facts={priced} />
              </tr>
            )}
          >
            <Empty title="No pair yet" />
          </DataTable>
        </Panel>
      </PageBody>
    </>
  );
}

function levelsText({ bids, asks }: Formula): string {
  return bids.levels === asks.levels ? `${bids.levels} levels a side` : `${bids.levels} bids, ${asks.levels} asks`;
}

/** Between two prices that are both quoted. */
function spreadOf(row: PairRow): number | null {
  return isQuoted(row, 'bids') && isQuoted(row, 'asks') ? row.spreadTenthBps : null;
}

/** A best price in a narrow column, with as many decimals as the other one. */
function bestText({ bestBid, bestAsk }: PairRow, price: string | null): string {
  if (price === null) return '—';
  return decimalText(price, Math.min(narrowPricePlaces([bestBid, bestAsk]), MOST_PLACES));
}

/** How many of a pair's sources count, and of which reference that is. */
function SourcesCell({ reference, isNone }: { reference: ReferenceLine | undefined; isNone: boolean }) {
  if (isNone) return <span className="quiet">none</span>;
  if (reference === undefined) return <span className="quiet">…</span>;
  const { sources, why } = reference;
  const counted = sources.filter(({ use }) => use === 'mid' || use === 'counted').length;
  const names = sources.map(({ name }) => name).join(', ');
  return (
    <span className={why === null && counted > 0 ? '' : 'stop'}>
      {sources.length === 1 ? '' : `${counted} of ${sources.length}: `}
      <span className="muted">{names}</span>
    </span>
  );
}
