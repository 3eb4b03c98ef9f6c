import { Fragment } from 'react';
import type { LadderCell } from '../../../electron/contract/book.ts';
import type { PastDeskView, PastPair } from '../../../electron/contract/past.ts';
import { REFUSALS } from '../../../electron/contract/refusal.ts';
import { closureSchema } from '../../../electron/contract/trading.ts';
import { PlainButton } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText, narrowPricePlaces, pricePlaces, spreadText } from '../../components/figures/prices.ts';
import { ageText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { cellWords } from '../../state/story.ts';
import styles from './past-page.module.css';

/** A cell of the ladder of a pair. */
export interface PastCell {
  readonly chainId: number;
  readonly pair: string;
  readonly cell: LadderCell;
}

const SHAPES = { LIVE: 'live', DRAIN: 'drain', HALTED: 'halted' } as const;

/** Every pair as it was, by chain; the chosen one with all its levels. The past has words where the present has switches. */
export function PastGrid(props: {
  desk: PastDeskView;
  pairs: readonly PastPair[];
  chosen: PastCell | null;
  /** Whether the chosen pair shows every level. */
  isOpen: boolean;
  onChoose: (cell: PastCell) => void;
}) {
  const { desk, pairs, chosen, isOpen, onChoose } = props;
  if (pairs.length === 0) {
    return (
      <Empty title="No pair was listed then" heading="h2">
        Choose a later moment.
      </Empty>
    );
  }
  return (
    <Scroll>
      <Table className={styles.grid} aria-label="Pairs then">
        <thead>
          <tr>
            <th>Pair</th>
            <th className={styles.quoting}>
              Quoting
              <br />
              then
            </th>
            <th className={`${styles.size} right edge`}>
              Size<small>base</small>
            </th>
            <th className={`${styles.price} right`}>
              ▲ We buy at<small>quote</small>
            </th>
            <th className={`${styles.price} right`}>
              ▼ We sell at<small>quote</small>
            </th>
            <th className={`${styles.size} right`}>
              Size<small>base</small>
            </th>
            <th className={`${styles.spread} right`}>
              Spread<small>bps</small>
            </th>
            <th className={`${styles.who} edge`}>Set by</th>
            <th className={`${styles.age} right`}>
              Age<small>then</small>
            </th>
          </tr>
        </thead>
        <tbody>
          {desk.chains.map((chain) => (
            <Fragment key={chain.chainId}>
              <tr data-group>
                <td colSpan={9}>
                  <b>{chain.name}</b>
                  <span className={`with-mark ${styles.state}`}>
                    <Mark shape={SHAPES[chain.state]} />
                    {chain.state}
                    {chain.actor !== null && chain.since !== null && (
                      <>
                        {chain.state === 'LIVE' ? ' since ' : ' for '}
                        {chain.state === 'LIVE' ? stampText(chain.since) : ageText(desk.at - chain.since)}, by{' '}
                        <bdi>{chain.actor}</bdi>
                      </>
                    )}
                    {chain.reason !== null && <span className="quiet"> “{chain.reason}”</span>}
                  </span>
                </td>
              </tr>
              {pairs
                .filter(({ chainId }) => chainId === chain.chainId)
                .map((pair) => (
                  <PairLines
                    key={pair.pair}
                    pair={pair}
                    at={desk.at}
                    chosen={chosen}
                    isOpen={isOpen}
                    onChoose={onChoose}
                  />
                ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

function PairLines(props: {
  pair: PastPair;
  at: number;
  chosen: PastCell | null;
  isOpen: boolean;
  onChoose: (cell: PastCell) => void;
}) {
  const { pair, at, chosen, isOpen, onChoose } = props;
  const { chainId, ladder, unreadable } = pair;
  const cell = chosen?.chainId === chainId && chosen.pair === pair.pair ? chosen.cell : null;
  const quoting = quotingOf(pair, at);
  const places = {
    price: narrowPricePlaces([...ladder.bids, ...ladder.asks].map(([price]) => price)),
    amount: pricePlaces([...ladder.bids, ...ladder.asks].map(([, amount]) => amount)),
  };
  const most = Math.max(ladder.bids.length, ladder.asks.length, 1);
  const shown = cell === null || !isOpen ? 1 : most;
  const figure = (side: 'bids' | 'asks', level: number, field: 'price' | 'amount') => {
    const value = ladder[side][level]?.[field === 'price' ? 0 : 1];
    if (value === undefined) return <span className="quiet">—</span>;
    const isChosen = cell?.side === side && cell.level === level && cell.field === field;
    const isServed = quoting.sides.includes(side);
    return (
      <PlainButton
        title={`Who changed ${cellWords({ side, level, field })} of ${pair.pair}`}
        aria-pressed={isChosen}
        data-ringed={isChosen ? '' : undefined}
        onClick={() => onChoose({ chainId, pair: pair.pair, cell: { side, level, field } })}
      >
        <span className={isServed ? undefined : 'quiet'}>{decimalText(value, places[field])}</span>
      </PlainButton>
    );
  };
  return Array.from({ length: shown }, (_, level) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a level is its place
    <tr key={level} aria-selected={cell !== null && level === 0} data-pair={`${chainId} ${pair.pair}`}>
      {level === 0 ? (
        <>
          <td className="with-mark">
            <Mark shape={SHAPES[pair.state]} />
            <PairName pair={pair.pair} />
          </td>
          <td className={quoting.plain ? 'muted' : 'strong'} title={quoting.title}>
            {quoting.word}
          </td>
        </>
      ) : (
        <td colSpan={2} className="quiet right">
          level {level + 1}
        </td>
      )}
      <td className="right edge">{figure('bids', level, 'amount')}</td>
      <td className={`right ${styles.figure}`}>{figure('bids', level, 'price')}</td>
      <td className={`right ${styles.figure}`}>{figure('asks', level, 'price')}</td>
      <td className="right">{figure('asks', level, 'amount')}</td>
      <td className="right">{level > 0 || pair.spreadTenthBps === null ? '' : spreadText(pair.spreadTenthBps)}</td>
      <td className="edge" title={`Revision ${countText(pair.revision)} · ${stampText(pair.publishedAt)}`}>
        {level === 0 && (
          <span className="muted">
            <bdi>{pair.publishedBy}</bdi>
          </span>
        )}
      </td>
      <td className="right">
        {level === 0 && pair.revision > 0 && unreadable === undefined ? ageText(at - pair.publishedAt) : ''}
      </td>
    </tr>
  ));
}

/** Refusals by which the desk closes something by itself. A request that was refused for one tells that it was closed. */
const CLOSES = new Set<string>([...closureSchema.options, 'off_reference']);
/** So long after a refusal it still tells of the moment, milliseconds. */
const TOLD_MS = 60_000;

/** What was quoted of a pair, in a word; `plain`: as it should be. */
function quotingOf(
  { state, switches, fault, retiredUntil, unreadable, ladder, asked }: PastPair,
  at: number,
): { word: string; title?: string; plain?: boolean; sides: ('bids' | 'asks')[] } {
  if (unreadable !== undefined) return { word: 'not known', title: unreadable, sides: [] };
  if (fault !== null) return { word: 'not served', title: fault, sides: [] };
  if (retiredUntil !== null) return { word: 'retired', sides: [] };
  if (!switches.pair) return { word: 'off', sides: [] };
  if (state === 'HALTED') return { word: 'halted', sides: [] };
  if (asked?.code != null && CLOSES.has(asked.code) && at - asked.time <= TOLD_MS) {
    const title = `Refused ${ageText(at - asked.time)} before: ${REFUSALS[asked.code].sentence} (row ${countText(asked.seq)})`;
    return { word: 'closed', title, sides: [] };
  }
  const sides = (['bids', 'asks'] as const).filter((side) => switches[side] && ladder[side].length > 0);
  if (state === 'DRAIN') return { word: 'draining', sides };
  if (sides.length === 2) return { word: 'both', plain: true, sides };
  const [only] = sides;
  if (only === undefined) return { word: 'nothing', sides };
  return { word: only === 'bids' ? 'we buy' : 'we sell', sides };
}
