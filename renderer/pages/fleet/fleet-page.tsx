import { Fragment, type ReactNode, useState } from 'react';
import {
  type FleetView,
  type StandbyView,
  type SurfaceSwitch,
  type SurfaceView,
  takenBy,
} from '../../../electron/contract/fleet.ts';
import { TextButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty, EmptyPage } from '../../components/empty.tsx';
import { Fact } from '../../components/fact.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { JARGON } from '../../components/jargon.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { Note } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useDesk, useToasts } from '../../state/console.tsx';
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
        If this machine is lost, what it signed last is known from a backup only. With a standby on a second one, every
        order is there too.
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHead name="Fleet">
        <span className="quiet narrow-out">{fleet.place}</span>
      </PageHead>
      <PageBody id="fleet" className={styles.page}>
        <WriterPanel fleet={fleet} />
        <StandbysPanel fleet={fleet} />
        <SurfacesPanel fleet={fleet} />
        <FailuresPanel fleet={fleet} />
      </PageBody>
    </>
  );
}

/** The desk that writes, and how far its rows lie elsewhere too. */
function WriterPanel({ fleet }: { fleet: FleetView }) {
  const { name, turn, since, row, kept, alone, isOver, tookMs, copies } = fleet;
  const now = useDeskNow();
  const left = Math.max(0, row - kept);
  return (
    <Panel name="Desk and journal" aside="no order leaves before its row is there">
      <Scroll>
        {alone !== null && (
          <div className={styles.note}>
            <Note level="stop" title={alone}>
              {isOver
                ? `End this one: it never signs again. ${takenBy(fleet) ?? 'The other one'} has the seat now.`
                : 'Nothing is signed meanwhile. Once every row is there again, resume the desk.'}
            </Note>
          </div>
        )}
        <dl className={styles.facts}>
          <Fact name="This desk">
            <b className="strong">{name}</b>{' '}
            <span className="muted">{isOver ? 'had the seat' : `writes since ${momentText(since, now)}`}</span>
          </Fact>
          <Fact name="Seat">
            turn {countText(turn)} <span className="muted">goes up with each start and each takeover</span>
          </Fact>
          <Fact name="In the fleet">
            {plural(kept, 'row')}{' '}
            <span className={left === 0 ? 'muted' : 'attn'}>
              {left === 0 ? 'all of them' : `${plural(left, 'row')} only here`}
            </span>
          </Fact>
          <Fact name="There within">
            {tookMs === null ? '—' : `${tookMs.toFixed(1)} ms`}{' '}
            <span className="muted">in half of the newest writes, longer in the others</span>
          </Fact>
          <Fact name="Copies">
            <Copies copies={copies} />
          </Fact>
        </dl>
      </Scroll>
    </Panel>
  );
}

function Copies({ copies }: { copies: FleetView['copies'] }) {
  if (copies === null) return <span className="quiet">not known yet</span>;
  const { wanted, level } = copies;
  if (wanted === 1) {
    return (
      <span className="with-mark">
        <Mark shape="note" tone="quiet" />
        on one server; if it is lost, nothing is signed
      </span>
    );
  }
  const isWhole = level >= wanted;
  return (
    <span className={`with-mark ${isWhole ? '' : 'attn'}`}>
      {!isWhole && <Mark shape="look" />}
      {level} of {wanted} servers
    </span>
  );
}

/** A desk that was taken over is told nothing of the fleet any more. */
/** How a part of the fleet is. */
interface Standing {
  shape: MarkShape;
  tone: string;
  words: string;
}

const UNKNOWN: Standing = { shape: 'expired', tone: 'quiet', words: 'not known' };

/** How a standby is, by a shape of its own. */
function standing({ name, fault, startFault, row }: StandbyView, { kept, isOver, writer }: FleetView): Standing {
  if (isOver) {
    return name === writer ? { shape: 'filled', tone: '', words: 'has taken over' } : UNKNOWN;
  }
  if (fault === 'silent') return { shape: 'expired', tone: 'attn', words: 'not heard' };
  if (startFault !== undefined) return { shape: 'look', tone: 'attn', words: 'cannot start' };
  if (fault === 'stuck') return { shape: 'look', tone: 'attn', words: 'does not follow' };
  return { shape: 'live', tone: 'ok', words: row >= kept ? 'level' : 'follows' };
}

/** The first two cells of its row. */
function NameAndState({ name, shape, tone, words }: Standing & { name: string }) {
  return (
    <>
      <td className="strong" title={name}>
        {name}
      </td>
      <td className={`with-mark ${tone}`}>
        <Mark shape={shape} />
        {words}
      </td>
    </>
  );
}

function NotKnown() {
  return <span className="quiet">not known</span>;
}

/** Below the row of what is lost, until it is back: what that means and what to do. `hidden`: columns that a small window leaves out. */
function Lost({ columns, hidden, children }: { columns: number; hidden: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={columns} className={`attn ${styles.words}`}>
        {children}
      </td>
      <td colSpan={hidden} className="narrow-out" />
    </tr>
  );
}

function StandbysPanel({ fleet }: { fleet: FleetView }) {
  const { standbys, kept, isOver } = fleet;
  const now = useDeskNow();
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
                const { name, row, hasKey, startFault, heardAt, fault } = standby;
                const isKnown = fault !== 'silent' && !isOver;
                return (
                  <Fragment key={name}>
                    <tr>
                      <NameAndState name={name} {...standing(standby, fleet)} />
                      <td className={hasKey ? undefined : 'attn'}>{hasKey ? 'yes' : 'none'}</td>
                      <td className={`right live-figure narrow-out ${isKnown ? '' : styles.stale}`}>
                        {countText(row)}
                      </td>
                      <td className="right live-figure">
                        {isKnown ? countText(Math.max(0, kept - row)) : <NotKnown />}
                      </td>
                      <td className="right muted">
                        {isOver ? '—' : heardAt === 0 ? 'not yet' : <Age since={heardAt} />}
                      </td>
                      <td className="right">
                        {isKnown && startFault === undefined && (
                          <TextButton aria-label={`Take over… by ${name}`} onClick={() => setAsked(standby)}>
                            Take over…
                          </TextButton>
                        )}
                      </td>
                    </tr>
                    {fault === 'silent' && !isOver && (
                      <Lost columns={6} hidden={1}>
                        {heardAt === 0
                          ? 'Not heard since this desk started'
                          : `Not heard since ${momentText(heardAt, now)}`}
                        . It can take over only once it is heard. See whether it runs and reaches the fleet server.
                      </Lost>
                    )}
                    {isKnown && startFault !== undefined && (
                      <Lost columns={6} hidden={1}>
                        No desk would start there: {startFault} It can take over only once that is fixed on its machine.
                      </Lost>
                    )}
                  </Fragment>
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

/** How a surface is, by a shape of its own. */
function serving({ isSilent, switched, serves }: SurfaceView, isOver: boolean): Standing {
  if (isOver) return UNKNOWN;
  if (isSilent) return { shape: 'expired', tone: 'attn', words: 'not heard' };
  if (switched === 'off') return { shape: 'off', tone: 'muted', words: 'off' };
  if (switched === 'draining') return { shape: 'drain', tone: 'attn', words: 'drains' };
  if (!serves) return { shape: 'look', tone: 'attn', words: 'serves nothing' };
  return { shape: 'live', tone: 'ok', words: 'serves' };
}

/** What each switch of a surface does, as the button says it and as the dialog asks. */
const SWITCHES: Readonly<Record<SurfaceSwitch, { act: string; says: (name: string) => string }>> = {
  on: { act: 'Switch on', says: (name) => `${name} shows the desk’s prices again, and hands on firm requests.` },
  draining: {
    act: 'Drain',
    says: (name) =>
      `${name} shows no prices, and still answers firm requests. Drain it before you end or upgrade it; whoever asks elsewhere notices nothing.`,
  },
  off: {
    act: 'Switch off',
    says: (name) =>
      `${name} serves nothing, not even after a start, until it is switched on. Whoever asks elsewhere notices nothing.`,
  },
};

function SurfacesPanel({ fleet }: { fleet: FleetView }) {
  const { surfaces, isOver, place } = fleet;
  const now = useDeskNow();
  const [asked, setAsked] = useState<{ name: string; to: SurfaceSwitch } | null>(null);
  return (
    <Panel name="Surfaces" aside="each serves what this desk serves; this desk signs" className={styles.wide}>
      <Scroll>
        {surfaces.length === 0 && (
          <Empty title="Counterparties ask this machine alone">
            Start a surface near those who are far away, or where no key may be: makerdesk surface --fleet {place}
          </Empty>
        )}
        {surfaces.length > 0 && (
          <Table>
            <thead>
              <tr>
                <th title={JARGON.surface}>Surface</th>
                <th className={styles.state}>State</th>
                <th className="narrow-out">Listens at</th>
                <th className={`${styles.version} narrow-out`}>Version</th>
                <th className={`${styles.figure} right`}>
                  Firm/s<small>last 10 s</small>
                </th>
                <th className={`${styles.figure} right`}>
                  p99, ms<small>last 10 s</small>
                </th>
                <th className={`${styles.figure} right`}>
                  Missed<small>since start</small>
                </th>
                <th className={`${styles.figure} right narrow-out`}>WebSockets</th>
                <th className={`${styles.heard} right`}>Heard</th>
                <th className={styles.switches}>
                  <span className="only-read">Switch</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {surfaces.map((surface) => {
                const { name, url, version, perSecond, p99Ms, unanswered, webSockets, heardAt, isSilent, switched } =
                  surface;
                const isKnown = !isSilent && !isOver;
                const others = switched === 'on' ? (['draining', 'off'] as const) : (['on'] as const);
                return (
                  <Fragment key={`${name} ${url}`}>
                    <tr>
                      <NameAndState name={name} {...serving(surface, isOver)} />
                      <td className="muted narrow-out" title={url}>
                        {url}
                      </td>
                      <td className="muted narrow-out">{version}</td>
                      <td className="right live-figure">{isKnown ? perSecond.toFixed(1) : '—'}</td>
                      <td className="right live-figure">{isKnown && p99Ms !== null ? p99Ms.toFixed(1) : '—'}</td>
                      <td className={`right live-figure ${isKnown && unanswered > 0 ? 'attn' : ''}`}>
                        {isKnown ? countText(unanswered) : '—'}
                      </td>
                      <td className="right live-figure narrow-out">{isKnown ? countText(webSockets) : '—'}</td>
                      <td className="right muted">{isOver ? '—' : <Age since={heardAt} />}</td>
                      <td className="right">
                        <span className={styles.acts}>
                          {isKnown &&
                            others.map((to) => (
                              <TextButton
                                key={to}
                                aria-label={`${SWITCHES[to].act}… ${name}`}
                                onClick={() => setAsked({ name, to })}
                              >
                                {SWITCHES[to].act}…
                              </TextButton>
                            ))}
                        </span>
                      </td>
                    </tr>
                    {isSilent && !isOver && (
                      <Lost columns={7} hidden={3}>
                        Not heard since {momentText(heardAt, now)}. Whoever asks there gets nothing. See whether it runs
                        and reaches the fleet server.
                      </Lost>
                    )}
                  </Fragment>
                );
              })}
            </tbody>
          </Table>
        )}
      </Scroll>
      {asked !== null && <SwitchDialog {...asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function SwitchDialog({ name, to, onClose }: { name: string; to: SurfaceSwitch; onClose: () => void }) {
  const client = useClient();
  const { act, says } = SWITCHES[to];
  return (
    <ConfirmDialog
      needs="trade"
      title={`${act} ${name}?`}
      keep="Leave it"
      act={`${act} ${name}`}
      send={() => client.fleet.switchSurface({ surface: name, to })}
      onClose={onClose}
    >
      {says(name)}
    </ConfirmDialog>
  );
}

/** What is typed in an emergency: it breaks before its option only, so that it is typed as it is read, and can be copied. */
function Command({ words, option }: { words: string; option: string }) {
  const toasts = useToasts();
  const text = `${words} ${option}`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toasts.show({ level: 'note', title: 'Copied the command', detail: text }),
      () => toasts.show({ level: 'look', title: 'The clipboard does not answer', detail: text }),
    );
  return (
    <>
      <span className={`mono ${styles.command}`}>{words}</span>{' '}
      <span className={`mono ${styles.command}`}>{option}</span>{' '}
      <TextButton aria-label="Copy the command" onClick={() => void copy()}>
        Copy
      </TextButton>
    </>
  );
}

/** What happens when a part is gone, and what somebody does then. */
function FailuresPanel({ fleet: { place, standbys } }: { fleet: FleetView }) {
  const standby = standbys.find(({ fault }) => fault === null) ?? standbys[0];
  const rows: readonly [string, string, ReactNode][] = [
    [
      'This machine',
      'Nobody is quoted. Every order that a counterparty has is with the standbys.',
      <>
        On any machine:{' '}
        <Command words={`makerdesk fleet take-over ${standby?.name ?? 'NAME'}`} option={`--fleet ${place}`} />
      </>,
    ],
    [
      'The fleet server, or the line to it',
      'This desk halts within three seconds, and goes on writing its own journal.',
      'Once it is back and has every row: resume.',
    ],
    [
      'A surface, or the line to it',
      'It serves nothing within two seconds. Whoever asks another one, or this machine, is quoted as before.',
      'Start it again, or fix the line: it goes on by itself.',
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
