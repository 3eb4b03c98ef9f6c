import { useQuery } from '@tanstack/react-query';
import type { ReferenceLine, SourceLine, SourceUse } from '../../../electron/contract/sources.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { decimalText, pricePlaces } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Note } from '../../components/note.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useConsole, useQueries } from '../../state/console.tsx';
import styles from './sources-dialog.module.css';

/** Where the reference of a pair comes from: each source, what it says, and what is made of it. */
export function SourcesDialog(props: { chainId: number; pair: string; quote: string; onClose: () => void }) {
  const { chainId, pair, quote, onClose } = props;
  const read = useQuery(
    useQueries().service.sources.queryOptions({ input: { chainId, pair }, refetchInterval: 1_000 }),
  );
  const reference = read.data?.references[0];
  return (
    <Dialog title={`Reference of ${pair}`} width="widest" onClose={onClose}>
      {reference === undefined ? (
        <ReadState read={read} rows={4} />
      ) : (
        <div className={styles.body}>
          <Lead>{ruleText(reference)}</Lead>
          {reference.why !== null && (
            <Note level="stop" title={`${pair} is closed`}>
              {`${reference.why.charAt(0).toUpperCase()}${reference.why.slice(1)}.`}
            </Note>
          )}
          <SourcesTable reference={reference} lines={read.data?.sources ?? []} quote={quote} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function SourcesTable(props: { reference: ReferenceLine; lines: readonly SourceLine[]; quote: string }) {
  const { reference, lines, quote } = props;
  const { desk } = useConsole();
  const places = Math.min(8, pricePlaces(reference.sources.map(({ mid }) => mid)));
  return (
    <Scroll className={styles.scroll}>
      <Table aria-label="Sources" className={styles.table}>
        <thead>
          <tr>
            <th className={styles.nameColumn}>Source</th>
            <th className={`right ${styles.figureColumn}`}>Age</th>
            <th className={`right ${styles.figureColumn}`}>Updates in 10 s</th>
            <th className={`right ${styles.figureColumn}`}>Price, {quote}</th>
            <th className={`right ${styles.figureColumn}`}>To the mid, bps</th>
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
                  <Mark {...shapeOf(use, now)} /> {name} <span className="quiet">{line?.kind}</span>
                </td>
                <td className="right">{time === null ? '—' : <Age since={time} />}</td>
                <td className="right">{line === undefined ? '—' : countText(line.updates)}</td>
                <td className={`right ${use === 'old' ? styles.old : ''}`}>
                  {mid === null ? '—' : decimalText(mid, places)}
                </td>
                <td className="right">{offTenthBps === null ? '—' : signedBpsText(offTenthBps)}</td>
                <td className="muted">{USES[use]}</td>
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

function shapeOf(use: SourceUse, fault: string | null) {
  if (fault !== null) return { shape: 'refused', tone: 'stop' } as const;
  return use === 'mid' || use === 'counted'
    ? ({ shape: 'done', tone: 'ok' } as const)
    : ({ shape: 'look', tone: 'attn' } as const);
}

const RULES: Record<ReferenceLine['rule'], string> = {
  first: 'The first that is fresh',
  median: 'The median',
  widest: 'Half-way between the lowest bid and the highest ask',
};

function ruleText({ rule, sources, atLeast, upToSeconds, apartBps, apartTenthBps, whenApart }: ReferenceLine): string {
  const of = `${RULES[rule]} of ${plural(sources.length, 'source')}, up to ${upToSeconds} s old, at least ${atLeast}`;
  const apart =
    apartBps === 0
      ? 'however far apart'
      : `${whenApart === 'halts' ? 'switched off' : 'closed'} where two are more than ${countText(apartBps)} bps apart`;
  const now = apartTenthBps === null ? '' : ` Now ${signedBpsText(apartTenthBps).replace('+', '')} bps.`;
  return `${of}; ${apart}.${now}`;
}
