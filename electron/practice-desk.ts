import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { deskFileSchema } from './contract/desk-file.ts';
import type { DeskSettings } from './contract/desk-settings.ts';
import type { DeskReady } from './contract/process-messages.ts';
import { type Desk, openDesk } from './desk/desk.ts';
import { makeDeskFolder } from './desk/folder.ts';
import { openFolderClient } from './desk/folder-client.ts';
import { storeHeldKey } from './desk/held-key.ts';
import type { Log } from './desk/log.ts';
import { openPracticeMarket, type PracticeMarket } from './practice/market.ts';

/** Practice keys are worth nothing, so their passphrase is no secret. */
const PRACTICE_PASSPHRASE = 'practice';
const DEFAULT_SEED = 1;

/**
 * Opens the practice market and puts a desk beside it; the two meet on the wire only. The first time in a folder the desk
 * gets the market's key and desk file and starts LIVE. Later the trader's own changes stay, and only what the market
 * alone knows (ports, addresses) is brought up to date.
 */
export async function openPracticeDesk(options: {
  settings: DeskSettings & { practice: NonNullable<DeskSettings['practice']> };
  passphrase: string | undefined;
  actor: string;
  log: Log;
}): Promise<Desk & { ready: DeskReady }> {
  const { settings, actor, log } = options;
  const { folder, practice } = settings;
  makeDeskFolder(folder);
  const market = await openPracticeMarket({
    folder: join(folder, 'market'),
    rpcPort: practice.rpcPort,
    servicePort: practice.servicePort,
    seed: practice.seed ?? DEFAULT_SEED,
    now: Date.now,
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
  });
  try {
    const passphrase = options.passphrase || PRACTICE_PASSPHRASE;
    await prepareFolder(folder, passphrase, market, actor);
    const desk = await openDesk({ ...settings, passphrase, actor, log });
    if (practice.takers) market.startTakers({ surfaceUrl: desk.ready.surface });
    return {
      ...desk,
      ready: { ...desk.ready, service: market.serviceUrl, rpc: market.rpcUrl },
      async close() {
        await market.stopTakers();
        await desk.close();
        await market.close();
      },
    };
  } catch (error) {
    await market.close();
    throw error;
  }
}

/** Gives the folder the market's key and desk file, as far as it does not have them. */
async function prepareFolder(folder: string, passphrase: string, market: PracticeMarket, actor: string): Promise<void> {
  await storeHeldKey(folder, passphrase, market.makerPrivateKey);
  const { desk, close } = await openFolderClient(folder, actor, async () => passphrase);
  try {
    const before = await desk.desk.export({ withSecrets: true });
    const [known] = before.chains;
    const wanted = deskFileSchema.parse(market.deskFile);
    if (known === undefined) {
      await desk.desk.import({ desk: wanted });
      await desk.trading.resume({ scope: {}, reason: 'a new practice desk' });
      return;
    }
    const [chain] = wanted.chains;
    if (chain === undefined) return;
    const { rpcUrl, serviceUrl, rfqContract, maker, signer, takers } = chain;
    const moved = {
      ...known,
      rpcUrl,
      serviceUrl,
      rfqContract,
      maker,
      signer,
      takers,
      tokens: withAddresses(known.tokens, chain.tokens),
    };
    const after = { ...before, chains: [moved, ...before.chains.slice(1)] };
    if (!isDeepStrictEqual(after, before)) await desk.desk.import({ desk: after });
  } finally {
    await close();
  }
}

type Tokens = ReturnType<typeof deskFileSchema.parse>['chains'][number]['tokens'];

/** The tokens as the desk has them, at the addresses the market deployed them to. */
function withAddresses(tokens: Tokens, deployed: Tokens): Tokens {
  const entries = Object.entries(tokens).map(
    ([id, token]) => [id, { ...token, address: deployed[id]?.address ?? token.address }] as const,
  );
  return Object.fromEntries(entries);
}
