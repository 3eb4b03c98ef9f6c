import { type ReactNode, useState } from 'react';
import type { FleetView, StandbyView } from '../../../electron/contract/fleet.ts';
import { TextButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, EmptyPage } from '../../components/empty.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { Note } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useDesk } from '../../state/console.tsx';
import styles from './fleet-page.module.css';

/** The machines of the desk: the one that writes, where its rows lie besides, and who stands by to take its place. */
export function FleetPage() {
  const fleet = useDesk((view) => view.fleet);
  if (fleet === null) {
    return (
      <EmptyPage
        name="Fleet"
        title="This desk runs on one machine"
        go={{ to: '/guide/two-machines', text: 'A desk on two machines' }}
      >
        Were the machine lost, what it signed last would be known from a backup only. With a standby on a second one,
        every order is there too.
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHead name="Fleet">
        <span className="quiet narrow-out">{fleet.place}</span>
      </PageHead>
      <PageBody className={styles.page}>
        <WriterPanel fleet={fleet} />
        <StandbysPanel fleet={fleet} />
        <FailuresPanel fleet={fleet} />
      </PageBody>
    </>
  );
}

/** The desk that writes, and how far its rows lie elsewhere too. */
function WriterPanel({ fleet }: { fleet: FleetView }) {
  const { name, turn, since, row, kept, alone, isOver, writer, tookMs, copies } = fleet;
  const now = useDeskNow();
  const left = Math.max(0, row - kept);
  return (
    <Panel name="Desk and journal" aside="no order leaves before its row is there">
      <Scroll>
        {alone !== null && (
          <div className={styles.note}>
            <Note level="stop" title={alone}>
              {isOver
                ? `End this one: it never signs again. ${writer ?? 'The other one'} has the seat now.`
                : 'Nothing is signed meanwhile. Once every row is there again, resume the desk.'}
            </Note>
          </div>
        )}
        <dl className={styles.facts}>
          <Fact name="This desk">
            <b className="strong">{name}</b>{' '}
            <span className="muted">{isOver ? 'had the seat' : `writes since ${momentText(since, now)}`}</span>
          </Fact>
          <Fact name="Turn of the seat">
            {countText(turn)} <span className="muted">one more with each start and each takeover</span>
          </Fact>
          <Fact name="Rows in the fleet">
            {countText(kept)}{' '}
            <span className={left === 0 ? 'muted' : 'attn'}>
              {left === 0 ? 'all of them' : `${plural(left, 'row')} only here`}
            </span>
          </Fact>
          <Fact name="Taken after">
            {tookMs === null ? '—' : `${tookMs.toFixed(1)} ms`} <span className="muted">in the median lately</span>
          </Fact>
          <Fact name="Copies">
            <Copies copies={copies} />
          </Fact>
        </dl>
      </Scroll>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Copies({ copies }: { copies: FleetView['copies'] }) {
  if (copies === null) return <span className="quiet">not known yet</span>;
  const { wanted, level } = copies;
  if (wanted === 1) return <>on one server</>;
  const isWhole = level >= wanted;
  return (
    <span className={`with-mark ${isWhole ? '' : 'attn'}`}>
      {!isWhole && <Mark shape="look" />}
      {level} of {wanted} servers
    </span>
  );
}

/** How a standby is, by a shape of its own. */
function standing(
  { name, fault, row }: StandbyView,
  { kept, isOver, writer }: FleetView,
): { shape: MarkShape; tone: string; words: string } {
  if (isOver && name === writer) return { shape: 'filled', tone: '', words: 'has taken over' };
  if (fault === 'silent') return { shape: 'expired', tone: 'stop', words: 'not heard' };
  if (fault === 'stuck') return { shape: 'look', tone: 'attn', words: 'does not follow' };
  return { shape: 'live', tone: 'ok', words: row >= kept ? 'level' : 'follows' };
}

function StandbysPanel({ fleet }: { fleet: FleetView }) {
  const { standbys, kept, isOver } = fleet;
  const [asked, setAsked] = useState<StandbyView | null>(null);
  return (
    <Panel name="Standbys" aside="each says once a second how far it is">
      <Scroll>
        {standbys.length === 0 && (
          <Empty title="Nobody stands by">
            Start one on another machine, with the keystore of this desk: makerdesk standby --fleet {fleet.place}
          </Empty>
        )}
        {standbys.length > 0 && (
          <Table>
            <thead>
              <tr>
                <th>Standby</th>
                <th className={styles.state}>State</th>
                <th className={styles.key}>Key</th>
                <th className={`${styles.row} right narrow-out`}>Row</th>
                <th className={`${styles.behind} right`}>Behind</th>
                <th className={`${styles.heard} right`}>Heard</th>
                <th className={styles.act}>
                  <span className="only-read">Take over</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {standbys.map((standby) => {
                const { name, row, hasKey, heardAt, fault } = standby;
                const { shape, tone, words } = standing(standby, fleet);
                return (
                  <tr key={name}>
                    <td className="strong" title={name}>
                      {name}
                    </td>
                    <td className={`with-mark ${tone}`}>
                      <Mark shape={shape} />
                      {words}
                    </td>
                    <td className={hasKey ? undefined : 'attn'}>{hasKey ? 'yes' : 'none'}</td>
                    <td className="right live-figure narrow-out">{countText(row)}</td>
                    <td className="right live-figure">{countText(Math.max(0, kept - row))}</td>
                    <td className="right muted">{heardAt === 0 ? 'not yet' : <Age since={heardAt} />}</td>
                    <td className="right">
                      {fault !== 'silent' && !isOver && (
                        <TextButton aria-label={`Take over… by ${name}`} onClick={() => setAsked(standby)}>
                          Take over…
                        </TextButton>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </Table>
        )}
      </Scroll>
      {asked !== null && <TakeOverDialog fleet={fleet} standby={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function TakeOverDialog(props: { fleet: FleetView; standby: StandbyView; onClose: () => void }) {
  const { fleet, standby, onClose } = props;
  const client = useClient();
  return (
    <ConfirmDialog
      needs="settings"
      title={`Have ${standby.name} take over?`}
      keep={`${fleet.name} goes on`}
      act={`${standby.name} takes over`}
      send={() => client.fleet.takeOver({ standby: standby.name })}
      onClose={onClose}
    >
      {fleet.name} is halted for good within seconds: nothing that it signs leaves it any more. {standby.name} has every
      order, begins halted, and is resumed there. Counterparties have to reach its surface.
      {!standby.hasKey && ' It has no key, so it can sign nothing until it has one.'}
    </ConfirmDialog>
  );
}

/** What happens when a part is gone, and what somebody does then. */
function FailuresPanel({ fleet: { place } }: { fleet: FleetView }) {
  const rows: readonly [string, string, ReactNode][] = [
    [
      'This machine',
      'Nobody is quoted. Every order that a counterparty has is with the standbys.',
      <>
        On any machine: <span className="mono">makerdesk fleet take-over NAME --fleet {place}</span>
      </>,
    ],
    [
      'The fleet server, or the line to it',
      'This desk halts within three seconds, and writes on for itself.',
      'Once it is back and has every row: resume.',
    ],
    ['A standby', 'Nothing here. It goes on from where it was.', 'Start it again.'],
  ];
  return (
    <Panel name="If a part is lost" className={styles.failures}>
      <Scroll>
        <Table>
          <thead>
            <tr>
              <th className={styles.part}>Lost</th>
              <th>What happens</th>
              <th>What to do</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([part, what, todo]) => (
              <tr key={part}>
                <td className={`strong ${styles.words}`}>{part}</td>
                <td className={styles.words}>{what}</td>
                <td className={`muted ${styles.words}`}>{todo}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroll>
    </Panel>
  );
}
