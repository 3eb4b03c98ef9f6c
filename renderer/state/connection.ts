import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { consoleContract } from '../../electron/contract/console-contract.ts';
import { createEmitter } from './emitter.ts';
import { sendNamed } from './named-commands.ts';
import { NotConnected } from './no-line.ts';
import type { ConsoleLink, Transport } from './transport.ts';

export type ConsoleClient = ContractRouterClient<typeof consoleContract>;

/**
 * The line to the desk. It is `connected` only once the desk itself has spoken on it: a port or a socket that is open says
 * nothing of the process behind it. `open`: calls can be sent. `epoch` counts the lines so far, `heardAt` is when the desk
 * last said anything; Unix ms.
 */
export interface Line {
  state: 'connecting' | 'connected' | 'lost';
  open: boolean;
  epoch: number;
  heardAt: number | null;
  record: string | null;
  why: string | null;
}

export interface Connection {
  /** Calls go over whatever line is there; without one they throw NotConnected. */
  client: ConsoleClient;
  line(): Line;
  subscribe(listener: () => void): () => void;
  /** The desk said something on this line, perhaps also in which record its commands stand. */
  heard(epoch: number, record?: string): void;
  /** Gives this line up, if it still is the one; a new one is tried. */
  drop(epoch: number, why: string): void;
}

const RETRY_MS = [250, 500, 1_000, 2_000];

/** Opens a line and keeps opening one for as long as the page lives. */
export function openConnection(transport: Transport, now: () => number = Date.now): Connection {
  const { subscribe, emit } = createEmitter();
  let line: Line = { state: 'connecting', open: false, epoch: 0, heardAt: null, record: null, why: null };
  let link: ConsoleLink | null = null;
  let giveUp: (why: string) => void = () => {};
  let failures = 0;

  const set = (next: Partial<Line>) => {
    line = { ...line, ...next };
    emit();
  };
  const open = () => {
    const epoch = line.epoch + 1;
    line = { ...line, epoch };
    let close: () => void = () => {};
    let over = false;
    giveUp = (why) => {
      if (over) return;
      over = true;
      link = null;
      setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
      set({ state: 'lost', open: false, why });
      close();
    };
    close = transport({
      ready: (opened) => {
        if (over) return;
        link = opened;
        set({ open: true });
      },
      lost: giveUp,
    });
  };

  const lines = {
    now: () => {
      const { epoch, open: isOpen, state, record } = line;
      const isHeard = state === 'connected';
      // Of a line on which the desk has not spoken nobody knows in which record its commands stand.
      return { epoch, isOpen, isHeard, record: isHeard ? record : null };
    },
    subscribe,
  };
  const client: ConsoleClient = createORPCClient({
    call: (path, input, options) =>
      sendNamed(
        path,
        async (context) => {
          if (link === null) throw new NotConnected();
          return link.call(path, input, { ...options, context });
        },
        lines,
      ),
  });
  open();
  return {
    client,
    line: () => line,
    subscribe,
    heard: (epoch, said) => {
      if (epoch !== line.epoch || !line.open) return;
      failures = 0;
      const heardAt = now();
      if (line.state !== 'connected') set({ state: 'connected', heardAt, record: said ?? null, why: null });
      else if (said !== undefined && said !== line.record) set({ heardAt, record: said });
      else line = { ...line, heardAt };
    },
    drop: (epoch, why) => {
      if (epoch === line.epoch) giveUp(why);
    },
  };
}
