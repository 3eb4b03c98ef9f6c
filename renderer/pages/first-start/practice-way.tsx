import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useDeskNow } from '../../state/clock.ts';
import type { Connection } from '../../state/connection.ts';
import { useConsole } from '../../state/console.tsx';
import { consoleAt } from '../../state/console-address.ts';
import { pagePath } from '../../state/pages.ts';
import type { CommandRefusal } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';

/** A practice desk has a folder of its own, so that no practice quote ever stands in a real journal. */
export function PracticeWay() {
  const { start, busy, since, said, refusal } = useStartPractice();
  return (
    <Panel name="Practice market" aside="in a folder of its own">
      <div className={styles.way}>
        <p>
          A chain, a service that polls and settles, and takers that trade, all on this machine. Nothing of it costs
          money, and its key is made for it.
        </p>
        <p>
          It lives beside this desk, in the folder <b className="mono">practice</b> below its own, so that no practice
          quote ever stands in a real journal. This desk stays as it is.
        </p>
        <Button look="primary" size="large" disabled={busy} onClick={start}>
          {busy ? 'Starting the practice market…' : 'Start the practice market'}
        </Button>
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
    <p role="status">
      <b className="strong">{seconds} s</b>, usually under 30 s · {said ?? 'starting the chain and its contracts'}
    </p>
  );
}

/**
 * Starts a practice desk and goes to its self-check: in a browser at the address it gives, in the desktop app in this
 * window, where it takes the place of the desk that was never set up.
 */
function useStartPractice(): {
  start: () => void;
  busy: boolean;
  /** Unix milliseconds. */
  since: number | null;
  /** What it said last, on its way. */
  said: string | null;
  refusal: CommandRefusal | null;
} {
  const { connection, desk } = useConsole();
  const [, navigate] = useLocation();
  const [since, setSince] = useState<number | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const command = useCommand(async () => {
    const { epoch } = connection.line();
    setSince(desk.now());
    setSaid(null);
    const moved = anotherDesk(connection, epoch);
    try {
      const address = await Promise.race([startedAt(connection, setSaid), moved.here]);
      if (address === null) navigate(pagePath('service'));
      else window.location.assign(consoleAt(address, pagePath('service')));
    } catch (error) {
      // A line that is gone was given up for one to the other desk: the call over it ends with it, and that is no failure.
      const line = connection.line();
      if (line.epoch === epoch && line.state === 'connected') throw error;
      await moved.here;
      navigate(pagePath('service'));
    } finally {
      moved.forget();
    }
  });
  return { start: () => command.run(), busy: command.busy, since, said, refusal: command.refusal };
}

async function startedAt({ client }: Connection, said: (line: string | null) => void): Promise<string | null> {
  for await (const news of await client.practice.start()) {
    if (news.stage === 'ready') return news.console;
    said(news.said);
  }
  return null;
}

/** Resolves when this window has a line to another desk than the one it had in `epoch`. */
function anotherDesk(connection: Connection, epoch: number): { here: Promise<null>; forget(): void } {
  let forget = () => {};
  const here = new Promise<null>((resolve) => {
    forget = connection.subscribe(() => {
      const line = connection.line();
      if (line.epoch !== epoch && line.state === 'connected') resolve(null);
    });
  });
  return { here, forget: () => forget() };
}
