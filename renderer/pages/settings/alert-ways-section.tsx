import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertWay, type OpenCall, placeOf, type QuietHours } from '../../../electron/contract/alert-ways.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Age } from '../../components/figures/age.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import type { ConsoleClient } from '../../state/connection.ts';
import { useClient, useQueries } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { localZone, zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import { AlertWayForm } from './alert-way-form.tsx';
import styles from './settings-page.module.css';

type WayRow = Awaited<ReturnType<ConsoleClient['alerts']['ways']>>['ways'][number];

const AGAIN_MS = 2_000;
const KINDS = { halt: 'halts', stop: 'what is stopped', look: 'what to look at' } as const;

/** Where alerts are told beside the console: for everybody, also while nobody looks at a screen. */
export function AlertWaysSection() {
  const client = useClient();
  const queries = useQueries();
  const cache = useQueryClient();
  const read = useQuery(queries.alerts.ways.queryOptions({ refetchInterval: AGAIN_MS }));
  const changed = () => void cache.invalidateQueries({ queryKey: queries.alerts.ways.key() });
  const [form, setForm] = useState<{ how: AlertWay['how']; known: AlertWay | null } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [testing, setTesting] = useState<string | null>(null);
  if (read.data === undefined) {
    return <ReadState read={read} unknown="Where alerts are told is not known; they are told there as before" />;
  }
  const { ways, quiet, open } = read.data;
  return (
    <>
      {ways.map((row) => (
        <WayLine
          key={row.way.name}
          row={row}
          test={() => setTesting(row.way.name)}
          edit={() => setForm({ how: row.way.how, known: row.way })}
          remove={() => setRemoving(row.way.name)}
        />
      ))}
      <div className={styles.foot}>
        <Button needs="settings" onClick={() => setForm({ how: 'webhook', known: null })}>
          Add a webhook…
        </Button>{' '}
        <Button needs="settings" onClick={() => setForm({ how: 'mail', known: null })}>
          Add e-mail…
        </Button>
      </div>
      <QuietForm key={quiet === null ? '' : Object.values(quiet).join(' ')} known={quiet} onSaved={changed} />
      {open
        .filter(({ told }) => told.length > 0)
        .map((call) => (
          <OpenCallLine key={call.code} call={call} onTaken={changed} />
        ))}
      {form !== null && (
        <AlertWayForm
          how={form.how}
          known={form.known}
          onSaved={() => {
            setForm(null);
            changed();
          }}
          onClose={() => setForm(null)}
        />
      )}
      {testing !== null && <TestDialog name={testing} onClose={() => setTesting(null)} />}
      {removing !== null && (
        <ConfirmDialog
          title={`Stop telling alerts on ${removing}?`}
          needs="settings"
          keep="Keep it"
          act={`Remove ${removing}`}
          send={async () => {
            await client.alerts.removeWay({ name: removing });
            changed();
          }}
          onClose={() => setRemoving(null)}
        >
          Its secret is forgotten too. The other ways and the console are not affected.
        </ConfirmDialog>
      )}
    </>
  );
}

function WayLine(props: { row: WayRow; test: () => void; edit: () => void; remove: () => void }) {
  const { way, state } = props.row;
  const { name, kinds, afterMinutes } = way;
  const isWell = state.fault === null;
  return (
    <section className={styles.setting} aria-label={name}>
      <header>
        <Mark shape={isWell ? 'done' : 'refused'} tone={isWell ? 'ok' : 'stop'} />
        <h3>{name}</h3>
        <span className="quiet">
          {placeOf(way)} · {kinds.length === 0 ? 'nothing' : kinds.map((kind) => KINDS[kind]).join(', ')}
          {afterMinutes > 0 && `, after ${afterMinutes} min`} ·{' '}
          {state.toldAt === null
            ? 'not told anything yet'
            : `last told ${stampText(state.toldAt)} ${zoneName(state.toldAt)}`}
        </span>
        <Button look="quiet" needs="settings" onClick={props.test}>
          Test…
        </Button>
        <Button look="quiet" needs="settings" onClick={props.edit}>
          Change…
        </Button>
        {way.how !== 'command' && (
          <Button look="quiet" needs="settings" onClick={props.remove}>
            Remove…
          </Button>
        )}
      </header>
      {!isWell && (
        <Note level="stop" title="Alerts do not arrive there.">
          Last {state.fault}. What waits is tried again, less and less often. Change it, or test it until it answers.
        </Note>
      )}
    </section>
  );
}

/** Tells the way that this is a test, and says what came back. */
function TestDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const client = useClient();
  const [said, setSaid] = useState<{ ok: boolean; answered: string } | null>(null);
  const test = useCommand(async () => setSaid(await client.alerts.testWay({ name })));
  return (
    <Dialog title={`Test ${name}`} needs="settings" onClose={onClose}>
      <Lead>One message goes out, which says that it is a test.</Lead>
      {said !== null && (
        <Note
          level={said.ok ? 'note' : 'stop'}
          title={said.ok ? 'The other side took it.' : 'The other side did not take it.'}
        >
          The other side: {said.answered}.
        </Note>
      )}
      {test.refusal !== null && <RefusalNote refusal={test.refusal} />}
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Close
        </Button>
        <Button look="primary" size="large" disabled={test.busy} onClick={() => test.run()}>
          {said === null ? 'Send a test' : 'Send another'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** When what is not urgent waits. Halts and stops never do. */
function QuietForm({ known, onSaved }: { known: QuietHours | null; onSaved: () => void }) {
  const client = useClient();
  const [texts, setTexts] = useState(known ?? { from: '22:00', until: '07:00', zone: localZone() });
  const save = useCommand(async (quiet: QuietHours | null) => {
    await client.alerts.setQuiet({ quiet });
    onSaved();
  });
  const field = (name: keyof QuietHours, label: string) => (
    <Field
      label={label}
      value={texts[name]}
      fault={faultOf(save.refusal, name)}
      onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
    />
  );
  return (
    <section className={styles.setting} aria-label="Quiet hours">
      <header>
        <Mark shape={known === null ? 'off' : 'done'} tone={known === null ? 'quiet' : 'ok'} />
        <h3>Quiet hours</h3>
        <span className="quiet">
          {known === null
            ? 'none: everything is told when it comes up'
            : `${known.from} to ${known.until}, ${known.zone}: what to look at waits; halts and what is stopped never do`}
        </span>
        {known !== null && (
          <Button look="quiet" needs="settings" disabled={save.busy} onClick={() => save.run(null)}>
            End them
          </Button>
        )}
      </header>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.run(texts);
        }}
      >
        {field('from', 'From')}
        {field('until', 'Until')}
        {field('zone', 'Time zone')}
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, ['from', 'until', 'zone'])} />
        )}
        <div className={styles.submit}>
          <Button type="submit" needs="settings" disabled={save.busy}>
            Keep quiet then
          </Button>
        </div>
      </form>
    </section>
  );
}

/** What was told and is not over; who looks after it says so, and it goes no further. */
function OpenCallLine({ call, onTaken }: { call: OpenCall; onTaken: () => void }) {
  const client = useClient();
  const { code, title, since, told, takenBy } = call;
  const take = useCommand(async () => {
    await client.alerts.take({ code });
    onTaken();
  });
  return (
    <section className={styles.setting} aria-label={title}>
      <header>
        <Mark shape="look" tone="attn" />
        <h3>{title}</h3>
        <span className="quiet">
          for <Age since={since} />, told on {told.join(', ')}
          {takenBy !== null && `; ${takenBy} looks after it`}
        </span>
        {takenBy === null && (
          <Button look="quiet" needs="trade" disabled={take.busy} onClick={() => take.run()}>
            I’ll look after it
          </Button>
        )}
      </header>
      {take.refusal !== null && <RefusalNote refusal={take.refusal} />}
    </section>
  );
}
