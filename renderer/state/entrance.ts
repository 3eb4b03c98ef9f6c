import { createORPCClient, DynamicLink } from '@orpc/client';
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
  /** Whether its desk is not open yet: then the desk itself is not spoken to. */
  isShut(): boolean;
  client: EntranceClient;
  /** Speaks to another entrance from now on. `through`: it is open, or it is gone, and the desk's own line says what is. */
  follow(port: MessagePort, through: () => void): void;
}

export function openEntrance(): EntranceStore {
  const { subscribe, emit } = createEmitter();
  let view: EntranceView | null = null;
  let link: RPCLink<Record<never, never>> | null = null;
  let before: MessagePort | null = null;
  const client: EntranceClient = createORPCClient(
    new DynamicLink(() => {
      if (link === null) throw new NotConnected();
      return link;
    }),
  );
  return {
    view: () => view,
    subscribe,
    isShut: () => view !== null && view.stage !== 'open',
    client,
    follow: (port, through) => {
      before?.close();
      before = port;
      const mine = new RPCLink<Record<never, never>>({ port });
      link = mine;
      let isThrough = false;
      const pass = () => {
        if (isThrough || link !== mine) return;
        isThrough = true;
        through();
      };
      const gone = () => {
        if (link === mine) {
          view = null;
          emit();
        }
        pass();
      };
      port.addEventListener('close', gone);
      port.start();
      const watch = async () => {
        for await (const next of await client.watch()) {
          if (link !== mine) return;
          view = next;
          emit();
          if (next.stage === 'open') pass();
        }
      };
      watch().then(gone, gone);
    },
  };
}
