import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { DeskElsewhereRow, DesksView } from '../../../electron/contract/desks-elsewhere.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { HaltFace } from '../../components/frame/halt-face.tsx';
import { Note } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useNow } from '../../state/clock.ts';
import type { DesksLine } from '../../state/desks-line.ts';
import { listenForHaltKey } from '../../state/halt-key.ts';
import { keysText } from '../../state/shortcuts.ts';
import { zoneName } from '../../state/time-zone.ts';
import { DeskDialog } from './desk-dialog.tsx';
import { haltAllOutcome } from './desk-words.ts';
import styles from './desks-page.module.css';
import { DesksTable } from './desks-table.tsx';

/** What lies over the list. */
type Over = { kind: 'add' } | { kind: 'change' | 'remove'; row: DeskElsewhereRow } | null;

/** The desks elsewhere: what each is doing, and one HALT ALL for them and the desk of this app. */
export function DesksPage({ line }: { line: DesksLine }) {
  const view = useSyncExternalStore(line.subscribe, line.view);
  const [over, setOver] = useState<Over>(null);
  const close = () => setOver(null);
  const { client } = line;
  const { missed, haltAll } = useHaltAll(line);
  return (
    <div className={styles.frame}>
      <Strip view={view} />
      <PageHead name="Desks">
        <span className="quiet fill">times are {zoneName()}</span>
        {view !== null && (
          <Button look="primary" disabled={view.unread !== null} onClick={() => setOver({ kind: 'add' })}>
            Add a desk…
          </Button>
        )}
      </PageHead>
      <div className={styles.notes}>
        {missed && (
          <Note level="stop" title="The app has not taken HALT ALL.">
            Press it again, or halt each desk from a terminal: <span className="mono">makerdesk desks halt FILE</span>.
          </Note>
        )}
        {view !== null && <Outcome view={view} />}
        {view !== null && view.unread !== null && (
          <Note level="stop" title="HALT ALL halts this app’s desk alone.">
            {view.unread}
          </Note>
        )}
        {view !== null && view.notKept !== null && view.desks.length > 0 && (
          <Note level="note" title="Tokens are asked for again at the next start.">
            {view.notKept} They are in the memory of this app alone, until it ends.
          </Note>
        )}
      </div>
      <PageBody className={styles.body}>
        <PanelBox aria-label="Desks">
          <Scroll>
            {view === null ? <Waiting rows={6} /> : <DesksTable view={view} client={client} onOver={setOver} />}
            {view !== null && view.desks.length === 0 && view.unread === null && (
              <Empty
                title="No desk elsewhere is in the list"
                actions={<Button onClick={() => setOver({ kind: 'add' })}>Add the first one…</Button>}
              >
                A desk on another machine is reached at the https address of its console, with a token that was made
                there: <span className="mono">makerdesk token create NAME --rights halt</span> is enough to watch and to
                halt it.
              </Empty>
            )}
          </Scroll>
        </PanelBox>
      </PageBody>
      {over?.kind === 'add' && <DeskDialog client={client} notKept={view?.notKept ?? null} onClose={close} />}
      {over?.kind === 'change' && (
        <DeskDialog client={client} notKept={view?.notKept ?? null} row={over.row} onClose={close} />
      )}
      {over?.kind === 'remove' && (
        <ConfirmDialog
          title={`Remove ${over.row.name} from the list?`}
          keep="Keep it"
          act={`Remove ${over.row.name}`}
          send={() => client.remove({ of: over.row.name })}
          onClose={close}
        >
          HALT ALL does not halt it any more. The desk itself goes on as it is; its token is forgotten here and still
          counts there until it is revoked.
        </ConfirmDialog>
      )}
      <HaltAllPlace view={view} onHalt={haltAll} />
    </div>
  );
}

/** HALT ALL by its button and its keys. `missed`: the app did not take the last press. */
function useHaltAll({ client }: DesksLine): { missed: boolean; haltAll: () => void } {
  const [missed, setMissed] = useState(false);
  const haltAll = useCallback(() => {
    client.haltAll().then(
      () => setMissed(false),
      () => setMissed(true),
    );
  }, [client]);
  useEffect(() => listenForHaltKey(window, haltAll), [haltAll]);
  return { missed, haltAll };
}

function HaltAllPlace({ view, onHalt }: { view: DesksView | null; onHalt: () => void }) {
  const place = document.getElementById('halt');
  if (place === null) return null;
  const count = view === null ? null : view.desks.length + 1;
  const isAsked = view !== null && (haltAllOutcome(view)?.open.length ?? 0) > 0;
  const caption = isAsked
    ? 'asked…'
    : count === null
      ? keysText('halt')
      : `${plural(count, 'desk')} · ${keysText('halt')}`;
  return createPortal(
    <HaltFace
      word="HALT ALL"
      what="desks of this list, and this app’s, now"
      caption={caption}
      isWide
      onHalt={onHalt}
    />,
    place,
  );
}

/** How many desks are in which state, in the place where a console has its own. */
function Strip({ view }: { view: DesksView | null }) {
  if (view === null) return <section className={styles.strip} aria-label="Status" />;
  const states = view.desks.map((row) => (row.silent !== null || row.heard === null ? null : row.heard.status.state));
  const count = (state: string | null) => states.filter((one) => one === state).length;
  const figures = [
    { name: 'LIVE', value: count('LIVE') },
    { name: 'DRAIN', value: count('DRAIN') },
    { name: 'HALTED', value: count('HALTED') },
    { name: 'Not heard', value: count(null) },
  ];
  return (
    <section className={styles.strip} aria-label="Status">
      <dl>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="label">{name}</dt>
            <dd className={name === 'Not heard' && value > 0 ? 'stop' : value === 0 ? 'quiet' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <span className="quiet">of {plural(view.desks.length, 'desk')} elsewhere</span>
    </section>
  );
}

/** What became of a halt, in words that need no table: who may still be quoting. */
function Outcome({ view }: { view: DesksView }) {
  useNow();
  const outcome = haltAllOutcome(view);
  if (outcome === null) return null;
  const { confirmed, all, open } = outcome;
  if (open.length === 0) {
    return (
      <Note
        level="note"
        title={all === 1 ? 'It has confirmed that it is HALTED.' : `All ${all} have confirmed that they are HALTED.`}
      >
        What was signed stays fillable until it expires. Open a console to see what is live there.
      </Note>
    );
  }
  return (
    <Note level="stop" title={`NOT confirmed: ${open.join(', ')}.`}>
      {open.length === 1 ? 'It' : 'They'} may still be quoting. {confirmed} of {all} confirmed. The halt is sent again
      every second until it is; meanwhile call whoever can reach the machine.
    </Note>
  );
}
