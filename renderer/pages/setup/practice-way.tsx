import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useStartPractice } from './use-start-practice.ts';

/** A practice desk has a folder of its own, so that no practice quote ever stands in a real journal. */
export function PracticeWay() {
  const { start, busy, since, said, refusal } = useStartPractice();
  return (
    <Panel name="Practice market" aside="in a folder of its own">
      <div className="setup-text">
        <p>
          A chain, a service that polls and settles, and takers that trade, all on this machine. Nothing of it costs
          money, and its key is made for it.
        </p>
        <p>
          It lives beside this desk, in the folder <b className="mono">practice</b> below its own, so that no practice
          quote ever stands in a real journal. This desk stays as it is.
        </p>
        <button type="button" className="button is-large is-primary" disabled={busy} onClick={start}>
          {busy ? 'Starting the practice market…' : 'Start the practice market'}
        </button>
        {busy && since !== null && <Progress since={since} said={said} />}
        {refusal !== null && <RefusalNote refusal={refusal} />}
        <p className="quiet">
          It opens LIVE, on its self-check. Later <b className="mono">makerdesk practice</b> or{' '}
          <b className="mono">npm start</b> runs one from a terminal.
        </p>
      </div>
    </Panel>
  );
}

function Progress({ since, said }: { since: number; said: string | null }) {
  const now = useDeskNow();
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  return (
    <p className="practice-progress" role="status">
      <b className="strong">{seconds} s</b>, usually under 30 s · {said ?? 'starting the chain and its contracts'}
    </p>
  );
}
