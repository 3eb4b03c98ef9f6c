import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ChainConfig, deskFileSchema } from '../contract/desk-file.ts';
import { readDeskFile } from '../contract/desk-file-text.ts';
import type { DeskSettings } from '../contract/desk-settings.ts';
import type { MarketReady } from '../contract/market-channel.ts';
import type { DeskReady } from '../contract/process-messages.ts';
import { fleetPlace } from '../fleet/fleet-place.ts';
import { leaveFleet } from '../fleet/membership.ts';
import { takeFolderLock } from '../journal/folder-lock.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { surfacesPassphrase } from '../signer/surfaces-passphrase.ts';
import { type Desk, openDesk } from './desk.ts';
import { makeDeskFolder } from './folder.ts';
import { openFolderClient } from './folder-client.ts';
import { storeHeldKey } from './held-key.ts';
import type { Log, LogForm } from './log.ts';
import { MarketProcess } from './market-process.ts';
import { isPractice, practicePassphrase } from './practice-passphrase.ts';
import { takeSeat } from './take-seat.ts';

const DEFAULT_SEED = 1;
/** What the desk is called in the fleet of a practice market. */
const FLEET_NAME = 'desk';

/**
 * Starts the practice market in a process of its own and opens a desk beside it; the two meet on the wire only. The first time
 * in a folder the desk gets the market's key and desk file and starts LIVE. Later the trader's own changes stay, and only what
 * the market alone knows (ports, addresses) is brought up to date. Throws DeskError `no_practice` in the folder of a real desk, of
 * which nothing is changed.
 */
export async function openPracticeDesk(options: {
  settings: DeskSettings & {
    surfaceHost: string;
    surfacePort: number;
    consoleUrls?: readonly URL[];
    practice: NonNullable<DeskSettings['practice']>;
  };
  passphrase: string | undefined;
  actor: string;
  log: Log;
  /** How the market writes to stderr, as the desk does. */
  logForm: LogForm;
}): Promise<Desk & { ready: DeskReady }> {
  const { settings, actor, log, logForm } = options;
  const { folder, practice } = settings;
  expectNoRealDesk(folder);
  makeDeskFolder(folder);
  const { rpcPort, servicePort, takers, speed, mode, forgiveSeconds, surfaces } = practice;
  const seed = practice.seed ?? DEFAULT_SEED;
  const pace = takers ? speed : 0;
  const fleet = surfaces === undefined ? undefined : { surfaces, port: 0 };
  const start = { folder, logForm, rpcPorts: [rpcPort], servicePort, seed, speed: pace, mode, forgiveSeconds, fleet };
  const market = await MarketProcess.open(start, log);
  let desk: Desk | null = null;
  try {
    const passphrase = await practicePassphrase(folder, options.passphrase, log);
    await prepareFolder(folder, passphrase, market.ready, actor);
    const { serviceUrl, rpcUrls, fleetUrl } = market.ready;
    const seat =
      fleetUrl === null
        ? undefined
        : await takeSeat(fleetPlace(fleetUrl), { credentials: null, authority: null }, FLEET_NAME);
    desk = await openDesk({ ...settings, passphrase, actor, log, practiceControl: market, fleet: seat });
    const { ready, close } = desk;
    const elsewhere = fleetUrl === null ? null : await market.startSurfaces(await surfacesPassphrase(passphrase));
    await market.startTrading(elsewhere ?? [ready.surface]);
    return {
      ...desk,
      ready: {
        ...ready,
        service: serviceUrl,
        rpc: rpcUrls[0],
        ...(fleetUrl !== null && elsewhere !== null && { fleet: fleetUrl, surfaces: elsewhere }),
      },
      async close() {
        await market.stopTrading();
        await close();
        await market.close();
      },
    };
  } catch (error) {
    await desk?.close();
    await market.close();
    throw error;
  }
}

/** What a real desk has in its folder: one of them is enough. */
const OF_A_DESK = ['journal.db', 'keystore.json', 'secrets.json', 'fleet.json'];

function expectNoRealDesk(folder: string): void {
  if (isPractice(folder)) return;
  if (OF_A_DESK.some((name) => existsSync(join(folder, name)))) throw realDesk(folder);
}

function realDesk(folder: string): DeskError {
  return new DeskError('no_practice', `The desk in ${folder} is a real one: nobody practises there.`, {
    remedy: 'Name another folder with --data, or none: a practice desk has one of its own.',
  });
}

/** Gives the folder the market's key and desk file, as far as it does not have them. Throws DeskError `no_practice` where it has another key. */
async function prepareFolder(folder: string, passphrase: string, market: MarketReady, actor: string): Promise<void> {
  const lock = takeFolderLock(folder);
  try {
    if (!(await storeHeldKey(folder, passphrase, market.makerPrivateKey))) throw realDesk(folder);
    leaveFleet(folder); // this process alone decides whether the practice desk is one of a fleet, each time anew
  } finally {
    lock.release();
  }
  const { desk, close } = await openFolderClient(folder, actor, async () => passphrase, { isProgram: true });
  try {
    const before = await readDeskFile(await desk.desk.export({ withSecrets: true }));
    const wanted = deskFileSchema.parse(market.deskFile);
    if (before.chains.length === 0) {
      await desk.desk.import({ desk: wanted });
      await desk.trading.resume({ scope: {}, reason: 'a new practice desk' });
      return;
    }
    const kept = before.chains.map((known) => {
      const chain = wanted.chains.find(({ chainId }) => chainId === known.chainId);
      return chain === undefined ? known : moved(known, chain);
    });
    const added = wanted.chains.filter(({ chainId }) => !before.chains.some((known) => known.chainId === chainId));
    const after = { ...before, chains: [...kept, ...added] };
    if (isDeepStrictEqual(after, before)) return;
    const { state } = await desk.trading.status();
    await desk.desk.import({ desk: after });
    // The market has deployed anew, which halts a LIVE desk as any other change would: it is the one who knows why.
    const halted = state === 'LIVE' && (await desk.trading.status()).state !== 'LIVE';
    if (halted) await desk.trading.resume({ scope: {}, reason: 'the practice market was set up anew' });
  } finally {
    await close();
  }
}

/** A chain as the desk has it, with the ports and addresses of the market. A reference that was taken off stays off. */
function moved(known: ChainConfig, market: ChainConfig): ChainConfig {
  const { rpcUrl, serviceUrl, rfqContract, maker, signer, takers } = market;
  const referenceUrl = known.referenceUrl && market.referenceUrl;
  const tokens = withAddresses(known.tokens, market.tokens);
  return { ...known, rpcUrl, serviceUrl, referenceUrl, rfqContract, maker, signer, takers, tokens };
}

/** The tokens as the desk has them, at the addresses the market deployed them to. */
function withAddresses(tokens: ChainConfig['tokens'], deployed: ChainConfig['tokens']): ChainConfig['tokens'] {
  const entries = Object.entries(tokens).map(
    ([id, token]) => [id, { ...token, address: deployed[id]?.address ?? token.address }] as const,
  );
  return Object.fromEntries(entries);
}
