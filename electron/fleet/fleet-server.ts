import { readFileSync } from 'node:fs';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, credsAuthenticator, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { DeskError } from '../protocol/desk-error.ts';
import type { FleetPlace } from './fleet-place.ts';

/** A connection to the fleet server, with what the desk has in it. It connects again by itself, for as long as it takes. */
export interface FleetServer {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bucket: KV;
  /** `asked`: what the subjects begin with over which desk and surfaces speak. */
  readonly names: { stream: string; subject: string; bucket: string; asked: string };
  close(): Promise<void>;
}

const CONNECT_MS = 3_000;
const AGAIN_MS = 100;
/** A line that is gone without a word is found out within three of these. Milliseconds. */
const PING_MS = 2_000;

/**
 * Connects to the fleet server and finds what the desk has there, making it the first time. `credentials`: a file with a user's JWT and
 * its seed, or the seed alone; null where the server asks for none. Throws DeskError `fleet_unreachable`,
 * `fleet_refused` or `bad_credentials_file`.
 */
export async function openFleetServer({ address, desk }: FleetPlace, credentials: string | null): Promise<FleetServer> {
  const connection = await connect({
    servers: address,
    name: 'makerdesk',
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    // A server that reads its users anew refuses everybody for a moment.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_MS,
    maxPingOut: 2,
    reconnectTimeWait: AGAIN_MS,
    reconnectJitter: AGAIN_MS,
    ...(credentials === null ? {} : { authenticator: authenticatorFrom(credentials) }),
  }).catch((cause: unknown) => {
    throw unreachable(address, cause);
  });
  const names = {
    stream: `makerdesk_${desk}`,
    subject: `makerdesk.${desk}.rows`,
    bucket: `makerdesk_${desk}`,
    asked: `makerdesk.${desk}.surfaces`,
  };
  try {
    const manager = await jetstreamManager(connection, { timeout: CONNECT_MS });
    const { stream, subject } = names;
    const isThere = (await manager.streams.names(subject).next()).includes(stream);
    // Whoever runs the fleet server may have made it with more copies; it is taken as it is.
    if (!isThere) await manager.streams.add({ name: stream, subjects: [subject] });
    const bucket = await new Kvm(jetstream(connection, { timeout: CONNECT_MS })).create(names.bucket);
    return {
      connection,
      js: jetstream(connection, { timeout: CONNECT_MS }),
      manager,
      bucket,
      names,
      close: () => connection.close(),
    };
  } catch (cause) {
    await connection.close();
    throw new DeskError(
      'fleet_refused',
      `The fleet server at ${address} does not keep the rows of a desk: ${whyOf(cause)}.`,
      {
        remedy:
          'It needs JetStream, and this user the right to its stream and its bucket. See the guide, “A desk on two machines”.',
        cause,
      },
    );
  }
}

/** What an error of the fleet server says. */
export function whyOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function authenticatorFrom(file: string) {
  let text: Buffer;
  try {
    text = readFileSync(file);
  } catch (cause) {
    throw new DeskError('bad_credentials_file', `The file of credentials ${file} cannot be read.`, { cause });
  }
  const seed = text.toString('utf8').trim();
  if (/^SU[A-Z2-7]+$/.test(seed)) return nkeyAuthenticator(Buffer.from(seed));
  if (seed.includes('BEGIN NATS USER JWT')) return credsAuthenticator(text);
  throw new DeskError('bad_credentials_file', `${file} has neither a user's JWT with its seed nor a seed.`, {
    remedy: 'Give the .creds file of the user, or a file with its NKey seed.',
  });
}

function unreachable(address: string, cause: unknown): DeskError {
  if (cause instanceof DeskError) return cause;
  return new DeskError(
    'fleet_unreachable',
    `The fleet server at ${address} does not take the connection: ${whyOf(cause)}.`,
    {
      remedy: 'See that it runs and that this machine reaches it, then start again.',
      cause,
    },
  );
}
