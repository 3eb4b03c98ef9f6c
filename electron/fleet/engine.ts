import { readFileSync } from 'node:fs';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { connect, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node';
import { DeskError } from '../protocol/desk-error.ts';

/** Where the engine is, and which of the desks there this is about. */
export interface FleetPlace {
  /** `nats://host:port` or `tls://host:port`. */
  server: string;
  /** What the desk is called in the engine: its stream and its bucket have this name. */
  desk: string;
  /** A file of credentials: a user's JWT with its seed, or the seed alone; null for an engine that asks for none. */
  credentials: string | null;
}

/** A connection to the engine, with what the desk has in it. It connects again by itself, for as long as it takes. */
export interface Engine {
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bucket: KV;
  readonly names: { stream: string; subject: string };
  close(): Promise<void>;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const CONNECT_MS = 3_000;
const AGAIN_MS = 100;

/**
 * Reads `nats://host:port/desk`; without a name the desk is called `desk`. Throws DeskError `bad_fleet_url`, also where a password
 * stands in it: that goes into a file of credentials.
 */
export function fleetPlace(text: string, credentials: string | null): FleetPlace {
  const url = URL.canParse(text) ? new URL(text) : null;
  const desk = url?.pathname.replace(/^\//, '') || 'desk';
  const isPlace = url !== null && ['nats:', 'tls:'].includes(url.protocol) && url.hostname !== '' && url.search === '';
  if (url === null || !isPlace || !NAME.test(desk)) {
    throw new DeskError('bad_fleet_url', `${text} is no address of a fleet.`, {
      remedy: 'Give nats://HOST:PORT/NAME, or tls:// in its place; the name has small letters, digits and hyphens.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new DeskError('bad_fleet_url', 'The address of a fleet has no password in it: others could read it there.', {
      remedy: 'Put the credentials into a file of your own, and name it with --fleet-credentials.',
    });
  }
  return { server: `${url.protocol}//${url.hostname}:${url.port || '4222'}`, desk, credentials };
}

/**
 * Connects to the engine and finds what the desk has there, making it the first time. Throws DeskError `fleet_unreachable`,
 * `fleet_refused` or `bad_credentials_file`.
 */
export async function openEngine({ server, desk, credentials }: FleetPlace): Promise<Engine> {
  const connection = await connect({
    servers: server,
    name: 'makerdesk',
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN_MS,
    reconnectJitter: AGAIN_MS,
    ...(credentials === null ? {} : { authenticator: authenticatorFrom(credentials) }),
  }).catch((cause: unknown) => {
    throw unreachable(server, cause);
  });
  const names = { stream: `makerdesk_${desk}`, subject: `makerdesk.${desk}.rows` };
  try {
    const manager = await jetstreamManager(connection, { timeout: CONNECT_MS });
    const { stream, subject } = names;
    const isThere = (await manager.streams.names(subject).next()).includes(stream);
    // Whoever runs the engine may have made it with more copies; it is taken as it is.
    if (!isThere) await manager.streams.add({ name: stream, subjects: [subject] });
    const bucket = await new Kvm(jetstream(connection, { timeout: CONNECT_MS })).create(`makerdesk_${desk}`);
    return {
      js: jetstream(connection, { timeout: CONNECT_MS }),
      manager,
      bucket,
      names,
      close: () => connection.close(),
    };
  } catch (cause) {
    await connection.close();
    throw new DeskError('fleet_refused', `The engine at ${server} does not keep the rows of a desk: ${whyOf(cause)}.`, {
      remedy:
        'It needs JetStream, and this user the right to its stream and its bucket. See the guide, “Two machines”.',
      cause,
    });
  }
}

/** What an error of the engine says. */
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

function unreachable(server: string, cause: unknown): DeskError {
  if (cause instanceof DeskError) return cause;
  return new DeskError('fleet_unreachable', `The engine at ${server} does not take the connection: ${whyOf(cause)}.`, {
    remedy: 'See that it runs and that this machine reaches it, then start again.',
    cause,
  });
}
