import { useCallback, useState } from 'react';
import type { PracticeFault, PracticeService, PracticeState } from '../../../electron/contract/practice.ts';
import { Button } from '../../components/button.tsx';
import checkListStyles from '../../components/check-list.module.css';
import { Empty, EmptyPage, type Read, ReadState, Waiting } from '../../components/empty.tsx';
import { Age, Countdown } from '../../components/figures/age.tsx';
import { countText, plural, shortHex } from '../../components/figures/counts.ts';
import { User } from '../../components/figures/party.tsx';
import { clockText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel, PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Switch } from '../../components/switch.tsx';
import { Table } from '../../components/table.tsx';
import { useClient } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { silence, useStream } from '../../state/use-stream.ts';
import { DrillPanel } from './drill-panel.tsx';
import styles from './practice-page.module.css';

/** The practice market: what may go wrong on purpose, how fast takers ask, and how long a person takes to halt. */
export function PracticePage() {
  const { state, none, read, set } = usePractice();
  if (none) {
    return (
      <EmptyPage name="Practice" title="This desk is no practice desk">
        Faults and drills are on a practice desk only. Start one in another folder:{' '}
        <span className="mono nowrap">makerdesk practice</span>.
      </EmptyPage>
    );
  }
  return (
    <>
      <PageHead name="Practice">
        <span className="quiet">a whole counterparty on this machine; no money, real clocks</span>
      </PageHead>
      {read.error !== null && (
        <PageBody>
          <PanelBox aria-label="Practice market">
            <ReadState
              read={read}
              unknown="What the practice market does is not known here; the desk goes on all the same"
            />
          </PanelBox>
        </PageBody>
      )}
      {read.isPending && <WaitingPanels />}
      {state !== null && state.ended !== null && <EndedMarket how={state.ended} onState={set} />}
      {state !== null && state.ended === null && (
        <PageBody className={styles.page}>
          <div className={styles.column}>
            <Needs right="trade">
              <FaultsPanel faults={state.faults} onState={set} />
            </Needs>
            <OtherSidePanel service={state.service} />
          </div>
          <div className={styles.column}>
            <Needs right="trade">
              <SpeedPanel speed={state.speed} onState={set} />
              <DrillPanel faults={state.faults} />
            </Needs>
            <TakersPanel takers={state.takers} />
          </div>
        </PageBody>
      )}
    </>
  );
}

/** The panels where they will stand, until the market has said how it is. */
function WaitingPanels() {
  return (
    <PageBody className={styles.page}>
      <div className={styles.column}>
        <Panel name="Faults" className={styles.faults}>
          <Waiting rows={11} />
        </Panel>
        <Panel name="What the practice service thinks" className={styles.service}>
          <Waiting rows={6} />
        </Panel>
      </div>
      <div className={styles.column}>
        <Panel name="Takers">
          <Waiting rows={2} />
        </Panel>
        <Panel name="Drills">
          <Waiting rows={6} />
        </Panel>
        <Panel name="What the takers got" className={styles.takers}>
          <Waiting rows={8} isTable />
        </Panel>
      </div>
    </PageBody>
  );
}

/** The market's process is gone: how it ended, and the way back. The desk beside it goes on. */
function EndedMarket({ how, onState }: { how: string; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const restart = useCommand(async () => onState(await client.practice.restart()));
  const button = (
    <Button size="large" needs="trade" disabled={restart.busy} onClick={() => restart.run()}>
      {restart.busy ? 'It starts…' : 'Start it again'}
    </Button>
  );
  return (
    <PageBody>
      <PanelBox aria-label="Practice market">
        {restart.refusal !== null && <RefusalNote refusal={restart.refusal} />}
        <Empty title="The practice market does not run" heading="h2" actions={button}>
          {how} Its chains, its service and its users are gone, so this desk quotes nobody. Started again it goes on
          where it was, with all faults off; its log, beside the desk’s, says more.
        </Empty>
      </PanelBox>
    </PageBody>
  );
}

/** The practice market beside the desk; `none` once the desk said that it has no such market. `read`: how its first word comes. */
function usePractice(): {
  state: PracticeState | null;
  none: boolean;
  read: Read;
  set: (state: PracticeState) => void;
} {
  const client = useClient();
  const [state, setState] = useState<PracticeState | null>(null);
  const [none, setNone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const open = useCallback(
    async (signal: AbortSignal) => {
      // What fails at the first word fails in the stream, not when it is opened.
      async function* states() {
        try {
          yield* await client.practice.watch(undefined, { signal });
        } catch (fault) {
          if (refusalOf(fault).code !== 'no_practice') {
            if (!signal.aborted) setError(fault);
            throw fault;
          }
          setNone(true);
          yield* silence(signal);
        }
      }
      return states();
    },
    [client],
  );
  useStream(open, setState);
  return {
    state,
    none,
    // A stream that failed is opened again by itself within a second: until then it is on its way.
    read: {
      isPending: state === null && error === null,
      error: state === null ? error : null,
      refetch: () => setError(null),
    },
    set: setState,
  };
}

/** The first pace of takers is one of them: it can be chosen again. */
const SPEEDS = [0, 0.4, 1, 5, 20, 50, 200].map((value) => ({ value, text: value === 0 ? 'none' : `${value}` }));

/** How many firm quotes the takers of a chain ask for in a second. */
function SpeedPanel({ speed, onState }: { speed: number; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const set = useCommand(async (asksPerSecond: number) => onState(await client.practice.speed({ asksPerSecond })));
  return (
    <Panel name="Takers" aside={`${speed} firm requests a second on each chain`}>
      {set.refusal !== null && <RefusalNote refusal={set.refusal} />}
      <div className={styles.speed}>
        <Segmented
          label="Firm requests a second"
          options={SPEEDS}
          value={speed}
          onChoose={(value) => set.run(value)}
          large
          disabled={set.busy}
        />
      </div>
    </Panel>
  );
}

/** What may go wrong on purpose, each with its switch; one that happens once has a button. */
function FaultsPanel(props: { faults: readonly PracticeFault[]; onState: (state: PracticeState) => void }) {
  const client = useClient();
  const turn = useCommand(async (fault: { name: string; on: boolean }) =>
    props.onState(await client.practice.fault(fault)),
  );
  const on = props.faults.filter((fault) => fault.on).length;
  return (
    <Panel name="Faults" aside={on === 0 ? 'none is on' : `${on} on`} className={styles.faults}>
      <Scroll>
        {turn.refusal !== null && <RefusalNote refusal={turn.refusal} />}
        <ul className={checkListStyles.list}>
          {props.faults.map((fault) => (
            <li key={fault.name} className={fault.on ? styles.on : ''}>
              {fault.once ? (
                <Button
                  className={styles.faultOnce}
                  disabled={turn.busy}
                  onClick={() => turn.run({ name: fault.name, on: true })}
                  aria-label={`Once: ${fault.name}`}
                >
                  Once
                </Button>
              ) : (
                <span className={`${styles.faultOnce} center`}>
                  <Switch
                    on={fault.on}
                    aria-label={fault.name}
                    disabled={turn.busy}
                    onClick={() => turn.run({ name: fault.name, on: !fault.on })}
                  />
                </span>
              )}
              <div className="fill">
                <b className="mono">{fault.name}</b>
                {fault.since !== null && (
                  <span className={fault.on ? 'attn' : 'quiet'}>
                    {' '}
                    {fault.on ? 'on for' : 'last'} <Age since={fault.since} />
                    {fault.on ? '' : ' ago'}
                  </span>
                )}
                <p>{fault.says}</p>
              </div>
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  );
}

/** What the other side of the wire thinks of this desk: on a practice desk it can be asked. */
function OtherSidePanel({ service }: { service: readonly PracticeService[] }) {
  return (
    <Panel name="What the practice service thinks" aside="a real one never says" className={styles.service}>
      <Scroll>
        {service.map((chain) => (
          <section key={chain.chainId} className={styles.otherChain} aria-label={chain.name}>
            <h3>
              <Mark shape={chain.enabled ? 'live' : 'halted'} tone={chain.enabled ? 'ok' : 'stop'} />
              {chain.name}
              <span className="muted">
                {chain.enabled ? 'routes to us' : `does not route to us: ${chain.why ?? 'no reason given'}`} for{' '}
                <Age since={chain.since} /> · {chain.mode} checks
              </span>
            </h3>
            <p className="muted">
              {(['tokens', 'pairs', 'prices', 'blacklist'] as const).map((endpoint) => {
                const { at, status, fault } = chain.endpoints[endpoint];
                return (
                  <span key={endpoint} className={styles.polled} title={fault ?? undefined}>
                    {endpoint} {at === null ? 'not yet' : <Age since={at} />}
                    {at !== null && status !== 200 && <b className="attn"> {status ?? 'no answer'}</b>}
                  </span>
                );
              })}
              <span className={styles.polled}>
                WebSocket {chain.socket.connected ? 'open' : 'closed'}, {plural(chain.socket.messages, 'message')}
              </span>
            </p>
            {chain.restrictions.map(({ pairId, until, why }) => (
              <p key={pairId} className="with-mark">
                <Mark shape="look" tone="attn" />
                {pairId} skipped, <Countdown until={until} /> left: {why}
              </p>
            ))}
            {chain.blacklist.length > 0 && (
              <p className="muted">
                {plural(chain.blacklist.length, 'address', 'addresses')} not asked for:{' '}
                {chain.blacklist
                  .slice(0, 4)
                  .map(({ address, from }) => `${shortHex(address)} (${from})`)
                  .join(', ')}
              </p>
            )}
            <p className="muted">{plural(chain.complaints.count, 'complaint')} about our answers</p>
            <ul>
              {chain.complaints.last.slice(-6).map(({ at, sentence }) => (
                <li key={`${at} ${sentence}`}>
                  <span className="quiet">{clockText(at)}</span> {sentence}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Scroll>
    </Panel>
  );
}

type TakersOfChain = PracticeState['takers'][number];

/** What each user of the practice market came to: what they asked for, what they got, and why they did not. */
function TakersPanel({ takers }: { takers: readonly TakersOfChain[] }) {
  return (
    <Panel name="What the takers got" aside="orders since the start" className={styles.takers}>
      <Scroll>
        <Table>
          <thead>
            <tr>
              <th className={styles.habitColumn}>Habit</th>
              {['Asked', 'Quoted', 'Filled', 'Reverted', 'Lost'].map((name) => (
                <th
                  key={name}
                  className={`right ${styles.countColumn} ${name === 'Reverted' ? styles.revertedColumn : ''}`}
                >
                  {name}
                </th>
              ))}
              <th>Refused by code</th>
            </tr>
          </thead>
          {takers.map((chain) => (
            <TakerRows key={chain.chainId} chain={chain} />
          ))}
        </Table>
      </Scroll>
    </Panel>
  );
}

/** What each does with a firm quote. */
const HABITS: Readonly<Record<string, string>> = {
  retail: 'Needs tokens: asks for a little of any pair, and fills what was asked for',
  two_hop: 'Goes over a third token, as no pair has both of theirs',
  arbitrageur: 'Trades only when a price here is stale',
  looker: 'Compares prices, and never fills',
  reverting: 'Fills in transactions that are reverted',
  oversized: 'Wants more than there is of a thin pair, and is refused',
  stray: 'Asks for two tokens that are no pair here, and is refused',
};

function TakerRows({ chain }: { chain: TakersOfChain }) {
  return (
    <tbody>
      <tr data-group="">
        <td colSpan={7} title={chain.waits ?? undefined}>
          <b>{chain.name}</b> {chain.waits ?? `${countText(chain.underWay)} under way`}
        </td>
      </tr>
      {chain.habits.map(({ habit, user, asked, quoted, filled, reverted, lost, refused }) => (
        <tr key={`${habit} ${user}`}>
          <td title={[HABITS[habit], user].filter(Boolean).join('\n')}>
            {habit.replaceAll('_', ' ')}{' '}
            <span className="wide-only">
              <User address={user} copies />
            </span>
          </td>
          <td className="right">{countText(asked)}</td>
          <td className="right">{countText(quoted)}</td>
          <td className="right">{countText(filled)}</td>
          <Rare count={reverted} />
          <Rare count={lost} />
          <td className={styles.refusedCodes}>
            {Object.entries(refused).map(([code, count]) => (
              <span key={code} className="nowrap">
                <span className="mono">{code}</span> <b className="strong">{countText(count)}</b>
              </span>
            ))}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function Rare({ count }: { count: number }) {
  return <td className={`right ${count === 0 ? 'quiet' : 'strong'}`}>{countText(count)}</td>;
}
