import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { MessageChannelMain, type MessagePortMain } from 'electron';
import type { consoleContract } from '../contract/console-contract.ts';
import { tellWhatIsRead } from '../contract/console-port.ts';

export type DeskClient = ContractRouterClient<typeof consoleContract>;

/** The app's own line to the desk: halt, tray and quit work without any window. */
export function openDeskClient(connect: (port: MessagePortMain) => void): DeskClient {
  const { port1, port2 } = new MessageChannelMain();
  connect(port2);
  const client: DeskClient = createORPCClient(new RPCLink({ port: port1 }));
  tellWhatIsRead((heard) => port1.on('message', heard), port1);
  port1.start();
  return client;
}
