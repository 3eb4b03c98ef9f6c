import { useQuery } from '@tanstack/react-query';
import { Copy, X } from 'lucide-react';
import { Link } from 'wouter';
import type { EventDetail, EventRow } from '../../../electron/contract/journal.ts';
import { Button } from '../../components/button.tsx';
import { ReadState } from '../../components/empty.tsx';
import { countText } from '../../components/figures/counts.ts';
import { preciseClockText, stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { fillsPath, hedgePath, pastPath, quotePath } from '../../state/pages.ts';
import { storyName, storyPath } from '../../state/story.ts';
import { zoneName } from '../../state/time-zone.ts';
import { Fact, Facts } from '../firm-log/facts.tsx';
import drawerStyles from '../firm-log/quote-drawer.module.css';
import styles from './event-drawer.module.css';
import { EventWords } from './event-words.tsx';

/** One event whole: its sentence, every field, its place in the chain of hashes, and the way to what it is about. */
export function EventDrawer({ seq, onClose }: { seq: number; onClose: () => void }) {
  const { queries, toasts } = useConsole();
  const read = useQuery(queries.journal.event.queryOptions({ input: { seq }, placeholderData: (old) => old }));
  // While another row is read the one before is dimmed, and nothing in it can be pressed.
  const { data: event, isPlaceholderData: isOld } = read;
  const copy = async () => {
    if (event === undefined || isOld) return;
    try {
      await navigator.clipboard.writeText(JSON.stringify(event, null, 2));
      toasts.show({ level: 'note', title: `Copied row ${countText(seq)}`, detail: 'As JSON, with its hash.' });
    } catch {
      toasts.show({ level: 'look', title: 'The clipboard does not answer' });
    }
  };
  return (
    <PanelBox className={drawerStyles.drawer} aria-label="Event">
      <header>
        <h2>{isOld ? 'Event' : (event?.row.name ?? 'Event')}</h2>
        <span className="quiet">row {countText(seq)}</span>
        <span className="fill" />
        <Button look="quiet" aria-label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </Button>
      </header>
      <Scroll>
        <ReadState read={read} rows={8} />
        {event !== undefined && (
          <div aria-busy={isOld} inert={isOld}>
            <Whole event={event} />
          </div>
        )}
      </Scroll>
      <footer className={drawerStyles.foot}>
        <Button disabled={event === undefined || isOld} onClick={() => void copy()}>
          <Copy aria-hidden="true" /> Copy as JSON
        </Button>
      </footer>
    </PanelBox>
  );
}

function Whole({ event: { row, fields, more, hash, previous, holds } }: { event: EventDetail }) {
  const chain = useDesk((view) => view.chains.find(({ chainId }) => chainId === row.chainId)?.name);
  return (
    <>
      <p className={styles.sentence}>
        <b className="strong">
          <bdi>{row.actor}</bdi>
        </b>{' '}
        <EventWords row={row} whole />
      </p>
      <Ways row={row} />
      <Facts name="When and where">
        <dl>
          <Fact name="Time">
            {stampText(row.time)}
            {preciseClockText(row.time).slice(8)} {zoneName(row.time)}
          </Fact>
          {row.chainId !== null && (
            <Fact name="Chain">{chain === undefined ? row.chainId : `${chain} · ${row.chainId}`}</Fact>
          )}
          {row.pair !== null && <Fact name="Pair">{row.pair}</Fact>}
          <Fact name="Kind">
            <span className="mono">{row.kind}</span>
          </Fact>
        </dl>
      </Facts>
      <Facts
        name="Hash"
        aside={
          <span className={`with-mark ${holds ? '' : 'stop'}`}>
            <Mark shape={holds ? 'done' : 'refused'} tone={holds ? 'ok' : 'stop'} />
            {holds ? 'is what was written' : 'this row was changed, or the one before it'}
          </span>
        }
      >
        <dl>
          <Fact name="Of this row" raw={hash}>
            {''}
          </Fact>
          <Fact name="Row before" raw={previous}>
            {''}
          </Fact>
        </dl>
      </Facts>
      <Facts
        name="Fields"
        aside={more > 0 ? `the first ${countText(fields.length)}, ${countText(more)} more` : undefined}
      >
        <dl className={styles.fields}>
          {fields.map(({ path, value }) => (
            <div key={path}>
              <dt className="mono">{path}</dt>
              <dd className="mono">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Facts>
    </>
  );
}

/** What the event is about, on its own page. */
function Ways({ row: { seq, time, chainId, pair, about } }: { row: EventRow }) {
  const of = pair === null ? null : ({ kind: 'pair', pair, chainId } as const);
  const ways = [
    { to: pastPath({ row: seq }), text: 'The desk then' },
    about.quote !== undefined && { to: quotePath(about.quote), text: 'Its quote' },
    about.fill !== undefined && { to: fillsPath({ since: time, until: time + 1 }), text: 'The fill' },
    about.hedge !== undefined && { to: hedgePath(), text: 'Hedges' },
    of !== null && { to: storyPath(of), text: storyName(of) },
  ].filter((way) => way !== false);
  return (
    <p className={styles.ways}>
      {ways.map(({ to, text }) => (
        <Button key={text} asChild>
          <Link href={to}>{text}</Link>
        </Button>
      ))}
    </p>
  );
}
