import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { EntranceView, entranceContract } from '../../electron/contract/entrance.ts';
import { createEmitter } from './emitter.ts';
import { NotConnected } from './no-line.ts';

export type EntranceClient = ContractRouterClient<typeof entranceContract>;

/** The entrance of the desktop app's desk, where the passphrase is given. */
export interface EntranceStore {
  /** What it shows; null while no desk runs. */
  view(): EntranceView | null;
  subscribe(listener: () => void): () => void;
  /** Whether its desk is not open, as far as is known: then the desk itself is not spoken to. */
  isShut(): boolean;
  client: EntranceClient;
  /**
   * Speaks to another entrance from now on; what the one before was asked is still answered by it. `through`: it is open, or it is
   * gone, and the desk's own line says what is.
   */
  follow(port: MessagePort, through: () => void): void;
}

/** A line to an entrance. */
interface EntranceLine {
  readonly port: MessagePort;
  readonly link: RPCLink<Record<never, never>>;
  /** Calls that it has not answered. */
  asked: number;
  /** It has said something, or that it is gone. */
  isHeard: boolean;
}

export function openEntrance(): EntranceStore {
  const { subscribe, emit } = createEmitter();
  let view: EntranceView | null = null;
  let line: EntranceLine | null = null;
  const letGo = (one: EntranceLine) => {
    if (one !== line && one.asked === 0) one.port.close();
  };
  const client: EntranceClient = createORPCClient({
    call: async (path, input, options) => {
      const asked = line;
      if (asked === null) throw new NotConnected();
      asked.asked += 1;
      try {
        return await asked.link.call(path, input, options);
      } finally {
        asked.asked -= 1;
        letGo(asked);
      }
    },
  });
  return {
    view: () => view,
    subscribe,
    isShut: () => (view !== null && view.stage !== 'open') || (line !== null && !line.isHeard),
    client,
    follow: (port, through) => {
      const before = line;
      const mine: EntranceLine = { port, link: new RPCLink({ port }), asked: 0, isHeard: false };
      line = mine;
      if (before !== null) letGo(before);
      let isThrough = false;
      const pass = () => {
        if (isThrough || line !== mine) return;
        isThrough = true;
        through();
      };
      const gone = () => {
        mine.isHeard = true;
        if (line === mine) {
          view = null;
          emit();
        }
        pass();
      };
      port.addEventListener('close', gone);
      port.start();
      const watch = async () => {
        const entrance: EntranceClient = createORPCClient(mine.link);
        for await (const next of await entrance.watch()) {
          if (line !== mine) return;
          mine.isHeard = true;
          view = next;
          emit();
          if (next.stage === 'open') pass();
        }
      };
      watch().then(gone, gone);
    },
  };
}
