import type { ReferenceLine, SourceLine, SourceUse } from '../../../electron/contract/sources.ts';
import { Age } from '../../components/figures/age.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { decimalText, narrowPricePlaces } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { midPlaces } from '../pricing/pricing-words.ts';
import { rowOf } from './pair-tabs.tsx';
import styles from './sources-table.module.css';

/** So many decimals of a price anybody reads here. */
const MOST_PLACES = 9;

/** The sources of a pair's reference: what each says, how it does, and what is made of it. */
export function SourcesTable(props: {
  reference: ReferenceLine;
  lines: readonly SourceLine[];
  quote: string;
  className?: string;
}) {
  const { reference, lines, quote, className } = props;
  const { desk } = useConsole();
  const own = Math.min(MOST_PLACES, narrowPricePlaces(reference.sources.map(({ mid }) => mid)));
  // As many as the pair's mid has everywhere: what a source happens to say does not change them.
  const places = useDesk((view) => {
    const row = rowOf(view, reference);
    return row === undefined || (row.bestBid === null && row.bestAsk === null) ? own : midPlaces(row, '0');
  });
  const isApart = reference.apartBps > 0 && (reference.apartTenthBps ?? 0) > reference.apartBps * 10;
  return (
    <Scroll className={className}>
      <Table aria-label="Sources" className={styles.table}>
        <thead>
          <tr>
            <th className={styles.nameColumn}>Source</th>
            <th className={`right ${styles.ageColumn}`}>Age</th>
            <th className={`right ${styles.figureColumn}`}>
              Updates<small>in 10 s</small>
            </th>
            <th className={`right ${styles.priceColumn}`}>
              Price<small>{quote}</small>
            </th>
            <th className={`right ${styles.figureColumn}`}>
              To the mid<small>bps</small>
            </th>
            <th className={styles.useColumn}>Use</th>
            <th>Last error</th>
          </tr>
        </thead>
        <tbody>
          {reference.sources.map(({ name, use, mid, offTenthBps, time }) => {
            const line = lines.find((one) => one.name === name);
            const error = line?.lastError ?? null;
            const now = line?.fault ?? line?.pairs[reference.pair]?.fault ?? null;
            return (
              <tr key={name}>
                <td title={line?.url ?? undefined}>
                  <Mark {...shapeOf(use, now, isApart)} /> {name} <span className="quiet">{line?.kind}</span>
                </td>
                <td className="right">{time === null ? '—' : <Age since={time} />}</td>
                <td className="right">{line === undefined ? '—' : countText(line.updates)}</td>
                <td className={`right ${use === 'old' ? styles.old : ''}`}>
                  {mid === null ? '—' : decimalText(mid, places)}
                </td>
                <td className="right">{offTenthBps === null || isApart ? '—' : signedBpsText(offTenthBps)}</td>
                <td className="muted">{use === 'silent' && now !== null ? 'left out' : USES[use]}</td>
                <td className={`${styles.error} ${now === null ? 'muted' : 'stop'}`}>
                  {error === null ? 'none' : `${momentText(error.at, desk.now())} ${now ?? error.error}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Scroll>
  );
}

const USES: Record<SourceUse, string> = {
  mid: 'the mid',
  counted: 'counted',
  old: 'too old',
  silent: 'nothing yet',
};

/** `isApart`: the sources say so different things that none of them is believed. */
function shapeOf(use: SourceUse, fault: string | null, isApart: boolean) {
  if (fault !== null) return { shape: 'refused', tone: 'stop' } as const;
  return (use === 'mid' || use === 'counted') && !isApart
    ? ({ shape: 'done', tone: 'ok' } as const)
    : ({ shape: 'look', tone: 'attn' } as const);
}

const RULES: Record<ReferenceLine['rule'], string> = {
  first: 'The first that is fresh',
  median: 'The median',
  widest: 'Half-way between the lowest bid and the highest ask',
};

/** Of which sources a reference is made, and how, in a sentence. */
export function ruleText({
  rule,
  sources,
  atLeast,
  upToSeconds,
  apartBps,
  apartTenthBps,
  whenApart,
}: ReferenceLine): string {
  if (sources.length === 1) return `One source, up to ${upToSeconds} s old.`;
  const of = `${RULES[rule]} of ${plural(sources.length, 'source')}, up to ${upToSeconds} s old, at least ${atLeast}`;
  const apart =
    apartBps === 0
      ? 'however far apart'
      : `${whenApart === 'halts' ? 'switched off' : 'closed'} where two are more than ${countText(apartBps)} bps apart`;
  const now = apartTenthBps === null ? '' : ` Now ${signedBpsText(apartTenthBps).replace('+', '')} bps.`;
  return `${of}; ${apart}.${now}`;
}
