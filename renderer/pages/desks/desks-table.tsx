import type { DeskElsewhereRow, DesksView, HaltStage } from '../../../electron/contract/desks-elsewhere.ts';
import { Button } from '../../components/button.tsx';
import { ageText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Table } from '../../components/table.tsx';
import { useNow } from '../../state/clock.ts';
import type { DesksClient } from '../../state/desks-line.ts';
import { haltText, LATE_MS, type ShownDesk, shownDesk, shownOwn } from './desk-words.ts';
import styles from './desks-page.module.css';

/** One row a desk, the app's own first; none moves, whatever becomes of it. */
export function DesksTable(props: {
  view: DesksView;
  client: DesksClient;
  onOver: (over: { kind: 'change' | 'remove'; row: DeskElsewhereRow }) => void;
}) {
  const { view, client, onOver } = props;
  const now = useNow();
  return (
    <Table className={styles.desks}>
      <thead>
        <tr>
          <th>Desk</th>
          <th>State</th>
          <th className={`right ${styles.heard}`}>Heard</th>
          <th>Halt</th>
          <th className={styles.deeds} aria-label="What to do" />
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            <b>This app’s desk</b>
            <small>on this computer</small>
          </th>
          <StateCell shown={shownOwn(view.own.state)} />
          <td className="right quiet">—</td>
          <HaltCell halt={view.own.halt} now={now} />
          <td />
        </tr>
        {view.desks.map((row) => (
          <tr key={row.name}>
            <th scope="row">
              <b>{row.name}</b>
              <small title={row.url}>{row.url.replace(/^https:\/\//, '')}</small>
            </th>
            <StateCell shown={shownDesk(row, now)} />
            <HeardCell row={row} now={now} />
            <HaltCell halt={row.halt} now={now} letBe={() => void client.letBe({ of: row.name }).catch(() => {})} />
            <td className={styles.buttons}>
              {row.token === 'none' ? (
                <Button onClick={() => onOver({ kind: 'change', row })}>Give its token…</Button>
              ) : (
                <Button onClick={() => void client.open({ of: row.name }).catch(() => {})}>Open</Button>
              )}
              <Button look="quiet" aria-label={`Change ${row.name}…`} onClick={() => onOver({ kind: 'change', row })}>
                Change…
              </Button>
              <Button look="quiet" aria-label={`Remove ${row.name}…`} onClick={() => onOver({ kind: 'remove', row })}>
                Remove…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function StateCell({ shown: { shape, tone, word, detail } }: { shown: ShownDesk }) {
  return (
    <td className={styles.state} title={detail}>
      <span className={`with-mark strong ${tone}`}>
        <Mark shape={shape} />
        {word}
      </span>
      {detail !== '' && <small>{detail}</small>}
    </td>
  );
}

/** How old the last sign of life is. */
function HeardCell({ row: { heard }, now }: { row: DeskElsewhereRow; now: number }) {
  if (heard === null) return <td className="right quiet">never</td>;
  const age = now - heard.at;
  return <td className={`right live-figure ${age > LATE_MS ? 'stop strong' : 'muted'}`}>{ageText(age)} ago</td>;
}

function HaltCell({ halt, now, letBe }: { halt: HaltStage | null; now: number; letBe?: () => void }) {
  const said = haltText(halt, now);
  if (said === null) return <td className="quiet">—</td>;
  return (
    <td className={styles.state} title={said.why}>
      <span className={`with-mark strong ${said.isOpen ? 'stop' : 'ok'}`}>
        <Mark shape={said.isOpen ? 'refused' : 'done'} />
        {said.text}
      </span>
      {said.why !== '' && <small>{said.why}</small>}
      {said.isOpen && letBe !== undefined && (
        <Button look="quiet" onClick={letBe}>
          Stop sending
        </Button>
      )}
    </td>
  );
}
