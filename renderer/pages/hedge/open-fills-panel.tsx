import { useQuery } from '@tanstack/react-query';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { Empty, Waiting } from '../../components/empty.tsx';
import { signedBpsText } from '../../components/figures/bps.ts';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { FilterSelect } from '../../components/filter-select.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { SideMark } from '../../components/side-mark.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { CoverMark } from './cover-mark.tsx';
import { signedAmountText } from './hedge-words.ts';

/** The service is not asked for more at once: a hedge is for some of the newest, not for a year of them. */
const MOST = 500;

/** Fills whose risk is still open, newest first. Those that are chosen are of one pair; the ticket is for what they come to. */
export function OpenFillsPanel(props: {
  chainId: number;
  pair: string;
  onPair: (pair: string) => void;
  chosen: readonly number[];
  onChoose: (pair: string, fillSeqs: readonly number[]) => void;
}) {
  const { chainId, pair, onPair, chosen, onChoose } = props;
  const read = useQuery(useQueries(chainId, pair));
  const listed = useDesk((view) => view.listed);
  const fills = read.data ?? [];
  const held = new Set(chosen);
  const chosenPair = fills.find(({ seq }) => held.has(seq))?.pair ?? null;
  const toggle = (fill: HedgedFill) => {
    if (fill.pair === null) return;
    if (held.has(fill.seq))
      return onChoose(
        fill.pair,
        chosen.filter((seq) => seq !== fill.seq),
      );
    onChoose(fill.pair, fill.pair === chosenPair ? [...chosen, fill.seq] : [fill.seq]);
  };
  const all = pair === '' ? chosenPair : pair;
  const ofAll = all === null ? [] : fills.filter((fill) => fill.pair === all).map(({ seq }) => seq);
  return (
    <Panel
      name="Unhedged fills"
      aside={read.data && (chosen.length === 0 ? plural(fills.length, 'fill') : `${chosen.length} chosen`)}
      className="open-fills"
      actions={
        <>
          {chosen.length > 0 && (
            <button type="button" className="button is-quiet" onClick={() => onChoose(chosenPair ?? '', [])}>
              None
            </button>
          )}
          {ofAll.length > chosen.length && (
            <button type="button" className="button is-quiet" onClick={() => onChoose(all ?? '', ofAll)}>
              All of {all}
            </button>
          )}
          <FilterSelect
            label="Pair"
            any="all"
            value={pair}
            options={listed
              .filter((row) => row.chainId === chainId)
              .map((row) => ({ value: row.pair, text: row.pair }))}
            onChange={onPair}
          />
        </>
      }
    >
      {read.isPending && <Waiting rows={6} />}
      {read.error !== null && <QueryError error={read.error} again={() => void read.refetch()} />}
      {read.isSuccess && fills.length === 0 && (
        <Empty title="Every fill is hedged">
          A fill stands here within a block of settling, until a hedge covers it.
        </Empty>
      )}
      {fills.length > 0 && (
        <VirtualRows
          name="Unhedged fills"
          head={HEAD}
          rows={fills}
          keyOf={({ seq }) => seq}
          row={(fill, style) => (
            <Row key={fill.seq} fill={fill} style={style} isChosen={held.has(fill.seq)} onToggle={toggle} />
          )}
        />
      )}
    </Panel>
  );
}

function useQueries(chainId: number, pair: string) {
  const { queries } = useConsole();
  return queries.hedge.fills.queryOptions({
    input: {
      chainId,
      ...(pair !== '' && { pair }),
      cover: ['unhedged', 'part_hedged', 'hedging'],
      limit: MOST,
    },
    refetchInterval: 5_000,
  });
}

const HEAD = (
  <div className="rows-head open-fill-columns">
    <span className="only-read">Choose</span>
    <span>Time, UTC</span>
    <span>Pair</span>
    <span>We</span>
    <span className="right">Open</span>
    <span className="right c-edge">Edge, bps</span>
    <span>Hedge</span>
  </div>
);

function Row(props: {
  fill: HedgedFill;
  style: { transform: string };
  isChosen: boolean;
  onToggle: (fill: HedgedFill) => void;
}) {
  const { fill, style, isChosen, onToggle } = props;
  const { desk } = useConsole();
  const { base, side, pair, edge } = fill;
  const open = base === null ? '—' : signedAmountText(fill.unhedgedBase, base);
  const isFree = fill.cover !== 'hedging' && pair !== null;
  return (
    // The whole row is the label of its box: a press anywhere chooses it.
    <label className={`rows-row open-fill-columns ${isChosen ? 'is-chosen' : ''}`} style={style} data-seq={fill.seq}>
      <input
        type="checkbox"
        data-fill=""
        checked={isChosen}
        disabled={!isFree}
        aria-label={`${pair ?? 'no pair'}, ${side === 'bids' ? 'bought' : 'sold'}, open ${open}`}
        onChange={() => onToggle(fill)}
      />
      <span className="muted">{momentText(fill.time, desk.now())}</span>
      <span>
        <PairName pair={pair} />
      </span>
      <SideMark side={side} />
      <span className="right">
        {open} <span className="unit">{base?.symbol}</span>
      </span>
      <span className="right c-edge">{typeof edge === 'number' ? signedBpsText(edge) : '—'}</span>
      <CoverMark fill={fill} />
    </label>
  );
}
