import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { DeskError } from '../protocol/desk-error.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import { isLoopback } from '../protocol/loopback.ts';
import { Connections } from './connections.ts';
import { BOUNDS, type Bounds, createHttpServer, listen } from './http-server.ts';
import { type Desk, RouteTable } from './route-table.ts';
import type { SurfaceChain } from './surface-chain.ts';
import type { Beat, SurfaceContext } from './surface-context.ts';

export type SurfaceOptions = Omit<
  SurfaceContext,
  'routes' | 'mustSign' | 'names' | 'connections' | 'onElsewhere' | 'onEarlierKeys'
> & {
  /** See SurfaceContext; none where it is left out. */
  names?: () => readonly string[];
  onElsewhere?: SurfaceContext['onElsewhere'];
  onEarlierKeys?: SurfaceContext['onEarlierKeys'];
  host: string;
  port: number;
  chains: () => readonly SurfaceChain[];
  bounds?: Partial<Bounds>;
};

type Parties = ReturnType<SurfaceContext['counterparties']>;

export type Surface = {
  readonly url: string;
  readonly port: number;
  /** The served grid of a chain has changed, or of all (null); chains and counterparties that have come, gone or changed are noticed too. */
  refresh(chainId: number | null): void;
  /** Tells every consumer of a chain, or of all (null), a line for its log. Returns how many take it. */
  say(chainId: number | null, line: string): number;
  /** How many consumers the feed of a chain has. */
  webSockets(chainId: number): number;
  close(): Promise<void>;
};

/**
 * Opens the market-maker surface of every chain (PROTOCOL 4.3, 5.2, 6). Throws DeskError `surface_needs_counterparties` for
 * a host that others can reach while nobody has to sign, and `port_taken`.
 */
export async function openSurface(options: SurfaceOptions): Promise<Surface> {
  const { host, port } = options;
  const loopback = isLoopback(host);
  if (!loopback && options.counterparties().size === 0) {
    throw new DeskError('surface_needs_counterparties', `The surface will not listen on ${host} unsigned.`, {
      remedy: 'Configure a counterparty in the desk file, or listen on 127.0.0.1.',
    });
  }
  const routes = new RouteTable();
  let chains = options.chains();
  let parties = options.counterparties();
  routes.replace(chains);
  const { counterparties, names = () => [], now, monotonic, log } = options;
  const { onElsewhere = () => {}, onEarlierKeys = () => {} } = options;
  const onHeartbeat = (beat: Beat) => {
    try {
      options.onHeartbeat(beat);
    } catch (error) {
      log.warn('A heartbeat was not taken.', { error: String(error) }); // what listens must not spoil an answer
    }
  };
  const bounds = { ...BOUNDS, ...options.bounds };
  const connections = new Connections(bounds);
  const shared = { routes, connections, mustSign: !loopback };
  const context = { ...shared, counterparties, names, now, monotonic, onHeartbeat, onElsewhere, onEarlierKeys, log };
  const server = createHttpServer(context, bounds);
  await listen(server, host, port);
  server.on('error', (error) => log.warn('A connection could not be accepted.', { error: String(error) }));
  /** Does something for every feed; one that cannot be served takes nothing else with it. */
  const forEachFeed = (serve: (desk: Desk) => void) => {
    for (const desk of routes.desks()) {
      try {
        serve(desk);
      } catch (error) {
        log.warn('A feed could not be served.', { chainId: desk.chain.chainId, error: String(error) });
      }
    }
  };
  const pinging = setInterval(() => forEachFeed(({ feed }) => feed.ping()), bounds.pingMs);
  const resending = setInterval(
    () => forEachFeed(({ chain, feed }) => feed.resend(monotonic(), chain.feedMaxAgeSeconds * 1_000)),
    bounds.resendMs,
  );
  const taken = (server.address() as AddressInfo).port;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    refresh(chainId) {
      const latest = options.chains();
      if (latest !== chains) routes.replace(latest);
      chains = latest;
      const known = options.counterparties();
      for (const domain of changedIn(parties, known)) {
        for (const { feed } of routes.desks()) feed.closeOf(domain, 'Other credentials are in force.');
      }
      parties = known;
      for (const { chain, feed } of routes.desks()) {
        if (chainId === null || chain.chainId === chainId) feed.refresh();
      }
    },
    say(chainId, line) {
      let told = 0;
      for (const { chain, feed } of routes.desks()) {
        if (chainId === null || chain.chainId === chainId) told += feed.say(line);
      }
      return told;
    },
    webSockets: (chainId) => routes.desk(chainId)?.feed.size ?? 0,
    async close() {
      clearInterval(pinging);
      clearInterval(resending);
      server.removeAllListeners('upgrade'); // no feed opens any more
      for (const { feed } of routes.desks()) feed.close('The desk is closing.');
      const closed = new Promise((resolve) => server.close(resolve));
      const cut = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(cut);
    },
  };
}

/**
 * Who has to show anew who they are: those of whom something changed or some keys are not taken any more; null, those who did not sign,
 * once somebody has to. Keys that came beside others change nothing for who came with those.
 */
function changedIn(before: Parties, now: Parties): (string | null)[] {
  if (before === now) return [];
  const changed = [...before].flatMap(([domain, of]) => {
    const after = now.get(domain);
    const stays =
      after !== undefined &&
      isDeepStrictEqual(withoutKeys(of), withoutKeys(after)) &&
      pairsOf(of).every((pair) => pairsOf(after).some((other) => isDeepStrictEqual(pair, other)));
    return stays ? [] : [domain];
  });
  return before.size === 0 && now.size > 0 ? [null] : changed;
}

function withoutKeys({ accessKey: _accessKey, secretKey: _secretKey, earlier: _earlier, ...rest }: Counterparty) {
  return rest;
}

function pairsOf({ accessKey, secretKey, earlier }: Counterparty): { accessKey: string; secretKey: string }[] {
  return [{ accessKey, secretKey }, ...(earlier === undefined ? [] : [earlier])];
}
