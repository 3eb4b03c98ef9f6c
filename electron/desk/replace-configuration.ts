import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ChainBook } from '../book/chain-book.ts';
import type { SetApart } from '../book/chain-state.ts';
import { compareDesks } from '../book/compare-desks.ts';
import { parseDesk } from '../book/parse-desk.ts';
import { readHead } from '../chain/chain-head.ts';
import { loadMemory } from '../chain/chain-memory.ts';
import { openNode } from '../chain/node-client.ts';
import type { DeskChange, deskComparisonSchema } from '../contract/desk-changes.ts';
import type { ChainConfig, DeskFile } from '../contract/desk-file.ts';
import { isProgram, utcText } from '../contract/names.ts';
import { markOf, withUrls } from '../contract/sealed-url.ts';
import type { ChainStillLive } from '../contract/still-live.ts';
import { keepEarlier, LOOK_BACK_SECONDS, readStillLive } from '../hedge/still-live.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { scopeKey } from '../signer/scope-key.ts';
import { fingerprint } from '../signer/secrets.ts';
import type { KeptSecrets } from './credentials.ts';
import type { Rooms } from './rooms.ts';

/** A node that is only compared with what is known is not waited for longer. */
const COMPARE_MS = 4_000;

/** Changes that are listed; a person reads no more. */
const MOST_CHANGES = 1_000;

/** What is set apart and would be gone, as far as it is named. */
const MOST_NAMED = 5;

/** Where a chain, its service and its reference are asked, and what they are called. Everything else says what is traded, and at what price. */
const ONLY_WHERE: ReadonlySet<keyof ChainConfig> = new Set([
  'rpcUrl',
  'spareRpcUrls',
  'serviceUrl',
  'referenceUrl',
  'name',
  'basePath',
]);

/** What a person calls some of what a desk file says of a chain; the others are called as in the file. */
const WORDS: Partial<Record<keyof ChainConfig, string>> = {
  rfqContract: 'RFQ contract',
  domainName: 'domain name',
  spareRpcUrls: 'spare nodes',
  secondRpcUrl: 'second node',
  off: 'what is switched off',
  router: 'service’s router',
  intentContract: 'intent contract',
};

/**
 * Replaces the configuration by a desk file, or by what `edit` makes of the one in force. Refused while the desk trades, and
 * while something that was signed on a chain which leaves, or whose maker or RFQ contract changes, is still live: nobody would
 * be told of it afterwards. Also where somebody stopped or changed something since this was called, for that would be undone, and an
 * edit while something is set apart, for that would be gone.
 * A desk that is LIVE and does not run is halted before it takes over what a person has not seen trade yet, once nothing refuses
 * the file any more, and a person resumes it. Throws DeskError `desk_trading`, `still_live`, `desk_changed`, `set_apart`, or FaultyInput `desk_file_faulty`.
 */
export async function replaceConfiguration(
  rooms: Pick<Rooms, 'book' | 'guard' | 'journal' | 'credentials' | 'ways' | 'now' | 'log'>,
  {
    actor,
    running,
    ...by
  }: { actor: string; running: boolean } & (
    | { input: unknown; seen?: string | undefined }
    | { edit: (desk: DeskFile) => unknown }
  ),
): Promise<{ chains: number; pairs: number }> {
  const { book, guard, credentials, ways } = rooms;
  const { trading } = guard;
  // An edit leaves what programs price as it is; whoever gives a whole file has seen the ladders that stand in it.
  const mark = () => seenMark(rooms, 'edit' in by ? 'made by programs' : 'at its revision');
  const seen = mark();
  if ('seen' in by && by.seen !== undefined && by.seen !== seen) throw changedMeanwhile();
  const now = await book.deskFile();
  const input = 'edit' in by ? by.edit(now) : by.input;
  const refuseWhileTrading = () => {
    if (running) expectHalted(rooms);
  };
  // Nodes are waited for below, and others' turns: somebody may resume or change the desk meanwhile.
  const refuseWhereChanged = () => {
    refuseWhileTrading();
    if (mark() !== seen) throw changedMeanwhile();
  };
  refuseWhileTrading();
  if ('edit' in by) refuseWhatWouldBeGone(rooms, input);
  const isHalted = trading.stateOf({}) === 'HALTED';
  const parsed = parseDesk(input);
  const { desk: wanted, secrets, alerts } = parsed;
  if (alerts !== undefined) await ways.expectWhole(alerts);
  const connecting = await openConnecting(rooms, parsed);
  await refuseWhatIsLive(rooms, connecting);
  if (secrets.length > 0) await credentials.load();
  const otherKeys = secrets.filter((one) => !credentials.has(one)).map(({ domain }) => domain);
  const changes = isHalted ? [] : [...changesIn(now, wanted), ...callerChanges(book.desk(), wanted, otherKeys)];
  const haltBefore = async () => {
    if (changes.length === 0) return;
    // In force before the file is, and also where nothing comes of it then.
    const cause = `A desk file was about to be imported while the desk did not run. It changes ${changes.join('; ')}. Look at what is set now, then resume.`;
    const { durable } = await trading.halt({}, { actor, cause });
    if (!durable) throw new DeskError('journal_failed', 'The halt before the import could not be written.');
  };
  const waySecrets = alerts && (await ways.secretsOf(alerts));
  await keepEarlier(
    rooms.journal,
    book.chains().map(({ chainId, config: { maker, rfqContract } }) => ({ chainId, maker, rfqContract })),
  );
  let kept: KeptSecrets | null = null;
  const { desk } = await book.importDesk(input, {
    actor,
    madeOf: 'edit' in by ? now : undefined,
    keepSecrets: async (...given) => {
      const refuse = () => {
        refuseWhereChanged();
        return haltBefore();
      };
      kept = await credentials.keepUnless(refuse, ...given, null, waySecrets);
      return kept.fingerprints;
    },
    takeBack: async () => kept?.takeBack(),
    replacing: (replace) => {
      refuseWhereChanged();
      const cause =
        'The configuration was replaced while this was being resumed. Look at what is set now, then resume again.';
      return trading.withoutResumes({ actor, cause }, replace);
    },
  });
  if (alerts !== undefined) await ways.replace(alerts, actor, async () => kept?.takeBackWays());
  return {
    chains: desk.chains.length,
    pairs: desk.chains.reduce((sum, { pairs }) => sum + Object.keys(pairs).length, 0),
  };
}

/** What an edit says that may have been set apart before, by what tells it from others. */
const editedSchema = z.object({
  chains: z.array(z.object({ chainId: z.int() })),
  counterparties: z.array(z.object({ domain: z.string() })),
  remoteSigner: z.unknown().optional(),
});

/**
 * A desk file leaves out what is set apart (see `writeDesk`), and with it limits, stops and rules that nobody took back. Throws DeskError
 * `set_apart` where an edit would lose such, unless it takes the chain away or gives anew what was set apart.
 */
function refuseWhatWouldBeGone({ book }: Pick<Rooms, 'book'>, edited: unknown): void {
  const { chains, counterparties, remoteSigner } = editedSchema.safeParse(edited).data ?? NOTHING_EDITED;
  const isThere = (of: number | undefined) => chains.some(({ chainId }) => chainId === of);
  const isAnew = ({ kind, id, chainId }: SetApart) =>
    (kind === 'chain' && isThere(chainId)) ||
    (kind === 'counterparty' && counterparties.some(({ domain }) => domain === id)) ||
    (kind === 'signer' && remoteSigner != null);
  const gone = [
    ...book.desk().setApart.flatMap((one) => (isAnew(one) ? [] : [`the ${one.kind} ${one.id}`])),
    ...book.chains().flatMap(({ chainId, config: { name }, setApart, pairs }) => {
      const faulty = [...pairs.values()].flatMap(({ id, fault }) => (fault === null ? [] : [{ kind: 'pair', id }]));
      const apart = isThere(chainId) ? [...setApart, ...faulty] : [];
      return apart.map(({ kind, id }) => `the ${kind} ${id} of ${name}`);
    }),
  ];
  if (gone.length === 0) return;
  const more = gone.length > MOST_NAMED ? ` and ${gone.length - MOST_NAMED} more` : '';
  const sentence = `This replaces the whole configuration, and what is set aside would be gone with it: ${gone.slice(0, MOST_NAMED).join(', ')}${more}.`;
  throw new DeskError('set_apart', sentence, {
    remedy: 'Fix that first, or import a desk file that says all that the desk shall have.',
  });
}

const NOTHING_EDITED: z.infer<typeof editedSchema> = { chains: [], counterparties: [] };

/** Throws DeskError `desk_trading` unless the desk is HALTED, so that its configuration may be replaced. */
export function expectHalted({ guard }: Pick<Rooms, 'guard'>): void {
  if (guard.trading.stateOf({}) === 'HALTED') return;
  throw new DeskError('desk_trading', 'Chains and counterparties are changed only while the desk is halted.', {
    remedy: 'Halt the desk first.',
  });
}

/**
 * What a desk file would change if it were taken over now, and why it would be refused; nothing is changed.
 * Throws FaultyInput `desk_file_faulty`.
 */
export async function compareConfiguration(
  rooms: Pick<Rooms, 'book' | 'guard' | 'journal' | 'credentials' | 'ways' | 'now'>,
  input: unknown,
): Promise<z.infer<typeof deskComparisonSchema>> {
  const { changes, connecting, seen } = await comparedWith(rooms, input);
  const refused = await refuseWhatIsLive(rooms, connecting).then(
    () => null,
    (error: unknown) => {
      if (!isDeskError(error, 'still_live')) throw error;
      return { sentence: error.message, remedy: error.remedy };
    },
  );
  return { changes: changes.slice(0, MOST_CHANGES), more: Math.max(0, changes.length - MOST_CHANGES), refused, seen };
}

/**
 * The configuration as it is and as a desk file would have it, and every change between them in words. `keysChange`: a secret comes with
 * it that is not the one that is kept. `connecting`: the file with its addresses whole; `seen`: see `seenMark`. `input`
 * may be made of the file as it is, so that nothing that moves between two looks is among the changes. Throws FaultyInput
 * `desk_file_faulty`.
 */
export async function comparedWith(
  rooms: Pick<Rooms, 'book' | 'guard' | 'credentials' | 'ways'>,
  input: unknown | ((now: DeskFile) => unknown),
): Promise<{
  before: DeskFile;
  after: DeskFile;
  changes: DeskChange[];
  /** The same from another file than the one as it is. */
  changesFrom: (desk: DeskFile) => DeskChange[];
  keysChange: boolean;
  connecting: DeskFile;
  seen: string;
}> {
  const { book, credentials, ways } = rooms;
  const seen = seenMark(rooms);
  const now = await book.deskFile();
  const parsed = parseDesk(typeof input === 'function' ? input(now) : input);
  const { desk: wanted, secrets, serviceKeys, alerts } = parsed;
  if (alerts !== undefined) await ways.expectWhole(alerts);
  const connecting = await openConnecting(rooms, parsed);
  if (secrets.length + Object.keys(serviceKeys).length > 0) await credentials.load();
  const knownBy = (printOf: (domain: string) => string | null) =>
    Object.fromEntries(now.counterparties.map(({ domain }) => [domain, printOf(domain) ?? undefined]));
  const [known, knownAccess] = [
    knownBy((domain) => credentials.fingerprintOf(domain)),
    knownBy((domain) => credentials.accessPrintOf(domain)),
  ];
  const given = Object.fromEntries(secrets.map(({ domain, secretKey }) => [domain, fingerprint(secretKey)]));
  const access = Object.fromEntries(secrets.map(({ domain, accessKey }) => [domain, fingerprint(accessKey)]));
  const prints = credentials.serviceKeyPrints();
  const keys = Object.entries(serviceKeys).flatMap(([origin, key]) => {
    const [before, after] = [prints.get(origin) ?? null, fingerprint(key)];
    if (before === after) return [];
    return [{ about: `Service ${origin}`, what: 'Key, by its fingerprint', before, after }];
  });
  const changesFrom = (desk: DeskFile) => [
    ...compareDesks(
      { desk, callers: { counterparties: desk.counterparties, fingerprints: known, accessPrints: knownAccess } },
      {
        desk: wanted,
        callers: {
          counterparties: wanted.counterparties,
          fingerprints: { ...known, ...given },
          accessPrints: { ...knownAccess, ...access },
        },
      },
    ),
    ...keys,
    ...ways.changesBy(alerts),
  ];
  const keysChange = keys.length > 0 || secrets.some((one) => !credentials.has(one));
  return { before: now, after: wanted, changes: changesFrom(now), changesFrom, keysChange, connecting, seen };
}

/** The file with its addresses whole, as a node is asked, and the sealed ones of the desk open. Throws as the sealed file does. */
async function openConnecting(
  { book, credentials }: Pick<Rooms, 'book' | 'credentials'>,
  { desk, urls }: Pick<ReturnType<typeof parseDesk>, 'desk' | 'urls'>,
): Promise<DeskFile> {
  const chains = desk.chains.map((chain) => withUrls(chain, (url) => urls[markOf(url) ?? ''] ?? url));
  await credentials.openUrls([...book.chains().map(({ config }) => config), ...chains]);
  return { ...desk, chains };
}

function changedMeanwhile(): DeskError {
  return new DeskError('desk_changed', 'Somebody stopped or changed something of the desk meanwhile.', {
    remedy: 'Nothing was replaced. Look at what it is now, and do this again.',
  });
}

/** One word for all that a desk file replaces, as it is in force: another one as soon as something of it is another. */
export function seenMark(
  rooms: Pick<Rooms, 'book' | 'guard' | 'ways'>,
  ladders: SeenLadders = 'at its revision',
): string {
  const { ways } = rooms;
  const { counterparties, surfaceNames, fingerprints, ...desk } = rooms.book.desk();
  const { archiveAfterDays, lockAfterMinutes, remoteSigner, protections, deadManMinutes } = desk;
  const times = { archiveAfterDays, lockAfterMinutes, remoteSigner, deadManMinutes };
  const alerts = { ways: ways.list(), quiet: ways.quiet() };
  const all = { ...inForce(rooms, ladders), counterparties, surfaceNames, ...times, protections, fingerprints, alerts };
  const text = JSON.stringify(all, (_key, value: unknown) => {
    if (value instanceof Map || value instanceof Set) return [...value];
    return typeof value === 'bigint' ? String(value) : value;
  });
  return createHash('sha256').update(text).digest('hex');
}

/** What would be traded otherwise than before, chain by chain, in words. */
function changesIn(before: DeskFile, after: DeskFile): string[] {
  const gone = before.chains.filter(({ chainId }) => after.chains.every((chain) => chain.chainId !== chainId));
  return [
    ...gone.map(({ name, chainId }) => `${name} (${chainId}), which leaves`),
    ...after.chains.flatMap((chain) => {
      const { name, chainId } = chain;
      const known = before.chains.find((one) => one.chainId === chainId);
      if (known === undefined) return [`${name} (${chainId}), which is new`];
      const fields = fieldsOf({ ...known, ...chain }).filter(
        (field) => !ONLY_WHERE.has(field) && !isDeepStrictEqual(known[field] ?? null, chain[field] ?? null),
      );
      const words = fields.map((field) => WORDS[field] ?? field);
      return words.length === 0 ? [] : [`${words.join(', ')} of ${name} (${chainId})`];
    }),
    ...(isDeepStrictEqual(before.protections ?? [], after.protections ?? []) ? [] : ['the protections']),
    ...(before.deadManMinutes === after.deadManMinutes ? [] : ['the dead-man switch']),
    ...(isDeepStrictEqual(before.remoteSigner ?? null, after.remoteSigner ?? null) ? [] : ['where the key is']),
  ];
}

/** Who may call otherwise than before, in words; `otherKeys`: by domain, those with other keys than are kept. */
function callerChanges(
  before: Pick<ReturnType<Rooms['book']['desk']>, 'counterparties' | 'surfaceNames'>,
  after: DeskFile,
  otherKeys: readonly string[],
): string[] {
  const gone = before.counterparties.filter(({ domain }) => after.counterparties.every((one) => one.domain !== domain));
  const names = isDeepStrictEqual([...before.surfaceNames], after.surfaceNames ?? []) ? [] : ['the host names'];
  return [
    ...gone.map(({ domain }) => `the counterparty ${domain}, which leaves`),
    ...after.counterparties.flatMap((party) => {
      const { domain } = party;
      const known = before.counterparties.find((one) => one.domain === domain);
      if (known === undefined) return [`the counterparty ${domain}, which is new`];
      const isSame = !otherKeys.includes(domain) && isDeepStrictEqual(known, party);
      return isSame ? [] : [`the counterparty ${domain}`];
    }),
    ...names,
  ];
}

/** How a ladder counts that an engine or a formula made: by that alone, or by its revision as any other. */
type SeenLadders = 'made by programs' | 'at its revision';

/**
 * What people have set, as it is in force at this moment; a ladder that follows the reference by its sizes alone, and one that an
 * engine or a formula made as `ladders` says.
 */
function inForce({ book, guard }: Pick<Rooms, 'book' | 'guard'>, ladders: SeenLadders) {
  const stopped = guard.trading.states
    .all()
    .filter(({ scope, state }) => scope.pair !== undefined && state !== 'LIVE')
    .map(({ scope, state }) => `${scopeKey(scope)} ${state}`);
  const chains = book.chains().map(({ chainId, config, tokens, pairs, blacklisted }) => {
    const ofPairs = [...pairs.values()].map(({ id, definition, retiredUntil, ladder: { revision, actor, ladder } }) => {
      const sizes = [ladder.bids, ladder.asks].map((levels) => levels.map(([, amount]) => amount));
      const isOfProgram = ladders === 'made by programs' && isProgram(actor);
      const of = config.follow.includes(id) ? sizes : isOfProgram ? actor : revision;
      return { id, definition, retiredUntil, ladder: of };
    });
    return { chainId, config, tokens, blacklisted, pairs: ofPairs };
  });
  return { stopped: stopped.sort(), chains };
}

function fieldsOf(chain: ChainConfig): (keyof ChainConfig)[] {
  return Object.keys(chain) as (keyof ChainConfig)[];
}

/** Throws DeskError `still_live` with what it is. */
export async function refuseWhatIsLive(
  rooms: Pick<Rooms, 'book' | 'guard' | 'journal' | 'now'>,
  wanted: DeskFile,
): Promise<void> {
  const told = await Promise.all(
    rooms.book.chains().map(async (chain) => {
      const { chainId, config } = chain;
      const next = wanted.chains.find((one) => one.chainId === chainId);
      const parts = next === undefined ? ['chain'] : changedIn(config, next);
      if (parts.length === 0) return [];
      const { chains, at } = await readStillLive(rooms, chainId);
      const live = chains.flatMap((one) => wordsOf(one, at));
      if (live.length === 0 || (next !== undefined && (await isBegunAnew(rooms, next)))) return [];
      const name = `${config.name} (${chainId})`;
      const what =
        next === undefined ? `${name} cannot leave` : `The ${parts.join(' and the ')} of ${name} cannot change`;
      return [`${what}: ${live.join(', ')} would be left behind and nobody told of it.`];
    }),
  );
  const sentences = told.flat();
  if (sentences.length === 0) return;
  throw new DeskError('still_live', sentences.join(' '), {
    remedy:
      'Wait until it is over, with the desk running and halted so that it reads from the chain what became of it. Or end it first: "makerdesk cancel-orders", or the emergency page. Then import again.',
  });
}

function changedIn(now: ChainBook['config'], next: ChainConfig): string[] {
  return [
    ...(now.maker === next.maker ? [] : ['maker']),
    ...(now.rfqContract === next.rfqContract ? [] : ['RFQ contract']),
  ];
}

/** What was signed and counts as live, in words. What ended by our clock so long ago that no chain could still take it does not. */
function wordsOf({ quotes, nftOrders, orders, permits, transactions }: ChainStillLive, at: number): string[] {
  const may = ({ until }: { until: number | null }) => until === null || until + LOOK_BACK_SECONDS * 1_000 > at;
  const until = (end: number | null) => (end === null ? 'without an end' : `until ${utcText(end)}`);
  return [
    ...(quotes.count > 0 && may(quotes)
      ? [`${quotes.count} firm ${quotes.count === 1 ? 'quote' : 'quotes'} (${until(quotes.until)})`]
      : []),
    ...nftOrders.filter(may).map(({ gives, until: end }) => `an NFT order that gives ${gives} (${until(end)})`),
    ...orders
      .filter(may)
      .map(
        ({ left, src, until: end }) =>
          `an intent order of ${fromRaw(BigInt(left), src.decimals)} ${src.symbol} (${until(end)})`,
      ),
    ...permits
      .filter(may)
      .map(
        ({ amount, token, until: end }) =>
          `a permit of ${fromRaw(BigInt(amount), token.decimals)} ${token.symbol} (${until(end)})`,
      ),
    ...transactions.filter(may).map(({ hash, until: end }) => `the transaction ${hash} of a hedge (${until(end)})`),
  ];
}

/**
 * Whether the node that the file names is of another chain with the same id: one with another first block than the chain
 * that the desk followed. Such an import leaves nothing behind: what was signed goes on counting as live, and the chain stays
 * closed, until the one who may says that it was begun anew.
 */
async function isBegunAnew(
  { book, journal }: Pick<Rooms, 'book' | 'journal'>,
  { chainId, rpcUrl }: ChainConfig,
): Promise<boolean> {
  const [known] = (await loadMemory(journal, chainId))?.blocks ?? [];
  if (known?.number !== 0) return false;
  const node = openNode({ rpcUrl: book.seals.whole(rpcUrl), timeoutMs: COMPARE_MS });
  try {
    const { atOurs } = await readHead(node, chainId, known);
    return atOurs !== null && atOurs.hash !== known.hash;
  } catch {
    return false;
  } finally {
    node.close();
  }
}
