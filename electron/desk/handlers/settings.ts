import { randomBytes } from 'node:crypto';
import type { ChainBook } from '../../book/chain-book.ts';
import { expectSeen } from '../../book/changed-meanwhile.ts';
import { checkChain } from '../../chain/check-chain.ts';
import type { CounterpartyConfig, DeskFile } from '../../contract/desk-file.ts';
import { LEAST_PASSPHRASE } from '../../contract/passphrase.ts';
import type { SurfacePlace } from '../../contract/surface-place.ts';
import type { DeskSet } from '../../journal/book/events.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { keyProbe } from '../../protocol/key-probe.ts';
import { createKeystore } from '../../signer/keystore.ts';
import { openRemoteSigner } from '../../signer/remote/remote-signer.ts';
import type { EarlierKeys, Passphrase } from '../credentials.ts';
import type { HeldSigner } from '../held-signer.ts';
import { replaceConfiguration } from '../replace-configuration.ts';
import type { Rooms } from '../rooms.ts';
import { shownOutcome } from '../self-check.ts';
import { serviceUrlOf } from '../services.ts';
import { setChain, setCounterparties, setDesk } from '../set-settings.ts';
import { isSetByItself, withoutChain, withSavedChain, withSavedParty } from '../settings-edits.ts';
import { os } from './base.ts';

/** A node that is only tried is not waited for as long as one the desk depends on. */
const TRY_MS = 4_000;

/** Makes a surface listen elsewhere, and gives its URL. */
export type SurfaceMover = (place: SurfacePlace) => Promise<string>;

/**
 * Chains, counterparties and the key. On a desk that runs, a known chain, who may ask and what concerns the whole desk are set by
 * themselves; anything else is an edit of the whole desk file.
 */
export function settingsHandlers(
  rooms: Rooms,
  passphrase: Passphrase,
  signer: HeldSigner | null,
  running: boolean,
  moveSurface?: SurfaceMover,
) {
  const { book, journal, credentials, folder, now } = rooms;
  const change = (actor: string, edit: (desk: DeskFile) => unknown) =>
    replaceConfiguration(rooms, { edit, actor, running });
  const counts = () => {
    const chains = book.chains();
    return { chains: chains.length, pairs: chains.reduce((sum, { pairs }) => sum + pairs.size, 0) };
  };
  /** A desk that was never configured has nothing yet in which they could be set. */
  const isSetByThemselves = () => running && book.desk().configured;
  const changeDesk = async (actor: string, settings: DeskSet, refuse: () => void = () => {}) => {
    if (isSetByThemselves()) {
      await setDesk(rooms, settings, { actor, refuse });
      return counts();
    }
    return change(actor, (desk) => {
      refuse();
      return Object.fromEntries(Object.entries({ ...desk, ...settings }).filter(([, value]) => value !== null));
    });
  };
  const changeParties = async (
    actor: string,
    edit: (known: readonly CounterpartyConfig[]) => CounterpartyConfig[],
    earlier: EarlierKeys | null = null,
  ) => {
    if (!isSetByThemselves()) {
      if (earlier !== null) {
        throw new DeskError('no_running_desk', 'Earlier keys are kept and ended only by a desk that runs.', {
          remedy: 'Start it, or set the new keys alone: then they are the only ones.',
        });
      }
      return change(actor, (desk) => ({ ...desk, counterparties: edit(desk.counterparties) }));
    }
    await setCounterparties(rooms, { actor, edit, earlier });
    return counts();
  };
  return {
    get: os.settings.get.handler(() => {
      const counterparties = book.desk().counterparties.map((counterparty) => ({ ...counterparty }));
      const chains = book.chains().map(({ config, tokens, pairs }) => ({
        ...config,
        tokenIds: [...tokens.keys()],
        pairs: pairs.size,
      }));
      return {
        desk: { chains, counterparties, surfaceNames: [...book.desk().surfaceNames] },
        folder,
        signer: signer?.said() ?? { address: null, why: 'The desk does not run.', locked: false },
        lockAfterMinutes: book.desk().lockAfterMinutes,
        remoteSigner: book.desk().remoteSigner,
        secrets: counterparties.map(({ domain }) => ({ domain, fingerprint: credentials.fingerprintOf(domain) })),
        earlierKeys: counterparties.flatMap(({ domain }) => {
          const print = credentials.earlierFingerprintOf(domain);
          const lastUsed = rooms.earlierUses.get(domain) ?? null;
          return print === null ? [] : [{ domain, fingerprint: print, lastUsed }];
        }),
        refusedAddresses: rooms.refusedAddresses.list(),
        services: servicesOf(book.chains(), credentials.serviceKeyPrints()),
      };
    }),
    saveChain: os.settings.saveChain.handler(async ({ input, context: { actor } }) => {
      const { chain } = input;
      const { chainId } = chain;
      const edit = withSavedChain(book, input);
      if (!running || !isSetByItself(book, chain)) return change(actor, edit);
      await setChain(rooms, chainId, { actor, edit });
      return counts();
    }),
    removeChain: os.settings.removeChain.handler(({ input, context }) =>
      change(context.actor, withoutChain(input.chainId)),
    ),
    saveCounterparty: os.settings.saveCounterparty.handler(async ({ input, context }) => {
      const { domain } = input.counterparty;
      const { earlierKeys: keys } = input;
      const earlier = keys === undefined ? null : { domain, keys };
      const changed = await changeParties(context.actor, withSavedParty(input), earlier);
      if (keys !== undefined) rooms.earlierUses.delete(domain);
      return changed;
    }),
    removeCounterparty: os.settings.removeCounterparty.handler(({ input, context }) =>
      changeParties(context.actor, (known) => known.filter(({ domain }) => domain !== input.domain)),
    ),
    saveSurfaceNames: os.settings.saveSurfaceNames.handler(({ input: { surfaceNames, seen }, context }) =>
      changeDesk(context.actor, { surfaceNames }, () => {
        const now = { surfaceNames: [...book.desk().surfaceNames] };
        expectSeen('The list of host names', { seen: seen && { surfaceNames: seen }, now, by: null });
      }),
    ),
    saveLockAfter: os.settings.saveLockAfter.handler(({ input: { minutes }, context }) =>
      changeDesk(context.actor, { lockAfterMinutes: minutes }),
    ),
    saveRemoteSigner: os.settings.saveRemoteSigner.handler(({ input: { remoteSigner }, context }) =>
      changeDesk(context.actor, { remoteSigner }),
    ),
    tryRemoteSigner: os.settings.tryRemoteSigner.handler(async ({ input }) => {
      const begun = performance.now();
      const key = openRemoteSigner(input, () => {});
      await key.sign(keyProbe(`0x${randomBytes(32).toString('hex')}`));
      return { tookMs: Math.round(performance.now() - begun) };
    }),
    saveDeadMan: os.settings.saveDeadMan.handler(({ input: { minutes }, context }) =>
      changeDesk(context.actor, { deadManMinutes: minutes }),
    ),
    setServiceKey: os.settings.setServiceKey.handler(async ({ input, context }) => {
      const { chainId, key } = input;
      const { origin } = new URL(serviceUrlOf(book.chain(chainId), chainId));
      if (key === null && (await credentials.load()).serviceKeys[origin] === undefined) {
        throw new DeskError('no_service_key', `No key to ${origin} is kept: there is none to remove.`);
      }
      const print = await credentials.setServiceKey(origin, key);
      const body = { origin, fingerprint: print };
      await journal.append({ time: now(), actor: context.actor, kind: 'service_key_set', body });
      return body;
    }),
    makeKey: os.settings.makeKey.handler(async () => {
      const given = await passphrase();
      if (given.length < LEAST_PASSPHRASE) {
        throw new DeskError('no_passphrase', 'The passphrase of this desk is too short: no key was made.', {
          remedy: `Start the desk with one of ${LEAST_PASSPHRASE} characters or more.`,
        });
      }
      const address = await createKeystore(folder, given, randomBytes);
      await signer?.reload();
      return { address };
    }),
    moveSurface: os.settings.moveSurface.handler(async ({ input }) => {
      if (moveSurface !== undefined) return { url: await moveSurface(input) };
      throw new DeskError('no_running_desk', 'No real desk runs here whose surface could be moved.', {
        remedy: 'Start it, or give --surface-host and --surface-port when it is started.',
      });
    }),
    tryChain: os.settings.tryChain.handler(async ({ input }) => {
      const { rpcUrl, secondRpcUrl, spareRpcUrls, ...asked } = input;
      const whole = (url: string) => book.seals.whole(url);
      const spares = spareRpcUrls?.map(whole);
      const second = secondRpcUrl && whole(secondRpcUrl);
      const nodes = { rpcUrl: whole(rpcUrl), spareRpcUrls: spares, secondRpcUrl: second };
      const checks = await checkChain({ ...asked, ...nodes, timeoutMs: TRY_MS });
      return checks.map(({ name, outcome, sentence }) => ({ name, outcome: shownOutcome(outcome), sentence }));
    }),
  };
}

/** The services that chains name, and those whose key is still kept, each with the chains that are asked there. */
function servicesOf(chains: readonly ChainBook[], prints: ReadonlyMap<string, string>) {
  const named = chains.flatMap(({ config: { serviceUrl, chainId } }) => {
    return serviceUrl === null ? [] : [{ origin: new URL(serviceUrl).origin, chainId }];
  });
  return [...new Set([...named.map(({ origin }) => origin), ...prints.keys()])].map((origin) => {
    const chainIds = named.filter((one) => one.origin === origin).map(({ chainId }) => chainId);
    return { origin, chainIds, fingerprint: prints.get(origin) ?? null };
  });
}
