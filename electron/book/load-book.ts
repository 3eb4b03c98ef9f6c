import { z } from 'zod';
import { followedSchema } from '../contract/book.ts';
import { counterpartySchema, deadManSchema, deskFileSchema, SHORTEST_DEAD_MAN } from '../contract/desk-file.ts';
import { timeSchema } from '../contract/names.ts';
import { type Protection, protectionsSchema } from '../contract/protections.ts';
import { type RemoteSignerConfig, remoteSignerSchema } from '../contract/remote-signer.ts';
import { type BlacklistedUser, NO_LADDER, type StoredLadder, type StoredPair } from '../journal/book/fold.ts';
import type { StoredBook } from '../journal/book/read.ts';
import { type Address, addressSchema } from '../protocol/address.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import type { BookState, ChainState, SetApart } from './chain-state.ts';
import { checkForm } from './checked.ts';
import { sentenceOf } from './faults.ts';
import { overlap } from './parse-desk.ts';
import { chainSettingsSchema } from './settings-check.ts';
import { sealChain, UrlSeals } from './url-seals.ts';

const recordSchema = z.record(z.string(), z.unknown());
const rowSchema = z.object({ chainId: z.int() }).loose();

/** A stored book of which nothing is believed before it was looked at. */
type Untrusted = { readonly [K in keyof StoredBook]: unknown };

/**
 * Reads the book back. A token, a pair or an address that went bad on the disk is set apart and takes nothing else with
 * it; a chain whose settings went bad is set apart whole, because dropping a limit would be a start nobody asked for.
 * URLs that were written with a key in them, as older journals have them, are sealed here, and `seals` learns the whole of them.
 */
export function loadBook(stored: Untrusted, seals = new UrlSeals()): BookState {
  const desk = fields(stored.desk);
  const setApart: SetApart[] = [];
  const chains = new Map<number, ChainState>();
  for (const raw of list(desk.chains)) {
    const chain = loadChain(fields(raw), stored, seals);
    if ('fault' in chain) setApart.push(chain);
    else chains.set(chain.chainId, chain);
  }
  takeOutClashingPaths(chains, setApart);
  return {
    configured: stored.desk !== null,
    deadlineMs: checkForm(deskFileSchema.shape.deadlineMs, desk.deadlineMs).value ?? 3_000,
    counterparties: list(desk.counterparties).flatMap((raw) => {
      const { value, faults } = checkForm(counterpartySchema, raw);
      if (value) return [value];
      setApart.push({ kind: 'counterparty', id: text(fields(raw).domain), fault: sentenceOf(faults ?? []) });
      return [];
    }),
    surfaceNames: checkForm(deskFileSchema.shape.surfaceNames, desk.surfaceNames).value ?? [],
    protections: loadProtections(desk.protections, setApart),
    archiveAfterDays: checkForm(deskFileSchema.shape.archiveAfterDays, desk.archiveAfterDays).value ?? null,
    lockAfterMinutes: checkForm(deskFileSchema.shape.lockAfterMinutes, desk.lockAfterMinutes).value ?? null,
    remoteSigner: loadRemoteSigner(desk.remoteSigner, setApart),
    deadManMinutes: loadDeadMan(desk.deadManMinutes),
    fingerprints: checkForm(z.record(z.string(), z.string()), stored.fingerprints).value ?? {},
    chains,
    setApart,
  };
}

/** Null where they cannot be read: then nothing is signed, for dropping one would be a start nobody asked for. */
function loadProtections(raw: unknown, setApart: SetApart[]): readonly Protection[] | null {
  const { value, faults } = checkForm(protectionsSchema, raw ?? []);
  if (!faults) return value;
  setApart.push({ kind: 'protections', id: 'of the desk', fault: sentenceOf(faults) });
  return null;
}

/** One that cannot be read signs nothing: the chains name its address, which no key in the folder has. */
function loadRemoteSigner(raw: unknown, setApart: SetApart[]): RemoteSignerConfig | null {
  if (raw === undefined) return null;
  const { value, faults } = checkForm(remoteSignerSchema, raw);
  if (!faults) return value;
  setApart.push({ kind: 'signer', id: 'of the desk', fault: sentenceOf(faults) });
  return null;
}

/** One that cannot be read is the shortest there is: to drop it would be a start nobody asked for. */
function loadDeadMan(raw: unknown): number | null {
  if (raw === undefined) return null;
  return checkForm(deadManSchema, raw).value ?? SHORTEST_DEAD_MAN;
}

function loadChain(raw: Record<string, unknown>, stored: Untrusted, seals: UrlSeals): ChainState | SetApart {
  const { tokens, pairs, prices: _prices, blacklist: _blacklist, off: _off, takers: rawTakers, ...rest } = raw;
  const setApart: SetApart[] = [];
  const takers = list(rawTakers).flatMap((taker) => addressOr(setApart, 'taker', taker));
  const { value: settings, faults } = checkForm(chainSettingsSchema, { ...rest, takers });
  const apart = { kind: 'chain', id: text(raw.name ?? raw.chainId), chainId: idOf(raw) } as const;
  if (faults) return { ...apart, fault: sentenceOf(faults) };
  if (takers.length === 0 && list(rawTakers).length > 0) {
    return { ...apart, fault: 'no taker of its list can be read, and an empty list would allow all' };
  }
  const { chainId } = settings;
  const { sealed, urls } = sealChain(settings);
  seals.learn(urls);
  return {
    chainId,
    settings: sealed,
    tokens: new Map(Object.entries(fields(tokens))),
    pairs: loadPairs(fields(pairs), rowsOf(stored.ladders, chainId), rowsOf(stored.retired, chainId)),
    blacklisted: loadBlacklist(rowsOf(stored.blacklist, chainId), setApart),
    setApart,
  };
}

type Row = Record<string, unknown>;

function idOf(raw: Row): number | undefined {
  return checkForm(rowSchema, raw).value?.chainId;
}

function loadPairs(pairs: Row, ladders: readonly Row[], retired: readonly Row[]): Map<string, StoredPair> {
  const ladderOf = new Map(ladders.map((row) => [row.pair, row]));
  const retiredUntil = new Map(retired.map((row) => [row.pair, row.until]));
  return new Map(
    Object.entries(pairs).map(([id, definition]) => {
      const row = ladderOf.get(id);
      const ladder = row ? loadLadder(row) : NO_LADDER;
      const until = retiredUntil.has(id)
        ? // An unreadable end keeps the pair dark: it is the start that needs a reason.
          (checkForm(timeSchema, retiredUntil.get(id)).value ?? Number.MAX_SAFE_INTEGER)
        : null;
      return [id, { definition, ladder, retiredUntil: until }];
    }),
  );
}

function loadLadder(row: Row): StoredLadder {
  const revision = checkForm(timeSchema, row.revision).value;
  const followed = checkForm(followedSchema, row.followed).value;
  const anchor = checkForm(decimalSchema, row.anchor).value;
  return {
    revision: revision ?? 0,
    time: checkForm(timeSchema, row.time).value ?? 0,
    actor: text(row.actor),
    // Without its number a ladder cannot be quoted: quotes name the revision they were made on.
    ladder: revision === null ? null : row.ladder,
    ...(followed === null ? {} : { followed }),
    ...(anchor === null ? {} : { anchor }),
  };
}

function loadBlacklist(rows: readonly Row[], setApart: SetApart[]): Map<Address, BlacklistedUser> {
  const blacklisted = new Map<Address, BlacklistedUser>();
  for (const row of rows) {
    for (const address of addressOr(setApart, 'address', row.address)) {
      blacklisted.set(address, {
        address,
        reason: typeof row.reason === 'string' ? row.reason : null,
        // An unreadable end blacklists for ever.
        until: checkForm(timeSchema, row.until).value,
        // Unreadable, the service is not told: it would keep the address for good.
        onlyHere: row.onlyHere !== false,
        since: checkForm(timeSchema, row.since).value ?? 0,
        actor: text(row.actor),
      });
    }
  }
  return blacklisted;
}

function addressOr(setApart: SetApart[], kind: 'taker' | 'address', raw: unknown): Address[] {
  const { value, faults } = checkForm(addressSchema, raw);
  if (value) return [value];
  setApart.push({ kind, id: text(raw), fault: sentenceOf(faults ?? []) });
  return [];
}

/** Two chains below one path cannot be told apart by a request, so neither is served. */
function takeOutClashingPaths(chains: Map<number, ChainState>, setApart: SetApart[]): void {
  const all = [...chains.values()];
  for (const { chainId, settings } of all) {
    const clash = all.find((other) => other.chainId !== chainId && overlap(settings.basePath, other.settings.basePath));
    if (clash === undefined) continue;
    chains.delete(chainId);
    const fault = `basePath: overlaps that of ${clash.settings.name}`;
    setApart.push({ kind: 'chain', id: settings.name, chainId, fault });
  }
}

function rowsOf(rows: unknown, chainId: number): Row[] {
  return list(rows).flatMap((row) => {
    const { value } = checkForm(rowSchema, row);
    return value?.chainId === chainId ? [value] : [];
  });
}

function list(raw: unknown): unknown[] {
  return Array.isArray(raw) ? raw : [];
}

function fields(raw: unknown): Row {
  return checkForm(recordSchema, raw).value === null ? {} : { ...(raw as Row) };
}

function text(raw: unknown): string {
  return typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? 'nothing');
}
