import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import {
  AuthorizationError,
  connect,
  type NatsConnection,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  type TlsOptions,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { DeskError } from '../protocol/desk-error.ts';
import { authenticatorFrom } from './fleet-credentials.ts';
import type { FleetPlace } from './fleet-place.ts';
import { DESK_KEY } from './surface-messages.ts';

/** A connection to the fleet server, with what the desk has in it. It connects again by itself, for as long as it takes. */
export interface FleetServer {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bucket: KV;
  /** `asked`, `inbox`: what the subjects begin with over which desk and surfaces speak, and at which each is answered. */
  readonly names: { stream: string; subject: string; bucket: string; asked: string; inbox: string };
  close(): Promise<void>;
}

/**
 * Who connects. The fleet server gives each of them other rights, so each is answered at subjects of its own; only a desk makes what is
 * not there yet.
 */
export type FleetRole = 'desk' | 'operator' | `surface.${string}`;

export interface FleetAccess {
  role?: FleetRole;
  /** A file with the certificates of authorities: with it, these are believed and no others. */
  authority?: string | null;
}

const CONNECT_MS = 3_000;
const AGAIN_MS = 100;
/** A line that is gone without a word is found out within three of these. Milliseconds. */
const PING_MS = 2_000;

/**
 * Connects to the fleet server and finds what the desk has there; a desk makes it the first time. `credentials`: a file with a user's JWT
 * and its seed, or the seed alone; null where the server asks for none. Throws DeskError `fleet_unreachable`, `fleet_denied`,
 * `fleet_tls`, `fleet_refused`, `fleet_empty`, `bad_credentials_file` or `bad_authority_file`.
 */
export async function openFleetServer(
  place: FleetPlace,
  credentials: string | null,
  { role = 'desk', authority = null }: FleetAccess = {},
): Promise<FleetServer> {
  const { address, desk } = place;
  const names = {
    stream: `makerdesk_${desk}`,
    subject: `makerdesk.${desk}.rows`,
    bucket: `makerdesk_${desk}`,
    asked: `makerdesk.${desk}.surfaces`,
    inbox: `makerdesk.${desk}.inbox`,
  };
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
    reconnectJitterTLS: AGAIN_MS,
    inboxPrefix: `${names.inbox}.${role}`,
    authenticator: credentials === null ? undefined : authenticatorFrom(credentials),
    tls: address.startsWith('tls:') ? tlsOf(address, authority) : undefined,
  }).catch((cause: unknown) => {
    throw notConnected(address, cause, credentials);
  });
  try {
    if (!address.startsWith('tls:') && connection.info?.tls_required) throw wantsTls(address, null);
    const manager = await jetstreamManager(connection, { timeout: CONNECT_MS, checkAPI: false });
    const js = jetstream(connection, { timeout: CONNECT_MS, checkAPI: false });
    const open = role === 'desk' ? makeBucket : findBucket;
    const bucket = await open({ js, manager, names, place });
    return { connection, js, manager, bucket, names, close: () => connection.close() };
  } catch (cause) {
    await connection.close();
    const refused = rightsError(cause);
    if (refused instanceof DeskError) throw refused;
    throw new DeskError(
      'fleet_refused',
      `The fleet server at ${address} does not keep the rows of a desk: ${whyOf(cause)}.`,
      {
        remedy: 'It needs JetStream, and its user the rights that the guide names: “A fleet server for money”.',
        cause,
      },
    );
  }
}

type Opening = Pick<FleetServer, 'js' | 'manager' | 'names'> & { place: FleetPlace };

async function makeBucket({ js, manager, names }: Opening): Promise<KV> {
  const { stream: name, subject } = names;
  // Whoever runs the fleet server may have made it with more copies; it is taken as it is.
  await manager.streams.info(name).catch(async (error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    await manager.streams.add({ name, subjects: [subject] });
  });
  return new Kvm(js).create(names.bucket);
}

/** Throws DeskError `fleet_empty` where no desk has made one. */
async function findBucket({ js, names, place }: Opening): Promise<KV> {
  const bucket = await new Kvm(js).open(names.bucket, { allow_direct: true });
  try {
    await bucket.get(DESK_KEY);
    return bucket;
  } catch (cause) {
    // A server that does not have it answers nothing at all.
    const isNobody = cause instanceof RequestError && cause.isNoResponders();
    if (!isNobody && !(cause instanceof TimeoutError)) throw cause;
    throw new DeskError('fleet_empty', `The fleet server at ${place.address} has no desk called ${place.desk}.`, {
      remedy:
        'See whether the address and the name at its end are right, and JetStream is on there; the desk itself has to be started first.',
      cause,
    });
  }
}

/** Calls the listener once for each right that the fleet server refuses this user, as long as the connection is there. */
export function onRefusedRight({ connection }: Pick<FleetServer, 'connection'>, listener: (why: Error) => void): void {
  const told = new Set<string>();
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      if (!told.has(`${operation} ${subject}`)) listener(status.error);
      told.add(`${operation} ${subject}`);
    }
  })();
}

/** What a refusal of a right says to whoever asked for something; anything else is returned as it is. */
export function rightsError(cause: unknown): unknown {
  const refused = cause instanceof RequestError ? cause.cause : cause;
  if (!(refused instanceof PermissionViolationError)) return cause;
  const { operation, subject } = refused;
  return new DeskError(
    'fleet_refused',
    `The fleet server does not let this user ${operation === 'publish' ? 'write to' : 'listen on'} ${subject}.`,
    { remedy: 'Give the user the rights that the guide names: “A fleet server for money”.', cause },
  );
}

/** What an error of the fleet server says. */
export function whyOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The certificate is judged by the name in the address, an IP address included: each server of a cluster has to have it. */
function tlsOf(address: string, authority: string | null): TlsOptions {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const judged: TlsOptions & { checkServerIdentity: typeof checkServerIdentity } = {
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
  if (authority !== null) judged.ca = authorityFrom(authority);
  return judged;
}

function authorityFrom(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (cause) {
    throw new DeskError('bad_authority_file', `${file} has no certificate of an authority: ${whyOf(cause)}.`, {
      remedy: 'Give a PEM file: it begins with -----BEGIN CERTIFICATE-----.',
      cause,
    });
  }
}

function notConnected(address: string, cause: unknown, credentials: string | null): DeskError {
  if (cause instanceof DeskError) return cause;
  const isTls = address.startsWith('tls:');
  if (cause instanceof AuthorizationError || cause instanceof UserAuthenticationExpiredError) {
    return new DeskError('fleet_denied', `The fleet server at ${address} does not take this user: ${whyOf(cause)}.`, {
      remedy:
        credentials === null
          ? 'Name the file of its credentials: --fleet-credentials FILE.'
          : `See that ${credentials} is of a user of this server, and has not expired.`,
      cause,
    });
  }
  if (isTls && whyOf(cause).includes("does not support 'tls'")) {
    return new DeskError('fleet_tls', `The fleet server at ${address} has no TLS: nothing was sent to it.`, {
      remedy:
        'Give it a certificate. Only where nobody else reaches the network between, give nats:// in place of tls://.',
      cause,
    });
  }
  if (isOfTls(cause)) {
    if (!isTls) return wantsTls(address, cause);
    return new DeskError(
      'fleet_tls',
      `The certificate of the fleet server at ${address} is not taken: ${whyOf(cause)}.`,
      {
        remedy:
          'It has to be for the name in the address, and valid now. Where an authority of your own made it: --fleet-ca FILE.',
        cause,
      },
    );
  }
  return new DeskError(
    'fleet_unreachable',
    `The fleet server at ${address} does not take the connection: ${whyOf(cause)}.`,
    {
      remedy: 'See that it runs and that this machine reaches it, then start again.',
      cause,
    },
  );
}

/** Whether a connection was not made because of its TLS, by what Node and OpenSSL call that. */
function isOfTls(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /CERT|SIGNATURE|ISSUER|_TLS_|_SSL_|^EPROTO$/.test(code);
}

function wantsTls(address: string, cause: unknown): DeskError {
  return new DeskError('fleet_tls', `The fleet server at ${address} takes connections with TLS alone.`, {
    remedy: 'Give tls:// in place of nats://, and where an authority of your own made its certificate --fleet-ca FILE.',
    cause,
  });
}
