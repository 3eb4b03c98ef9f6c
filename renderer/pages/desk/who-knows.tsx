import type { StillLive } from '../../../electron/contract/still-live.ts';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { stillLive } from '../../components/still-live.ts';
import { useToldAlerts } from '../../state/alerts.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { useToasts } from '../../state/toasts.ts';
import { useStillLive } from './use-still-live.ts';

interface Informed {
  who: string;
  how: string;
  knows: boolean;
}

/** Who is informed of the halt: the journal, the service on each chain, this computer; and a text for everybody else. */
export function WhoKnows() {
  const { halt, desk } = useConsole();
  const toasts = useToasts();
  const status = useDesk((view) => view.status);
  const chains = useDesk((view) => view.chains);
  const { quotes, zeroAt } = stillLive(useDesk((view) => view.exposure));
  const live = useStillLive().data;
  const told = useToldAlerts().find(({ code }) => code === 'halted');
  if (status === null) return null;
  const time = (at: number) => momentText(at, desk.now());
  const acknowledged = halt.acknowledged();
  const rows: Informed[] = [
    acknowledged !== null && acknowledged.at >= status.since
      ? {
          who: 'Journal',
          how: acknowledged.durable ? `durable ${time(acknowledged.at)}` : 'could not write it',
          knows: acknowledged.durable,
        }
      : { who: 'Journal', how: `halted by ${status.actor ?? 'the desk'}`, knows: true },
    ...chains.map(({ name, heartbeats, webSockets }): Informed => {
      const seen = heartbeats.find(
        ({ at, status: code, endpoint }) => endpoint !== 'ws' && at >= status.since && code === 503,
      );
      if (seen !== undefined) return { who: `Service, ${name}`, how: `got our 503 at ${time(seen.at)}`, knows: true };
      const open = webSockets > 0 ? `${webSockets} WebSockets still open` : 'has not asked since';
      return { who: `Service, ${name}`, how: open, knows: false };
    }),
    told === undefined
      ? { who: 'This computer', how: 'told on this screen', knows: true }
      : {
          who: 'This computer',
          how: `notification ${told.shown === 'shown' ? time(told.at) : told.shown}`,
          knows: told.shown === 'shown',
        },
  ];
  const message =
    `Makerdesk is HALTED since ${time(status.since)} UTC${status.actor === null ? '' : ` by ${status.actor}`}. ` +
    `${status.reason === null ? 'No reason given.' : `Reason: ${status.reason}`} ` +
    (zeroAt === null
      ? 'No signed quote can be filled any more.'
      : `${quotes} signed quotes can still be filled, the last until ${time(zeroAt)} UTC.`) +
    (live === undefined || live.nothingSigned ? '' : ` ${othersText(live)}`);
  const copy = () =>
    navigator.clipboard.writeText(message).then(
      () => toasts.show({ level: 'note', title: 'Copied what happened', detail: message }),
      () => toasts.show({ level: 'look', title: 'The clipboard does not answer', detail: message }),
    );
  return (
    <Panel
      name="Who knows"
      actions={
        <button type="button" className="button" onClick={() => void copy()}>
          Copy for the others
        </button>
      }
    >
      <ul className="side-list">
        {rows.map(({ who, how, knows }) => (
          <li key={who}>
            <Mark shape={shapeOf(knows)} tone={knows ? 'ok' : 'attn'} />
            <span>{who}</span>
            <span className="fill" />
            <span className="muted">{how}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What is live beside quotes, and what is not known, in one sentence. */
function othersText({ chains }: StillLive): string {
  const count = (what: 'orders' | 'permits' | 'transactions' | 'unknown') =>
    chains.reduce((sum, chain) => sum + chain[what].length, 0);
  const unknown = count('unknown') > 0 ? ' More may be: not everything is known.' : '';
  return `Live beside them: ${plural(count('orders'), 'intent order')}, ${plural(count('permits'), 'permit')}, ${plural(count('transactions'), 'transaction')}.${unknown}`;
}

function shapeOf(knows: boolean): MarkShape {
  return knows ? 'done' : 'expired';
}
