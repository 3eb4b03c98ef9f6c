import { X } from 'lucide-react';
import { type ComponentProps, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearch as useAddress } from 'wouter';
import type { TradedRow } from '../../../electron/contract/console/fills.ts';
import { Button } from '../../components/button.tsx';
import { Empty, NoChainPage, Waiting } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { Counterparty, User } from '../../components/figures/party.tsx';
import { pricePlaces } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { NameButton } from '../../components/name-dialog.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { showQuery } from '../../state/choice-in-address.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { pagePath } from '../../state/pages.ts';
import { zoneName } from '../../state/time-zone.ts';
import { PickTime } from '../results/pick-time.tsx';
import { ExportFills } from './export-fills.tsx';
import { brushedSpan, FILL_RANGES, type FillRange, rangeBackTo, type Span } from './fill-ranges.ts';
import { fillsChoiceOf, fillsQueryOf } from './fills-choice.ts';
import styles from './fills-page.module.css';
import { FillsTable } from './fills-table.tsx';
import { MarkoutPanel } from './markout-panel.tsx';
import { PickUser } from './pick-user.tsx';
import { PriceChart } from './price-chart.tsx';
import { TimeBrush } from './time-brush.tsx';
import { keyOf, TradedPanel } from './traded-panel.tsx';
import { useBarFrame, useBars, useFittedRange } from './use-bars.ts';
import { useCovers, useFills } from './use-fills.ts';
import { useSummary } from './use-summary.ts';

const RANGES = FILL_RANGES.map((value) => ({ value, text: value.name }));

/** In a low window there is room for the table or the curve. */
const FIGURES = [
  { value: 'table', text: 'Table' },
  { value: 'curve', text: 'Curve' },
] as const;

/** What was filled of what we signed: when, at what price, and what it was worth. One span of time filters all of it. */
export function FillsPage() {
  const hasChain = useDesk((view) => view.chains.length > 0);
  if (hasChain) return <FillsOfDesk />;
  return <NoChainPage name="Fills">Once a chain trades, every fill of an order we signed stands here.</NoChainPage>;
}

function FillsOfDesk() {
  const { desk } = useConsole();
  // What another page, a link or a saved filter asks to have shown.
  const [asked] = useState(() => fillsChoiceOf(window.location.search, desk.now()));
  const [chosenRange, setRange] = useState<FillRange>(asked.range);
  const [figures, setFigures] = useState<'table' | 'curve'>('table');
  const [brushed, setBrushed] = useState<Span | null>(asked.brushed);
  const range = useFittedRange(chosenRange, brushed !== null);
  const [pairChosen, setPair] = useState(pairKeyOf(asked));
  const [user, setUser] = useState(asked.user);
  const [counterparty, setCounterparty] = useState(asked.counterparty);
  const [chainAlone, setChainAlone] = useState(asked.pair === undefined ? asked.chainId : undefined);
  const [by, setBy] = useState<'pair' | 'user'>('pair');
  const showAsked = (query: string) => {
    const next = fillsChoiceOf(query, desk.now());
    setRange(next.range);
    setBrushed(next.brushed);
    setPair(pairKeyOf(next));
    setUser(next.user);
    setCounterparty(next.counterparty);
    setChainAlone(next.pair === undefined ? next.chainId : undefined);
  };
  const address = useAddress();
  const latest = useRef(showAsked);
  latest.current = showAsked;
  useEffect(() => showQuery(''), []);
  useEffect(() => {
    const query = window.location.search;
    if (address === '' || query === '') return;
    latest.current(query);
    showQuery('');
  }, [address]);
  const listed = useDesk((view) => view.listed);
  const chains = useDesk((view) => view.chains);
  const frame = useBarFrame(range);
  const span = useMemo(() => brushed ?? brushedSpan(range, frame, 0, frame.count - 1), [brushed, range, frame]);

  const ofPair = useMemo(
    () => (pairChosen === '' && chainAlone !== undefined ? { chainId: chainAlone } : pairOf(pairChosen)),
    [pairChosen, chainAlone],
  );
  const sums = useSummary({
    span,
    by,
    counterparty,
    chainId: chainAlone,
    ...(by === 'user' ? ofPair : user && { user }),
  });
  const busiest = by === 'pair' ? sums.shown?.rows.find(({ fills }) => fills > 0) : undefined;
  const [lastBusiest, setLastBusiest] = useState('');
  const found = busiest === undefined ? '' : keyOf(busiest);
  // The chart stays with the pair it began with: nothing moves under a hand.
  if (found !== '' && lastBusiest === '' && pairChosen === '') setLastBusiest(found);
  // Until the sums have said which pair is the busiest one there is no chart: that of another pair would give way to it at once.
  const [hasBegun, setBegun] = useState(false);
  if (!hasBegun && (sums.shown !== undefined || sums.read.error !== null)) setBegun(true);
  const first = hasBegun ? listed[0] : undefined;
  const charted = pairChosen || lastBusiest || (first === undefined ? '' : `${first.chainId}:${first.pair}`);
  const shown = { span, ...ofPair, user, counterparty };
  const fills = useFills(shown);
  const covers = useCovers(fills.rows, ofPair);
  const bars = useBars(range, frame, pairChosen);
  const ready = !fills.read.isPending && hasBegun;
  const row = useDesk((view) => view.pairs.find(({ chainId, pair }) => `${chainId}:${pair}` === charted));
  const chainName = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.name ?? '';
  const nameOf = (chainId: number, pair: string) => (chains.length > 1 ? `${pair} ${chainName(chainId)}` : pair);

  const choose = (chosen: TradedRow) => {
    if (chosen.user !== null) setUser(chosen.user === user ? undefined : (chosen.user as `0x${string}`));
    else setPair(keyOf(chosen) === pairChosen ? '' : keyOf(chosen));
  };
  const showUser = useCallback((address: `0x${string}`) => setUser(address), []);
  const pairName = pairChosen.slice(pairChosen.indexOf(':') + 1);
  const when = spanText(span, brushed === null && range.from === undefined ? range : null, desk.now());
  const side = {
    by,
    aside: when,
    sums,
    chosen: by === 'user' ? (user ?? '') : pairChosen,
    actions: (
      <Segmented label="Show" className={styles.lowOnly} options={FIGURES} value={figures} onChoose={setFigures} />
    ),
  };
  return (
    <>
      <PageHead name="Fills">
        <Segmented
          label="How far back"
          options={RANGES}
          value={brushed === null ? chosenRange : null}
          onChoose={(choice) => {
            setRange(choice);
            setBrushed(null);
          }}
        />
        <PickTime
          picked={null}
          onPick={(span) => {
            setRange(rangeBackTo(span.since, desk.now()));
            setBrushed(span);
          }}
        />
        {brushed !== null && (
          <Narrowed back="show all of it again" onClick={() => setBrushed(null)}>
            {when}
          </Narrowed>
        )}
        <FilterSelect
          label="Pair"
          any="all"
          value={pairChosen}
          options={listed.map(({ chainId, pair }) => ({ value: `${chainId}:${pair}`, text: nameOf(chainId, pair) }))}
          onChange={setPair}
        />
        <SavedFilters
          page="fills"
          query={fillsQueryOf({ range: chosenRange, brushed, ...ofPair, user, counterparty })}
          onChoose={showAsked}
        />
        {user === undefined && <PickUser seen={fills.rows.map(({ userAddress }) => userAddress)} onPick={setUser} />}
        {user !== undefined && (
          <>
            <Narrowed back="show every user again" title={user} onClick={() => setUser(undefined)}>
              User <User address={user} />
            </Narrowed>
            <NameButton of="user" id={user} />
          </>
        )}
        {chainAlone !== undefined && (
          <Narrowed back="show every chain again" onClick={() => setChainAlone(undefined)}>
            Chain {chainName(chainAlone)}
          </Narrowed>
        )}
        {counterparty !== undefined && (
          <Narrowed back="show every counterparty again" onClick={() => setCounterparty(undefined)}>
            Counterparty {counterparty === null ? 'none' : <Counterparty domain={counterparty} />}
          </Narrowed>
        )}
        <span className="fill" />
        {range.from !== undefined && (
          <span className="quiet">no fill before {momentText(range.from, desk.now())}: the axis begins there</span>
        )}
        <span className="quiet narrow-out">times are {zoneName()}</span>
      </PageHead>
      <PageBody className={styles.page} data-shows={figures}>
        <PanelBox aria-label="Fills over time">
          <ChartHead name={row === undefined ? 'Fills over time' : nameOf(row.chainId, row.pair)} when={when} />
          {row === undefined &&
            (!hasBegun && listed.length > 0 ? (
              <Waiting rows={8} />
            ) : (
              <Empty
                title="No pair yet"
                actions={
                  <Button asChild>
                    <Link href={pagePath('listings')}>Tokens & pairs</Link>
                  </Button>
                }
              >
                The fills of a pair stand here over its prices.
              </Empty>
            ))}
          {row !== undefined && (
            <PriceChart
              key={charted}
              chainId={row.chainId}
              pair={row.pair}
              base={row.base}
              user={user}
              counterparty={counterparty}
              span={span}
              first={frame.first}
              places={pricePlaces([row.bestBid, row.bestAsk])}
              onSpan={setBrushed}
            />
          )}
          {listed.length > 0 && (
            <TimeBrush
              bars={bars}
              of={`Fills of ${pairChosen === '' ? 'all pairs' : pairName}${user === undefined && counterparty === undefined ? '' : ', all users'}`}
              isOfAll={pairChosen === ''}
              range={range}
              frame={frame}
              span={span}
              ready={ready}
              onBrush={setBrushed}
            />
          )}
        </PanelBox>
        <div className={styles.side}>
          <TradedPanel {...side} onBy={setBy} onChoose={choose} />
          <MarkoutPanel {...side} />
        </div>
        <FillsTable
          fills={fills.rows}
          read={fills.read}
          ended={fills.ended}
          covers={covers}
          what={`${pairChosen === '' ? 'All pairs' : pairName}, ${when}`}
          onMore={fills.more}
          onUser={showUser}
          actions={<ExportFills which={shown} />}
        />
      </PageBody>
    </>
  );
}

/** What the page is narrowed to; a press takes it back. */
function Narrowed({ back, children, ...rest }: ComponentProps<'button'> & { back: string }) {
  return (
    <Button className={styles.filterSet} {...rest}>
      {children} <X aria-hidden="true" />
      <span className="only-read">{back}</span>
    </Button>
  );
}

/** What the chart shows, and by which mark. */
function ChartHead({ name, when }: { name: string; when: string }) {
  return (
    <header>
      <h2>{name}</h2>
      <span className="bid">▲ we bought</span>
      <span className="ask">▼ we sold</span>
      <span className="muted">
        <i className={`${styles.keyLine} ${styles.dotted}`} /> reference
      </span>
      <span className="muted narrow-out">
        <i className={`${styles.keyLine} ${styles.ofBid}`} />
        <i className={`${styles.keyLine} ${styles.ofAsk}`} /> best quoted
      </span>
      <span className="fill" />
      <span className="quiet roomy-only">{when}</span>
    </header>
  );
}

function pairKeyOf({ chainId, pair }: { chainId?: number; pair?: string }): string {
  return pair === undefined ? '' : `${chainId}:${pair}`;
}

function pairOf(key: string): { chainId?: number; pair?: string } {
  const colon = key.indexOf(':');
  return colon < 0 ? {} : { chainId: Number(key.slice(0, colon)), pair: key.slice(colon + 1) };
}

/** `last 15 min`, `since 14:20:00`, or `14:20:00 – 14:25:00`. */
function spanText({ since, until }: Span, range: FillRange | null, now: number): string {
  if (range !== null) return `last ${range.name}`;
  const from = momentText(since, now);
  if (until === null) return `since ${from}`;
  const to = momentText(until, now);
  // The day is said once when it is the same.
  return `${from} – ${to.slice(0, -9) === from.slice(0, -9) ? to.slice(-8) : to}`;
}
