import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { FleetPlace } from '../fleet/fleet-place.ts';
import type { FleetServer } from '../fleet/fleet-server.ts';
import { joinFleet } from '../fleet/membership.ts';
import { type FarGrid, SurfaceLink, type SurfaceLinkOptions } from '../fleet/surface-link.ts';
import { takeFolderLock } from '../journal/folder-lock.ts';
import { journalFile } from '../journal/open-database.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import { Opened } from '../protocol/opened.ts';
import { refusalAnswer } from '../quoting/firm-answer.ts';
import type { ServedGrid } from '../quoting/served-grid.ts';
import { openSealedText } from '../signer/sealed-text.ts';
import { SECRETS_FILE } from '../signer/secrets-file.ts';
import { openSurface, type Surface } from '../surface/surface.ts';
import type { SurfaceChain } from '../surface/surface-chain.ts';
import { monotonic } from '../time/monotonic.ts';
import { pause } from '../time/pause.ts';
import { counterpartiesOf } from './credentials.ts';
import type { Log } from './log.ts';
import type { MetricsDoor } from './metrics-door.ts';

export interface FarSurfaceOptions {
  /** A folder of its own: its log is there, and nothing secret. */
  folder: string;
  host: string;
  port: number;
  /** What this surface is called in the fleet. */
  name: string;
  place: FleetPlace;
  server: FleetServer;
  /** Of the surfaces, not of the keystore. */
  passphrase: string;
  /** Where those who watch this surface ask for its figures; without it nowhere. */
  metricsPort?: number | undefined;
  log: Log;
}

export interface FarSurface {
  url: string;
  /** Null where nobody is told. */
  metrics: string | null;
  close(): Promise<void>;
}

/** How long the start waits for a desk that has never said what it serves, milliseconds. */
const DESK_MS = 10_000;
const LOOK_MS = 50;
/** How often it is looked whether the desk is still heard, milliseconds. */
const TICK_MS = 250;

/** A chain of which no desk has said anything yet. */
const NOTHING: ServedGrid = {
  tokens: {},
  pairs: {},
  prices: {},
  blacklist: [],
  closed: 'desk_unseen',
  isKnown: false,
};

/**
 * Opens a surface of a desk that is elsewhere: it judges who asks, serves what the desk serves, and hands firm requests on to it. It has
 * no key and no journal; what it hands over the desk has signed and written down. While it does not hear the desk it serves nothing. Throws
 * DeskError `folder_locked`, `folder_of_desk`, `nothing_served`, `port_taken`, `surface_needs_counterparties` and `wrong_passphrase`.
 */
export async function openFarSurface(options: FarSurfaceOptions): Promise<FarSurface> {
  const { folder, host, port, name, place, server, passphrase, log } = options;
  const opened = new Opened();
  const now = Date.now;
  opened.push(() => server.close());
  try {
    const lock = takeFolderLock(folder);
    opened.push(lock.release);
    if (existsSync(journalFile(folder))) throw folderOfDesk(folder);
    rmSync(join(folder, SECRETS_FILE), { force: true }); // earlier versions were given all of the desk's
    await joinFleet(folder, { fleet: place.url, follows: true, isSurface: true });

    let surface: Surface | null = null;
    let chains: SurfaceChain[] = [];
    let counterparties: ReadonlyMap<string, Counterparty> = new Map();
    const feeds = () => chains.map(({ chainId }) => ({ chainId, open: surface?.webSockets(chainId) ?? 0 }));
    const link = new SurfaceLink({
      server,
      name,
      url: () => surface?.url ?? '',
      version: packageFile.version,
      feeds,
      open: (sealed) => openSealedText(sealed, passphrase),
      now,
      monotonic,
      log,
    });
    opened.push(() => link.close());
    await link.readSwitch();
    await deskOf(link);

    let desk = link.desk();
    const follow = () => {
      desk = link.desk();
      chains = (desk?.chains ?? []).map((chain) => chainOf(chain, link, () => desk?.deadlineMs ?? 0));
      counterparties = counterpartiesOf(desk?.counterparties ?? [], desk?.keys ?? {});
    };
    follow();
    const open = await openSurface({
      host,
      port,
      now,
      monotonic,
      log,
      chains: () => chains,
      counterparties: () => counterparties,
      names: () => desk?.surfaceNames ?? [],
      onHeartbeat: (beat) => link.record(beat),
      onElsewhere: (refused) => link.recordRefusedAddress(refused),
      onEarlierKeys: ({ domain }) => link.recordEarlierUse(domain),
    });
    surface = open;
    opened.push(() => open.close());
    link.onChange(() => {
      if (link.desk() !== desk) follow();
      open.refresh(null);
    });
    if (link.desk() !== desk) follow(); // what came while it was opened
    link.onSaid(({ chainId, line }) => void open.say(chainId, line));

    let wasHeard = link.isHeard;
    const unserved = () => chains.flatMap(({ chainId }) => (link.serves(chainId) ? [] : [chainId])).join(', ');
    let before = unserved();
    const looking = setInterval(() => {
      const [{ isHeard }, now] = [link, unserved()];
      if (isHeard === wasHeard && now === before) return;
      if (isHeard !== wasHeard) log.info(isHeard ? 'the desk is heard' : 'the desk is not heard: nothing is served');
      else if (now === '') log.info('every chain is served again');
      else log.warn('what the desk serves of some chains is not here: nothing of them is served', { chains: now });
      [wasHeard, before] = [isHeard, now];
      open.refresh(null);
    }, TICK_MS);
    opened.push(() => clearInterval(looking));
    const door = options.metricsPort === undefined ? null : await openDoor(options.metricsPort, link, feeds, log);
    if (door !== null) opened.push(door.close);
    log.info('the surface listens', { surface: open.url, fleet: place.url });
    return { url: open.url, metrics: door?.url ?? null, close: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** For those who watch this surface; loaded only here. Throws DeskError `port_taken`. */
async function openDoor(
  port: number,
  link: SurfaceLink,
  feeds: SurfaceLinkOptions['feeds'],
  log: Log,
): Promise<MetricsDoor> {
  const [{ FarMetrics }, { openMetricsDoor }] = await Promise.all([
    import('./far-metrics.ts'),
    import('./metrics-door.ts'),
  ]);
  return openMetricsDoor({ port, metrics: new FarMetrics(link, feeds), log });
}

/** A chain of the desk as this surface serves it. */
function chainOf(
  chain: Pick<SurfaceChain, 'chainId' | 'basePath' | 'feedMaxAgeSeconds'>,
  link: SurfaceLink,
  deadlineMs: () => number,
): SurfaceChain {
  const { chainId } = chain;
  return {
    ...chain,
    served: () => {
      const grid = link.grid(chainId);
      if (grid === null) return NOTHING;
      if (link.switched !== 'on') return closedBy(grid, 'surface_off');
      return link.hasGridOfDesk(chainId) && link.serves(chainId) ? grid : closedBy(grid, 'desk_unseen');
    },
    firm({ body, counterparty, signature, traceparent, receivedMonotonic: came }, respond) {
      if (link.switched === 'off') {
        respond(refusalAnswer('surface_off'));
        return;
      }
      const asked = { chainId, body, counterparty, signature, traceparent };
      link.firm(asked, { came, withinMs: deadlineMs() }, (answer) =>
        respond(answer ?? refusalAnswer(link.serves(chainId) ? 'deadline' : 'desk_unseen')),
      );
    },
  };
}

const closed = new WeakMap<FarGrid, ServedGrid>();

/** What is left of a grid while nothing of it is served for this reason: lists, and no price. */
function closedBy(grid: FarGrid, code: 'surface_off' | 'desk_unseen'): ServedGrid {
  const known = closed.get(grid);
  if (known?.closed === code) return known;
  const made: ServedGrid = { ...grid, prices: {}, closed: code };
  closed.set(grid, made);
  return made;
}

/** Resolves once it is known what the desk serves, by it or from before. Throws DeskError `nothing_served`, `fleet_refused` or `wrong_passphrase`. */
async function deskOf(link: SurfaceLink): Promise<void> {
  for (const begun = performance.now(); link.desk() === null; await pause(LOOK_MS)) {
    link.expectRights();
    if (link.refused !== null) throw wrongPassphrase(link.refused);
    if (performance.now() - begun < DESK_MS) continue;
    throw new DeskError('nothing_served', 'No desk of this fleet has said yet what it serves.', {
      remedy: 'Start the desk first: makerdesk serve --fleet with the same address.',
    });
  }
}

function wrongPassphrase(cause: DeskError): DeskError {
  return new DeskError('wrong_passphrase', 'This is not the passphrase of the surfaces of this desk.', {
    remedy: 'On the machine of the desk, makerdesk fleet passphrase prints it. It is not the one of the keystore.',
    cause,
  });
}

function folderOfDesk(folder: string): DeskError {
  return new DeskError('folder_of_desk', `${folder} has the journal of a desk in it.`, {
    remedy: 'Give the surface a folder of its own: --data FOLDER.',
  });
}
