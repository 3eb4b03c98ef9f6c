import './fills.css';
import { useMemo, useState } from 'react';
import { Empty, Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { pricePlaces } from '../../components/figures/prices.ts';
import { FilterSelect } from '../../components/filter-select.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { ByPairPanel } from './by-pair-panel.tsx';
import { FILL_RANGES, type FillRange } from './fill-ranges.ts';
import { FillsChart } from './fills-chart.tsx';
import { FillsTable } from './fills-table.tsx';
import { useFills } from './use-fills.ts';

/** What was filled of what we signed: when, at what price, and how much per pair. */
export default function FillsPage() {
  const [range, setRange] = useState<FillRange>(FILL_RANGES[0]);
  const [chosen, setChosen] = useState<string>('');
  const pairs = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const nameOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? '';
  const fills = useFills(range);
  const key =
    chosen === '' ? (fills.busiest ?? (pairs[0] === undefined ? '' : `${pairs[0].chainId}:${pairs[0].pair}`)) : chosen;
  const row = useDesk((view) => view.pairs.find((candidate) => `${candidate.chainId}:${candidate.pair}` === key));
  const ofPair = useMemo(() => fills.rows.filter((fill) => `${fill.chainId}:${fill.pair}` === key), [fills.rows, key]);
  const options = pairs.map((pair) => ({
    value: `${pair.chainId}:${pair.pair}`,
    text: chains.length > 1 ? `${pair.pair} ${nameOf(pair.chainId)}` : pair.pair,
  }));
  return (
    <>
      <PageHead name="Fills">
        <span className="choice">
          {FILL_RANGES.map((choice) => (
            <button
              key={choice.name}
              type="button"
              className="button"
              aria-pressed={choice === range}
              onClick={() => setRange(choice)}
            >
              {choice.name}
            </button>
          ))}
        </span>
        <FilterSelect label="Pair" any="busiest" value={chosen} options={options} onChange={setChosen} />
        <span className="fill" />
        <span className="quiet">times are UTC</span>
      </PageHead>
      {fills.error !== null && <RefusalNote refusal={refusalOf(fills.error)} />}
      <div className="page-body fills-page">
        <section className="panel" aria-label="Fills over time">
          <header>
            <h2>
              {row === undefined
                ? 'Fills over time'
                : chains.length > 1
                  ? `${row.pair} ${nameOf(row.chainId)}`
                  : row.pair}
            </h2>
            <span className="bid">▲ we bought</span>
            <span className="ask">▼ we sold</span>
            <span className="fill" />
            <span className="quiet">{plural(ofPair.length, 'fill')}</span>
          </header>
          {fills.pending && <Waiting rows={6} />}
          {!fills.pending && ofPair.length === 0 && (
            <Empty title="No fills in this time">A fill appears here within a block of settling.</Empty>
          )}
          {ofPair.length > 0 && row !== undefined && (
            <FillsChart fills={ofPair} range={range} places={pricePlaces([row.bestBid, row.bestAsk])} />
          )}
        </section>
        <ByPairPanel volume={fills.volume} range={range} chosen={key} onChoose={setChosen} />
        <FillsTable fills={chosen === '' ? fills.rows : ofPair} pending={fills.pending} />
      </div>
    </>
  );
}
