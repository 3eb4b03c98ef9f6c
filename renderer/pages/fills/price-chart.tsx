import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ReadState } from '../../components/empty.tsx';
import { countText, markText, plural } from '../../components/figures/counts.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { clockText, stampText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import { readEarlier } from '../../state/read-earlier.ts';
import { restAfter, timed } from '../../state/rest.ts';
import { useTheme } from '../../state/theme.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useLater } from '../../state/use-later.ts';
import { NO_END, type Span } from './fill-ranges.ts';
import styles from './price-chart.module.css';
import type { PricePlot, UnderPointer } from './price-plot.ts';
import { zoomedSpan } from './price-scene.ts';

const STEPS = 400;
const TIP_WIDTH = 210;

/**
 * Every fill of a pair as a triangle at its time and price, over the prices we quoted and the reference. The wheel zooms and
 * a drag moves it, as do keys: the page then shows that part of time, until a double press or Esc shows all of it again.
 */
export function PriceChart(props: {
  chainId: number;
  pair: string;
  user: `0x${string}` | undefined;
  counterparty: string | null | undefined;
  base: string;
  span: Span;
  /** Where the time begins of which a part can be looked at, Unix milliseconds. */
  first: number;
  places: number;
  onSpan: (span: Span | null) => void;
}) {
  const { chainId, pair, user, counterparty, base, span, first, places, onSpan } = props;
  const { connection, desk, queries, inApp, elsewhere } = useConsole();
  const cache = useQueryClient();
  const theme = useTheme();
  const [, navigate] = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState<UnderPointer | null>(null);
  const which = { chainId, pair, since: span.since, until: span.until ?? NO_END, ...(user && { user }), counterparty };
  const chart = useQuery({
    queryKey: [...queries.fills.chart.key(), which],
    queryFn: () => timed(() => connection.client.fills.chart({ ...which, steps: STEPS })),
    // Another span of the same may stay until the new one is there; another pair's prices or another user's fills never.
    placeholderData: (old, before) =>
      isOfSame(before?.queryKey.at(-1), which)
        ? old
        : readEarlier<NonNullable<typeof old>>(cache, queries.fills.chart.key(), (key) => isOfSame(key.at(-1), which)),
    refetchInterval: ({ state }) => restAfter(state),
  });
  const data = chart.data?.value;
  const { since } = span;
  const until = span.until ?? data?.reference.at(-1)?.[0] ?? desk.now();

  const openPlot = useLater(data !== undefined, async () => (await import('./price-plot.ts')).openPricePlot);
  const [plot, setPlot] = useState<PricePlot | null>(null);
  const hands = {
    onPoint: setUnder,
    onOpen: ({ quoteSeq }: { quoteSeq: number | null }) => {
      if (quoteSeq !== null) navigate(`/firm-log?open=${quoteSeq}`);
    },
    onMove: (wanted: { since: number; until: number }) =>
      onSpan(zoomedSpan(wanted, { since: first, until: desk.now() })),
    onReset: () => onSpan(null),
  };
  const latest = useRef(hands);
  latest.current = hands;
  useEffect(() => {
    if (openPlot === null || place.current === null) return;
    const opened = openPlot(place.current, () => latest.current);
    setPlot(opened);
    return () => {
      setPlot(null);
      opened.remove();
    };
  }, [openPlot]);
  useEffect(() => {
    if (data !== undefined) plot?.show({ data, since, until, places });
  }, [plot, data, since, until, places]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the theme
  useEffect(() => plot?.paint(), [plot, theme]);

  const count = data?.count ?? 0;
  const figure = (price: string | null | undefined) =>
    price === null || price === undefined ? '—' : decimalText(price, places);
  const ends = `reference ${figure(data?.reference.at(-1)?.[1])}, we buy at ${figure(data?.bid.at(-1)?.[1])} and sell at ${figure(data?.ask.at(-1)?.[1])}`;
  return (
    <div className={styles.chart}>
      <div
        ref={place}
        role="img"
        className={styles.plot}
        hidden={data === undefined}
        data-open={under?.mark ? '' : undefined}
        aria-label={`${pair}: ${plural(count, 'fill')} over the prices we quoted and the reference. At the end ${ends}. The table below has each fill. Arrow keys move it, plus and minus zoom, Escape shows all of it.`}
        data-fills={count}
        data-drawn={plot !== null && data !== undefined}
      />
      <ReadState
        read={chart}
        rows={8}
        unknown="Prices and fills are not drawn here; both are written down all the same"
      />
      {data !== undefined && count > data.fills.length && (
        <p className={`${styles.note} quiet`}>
          The newest {countText(data.fills.length)} of {plural(count, 'fill')} are drawn: choose a shorter time to see
          all.
        </p>
      )}
      {under !== null && (
        <p className={styles.values}>
          {clockText(under.time)} <span className="ask">{figure(under.ask)}</span>{' '}
          <span className="muted">{figure(under.reference)}</span> <span className="bid">{figure(under.bid)}</span>
        </p>
      )}
      {under?.mark && <MarkTip under={under} base={base} places={places} width={place.current?.clientWidth ?? 0} />}
      <Maker isLink={!inApp && elsewhere === null} />
    </div>
  );
}

/** Who made the chart, as their licence asks. The app opens no web page: there its address can be read. */
function Maker({ isLink }: { isLink: boolean }) {
  const title = 'TradingView Lightweight Charts™, Copyright (c) 2026 TradingView, Inc., Apache License 2.0';
  const look = `${styles.maker} quiet`;
  if (!isLink) {
    return (
      <span className={look} title={title}>
        Chart by TradingView, www.tradingview.com
      </span>
    );
  }
  return (
    <a className={look} href="https://www.tradingview.com/" target="_blank" rel="noreferrer" title={title}>
      Chart by TradingView
    </a>
  );
}

/** The fill under the pointer. */
function MarkTip(props: { under: UnderPointer; base: string; places: number; width: number }) {
  const { under, base, places, width } = props;
  const { mark, x, y } = under;
  if (mark === null) return null;
  const { fill, count } = mark;
  return (
    <div
      className={styles.tip}
      style={{ left: Math.min(x + 12, Math.max(0, width - TIP_WIDTH)), top: Math.max(0, y - 64) }}
    >
      <b>
        {fill.side === 'bids' ? '▲ we bought' : '▼ we sold'} {decimalText(fill.base, 4)} {base}
      </b>
      <br />
      at {decimalText(fill.price, places, fill.side === 'bids' ? 'up' : 'down')} · edge {markText(fill.edge)} bps
      <br />
      <span className="quiet">
        {stampText(fill.time)} {zoneName(fill.time)} · click opens its quote
        {count > 1 && (
          <>
            <br />
            and {countText(count - 1)} more here: zoom in
          </>
        )}
      </span>
    </div>
  );
}

function isOfSame(
  before: unknown,
  now: { chainId: number; pair: string; user?: string; counterparty?: string | null },
) {
  if (typeof before !== 'object' || before === null) return false;
  const known = new Map<string, unknown>(Object.entries(before));
  return (['chainId', 'pair', 'user', 'counterparty'] as const).every((field) => known.get(field) === now[field]);
}
