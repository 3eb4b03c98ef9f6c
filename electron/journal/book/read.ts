import type { Database } from 'better-sqlite3';
import type { PublishedLadder } from '../../contract/book.ts';
import type { ChainConfig, DeskFile, Ladder } from '../../contract/desk-file.ts';
import type { Pair, Token } from '../../protocol/wire.ts';
import { readBlacklist, type StoredBlacklistEntry } from './blacklist.ts';
import { readRevisions } from './revisions.ts';

type DeskRow = { settings: string; fingerprints: string };
type ChainRow = { chainId: number; config: string; limits: string; takers: string };
type TokenRow = { tokenId: string; token: string };
type PairRow = { pair: string; definition: string };
type Retired = { chainId: number; pair: string; until: number };

export type StoredBook = {
  /** Tokens, pairs, limits and takers as they are now; no prices, no blacklist, no switches. null before the first import. */
  desk: DeskFile | null;
  /** Of the counterparties' secrets, by domain. */
  fingerprints: Record<string, string>;
  /** The current revision of every listed pair that has one; without a ladder where it cannot be read. */
  ladders: (Omit<PublishedLadder, 'ladder'> & { ladder: Ladder | null })[];
  retired: Retired[];
  blacklist: StoredBlacklistEntry[];
};

/** The configuration, the published ladders and the blacklist as the journal has them. */
export function readBook(db: Database) {
  const desk = db.prepare<[], DeskRow>('SELECT settings, fingerprints FROM desk');
  const chains = db.prepare<[], ChainRow>(
    'SELECT chain_id AS chainId, config, limits, takers FROM chains ORDER BY position',
  );
  const tokens = db.prepare<[number], TokenRow>(
    'SELECT token_id AS tokenId, token FROM tokens WHERE chain_id = ? ORDER BY rowid',
  );
  const pairs = db.prepare<[number], PairRow>('SELECT pair, definition FROM pairs WHERE chain_id = ? ORDER BY rowid');
  const listed = db.prepare<[], { chainId: number; pair: string }>(
    'SELECT chain_id AS chainId, pair FROM pairs ORDER BY rowid',
  );
  const retired = db.prepare<[], Retired>(
    'SELECT chain_id AS chainId, pair, retired_until AS until FROM pairs WHERE retired_until IS NOT NULL',
  );
  const { blacklist, blacklistHistory } = readBlacklist(db);
  const { upTo, published, numbered, cellHistory, lastPublished } = readRevisions(db);

  const chainConfig = ({ chainId, config, limits, takers }: ChainRow): ChainConfig => ({
    ...asStored<ChainConfig>(config),
    chainId,
    limits: asStored(limits),
    takers: asStored(takers),
    off: {},
    tokens: Object.fromEntries(tokens.all(chainId).map((row): [string, Token] => [row.tokenId, asStored(row.token)])),
    pairs: Object.fromEntries(pairs.all(chainId).map((row): [string, Pair] => [row.pair, asStored(row.definition)])),
    prices: {},
    blacklist: [],
  });

  /** The newest revisions of a pair, the newest one first. */
  const newest = (chainId: number, pair: string, limit: number): PublishedLadder[] => {
    const found: PublishedLadder[] = [];
    for (let place = upTo(chainId, pair); place !== null && found.length < limit; ) {
      found.push(published(chainId, pair, place));
      place = upTo(chainId, pair, place.revision - 1);
    }
    return found;
  };

  return {
    storedBook(): StoredBook {
      const row = desk.get();
      const chainConfigs = chains.all().map(chainConfig);
      const deskFile: DeskFile | null =
        row === undefined ? null : { ...asStored<DeskFile>(row.settings), chains: chainConfigs };
      return {
        desk: deskFile,
        fingerprints: row === undefined ? {} : asStored(row.fingerprints),
        ladders: listed.all().flatMap(({ chainId, pair }) => {
          return newest(chainId, pair, 1).map((one) => (one.unreadable === undefined ? one : { ...one, ladder: null }));
        }),
        retired: retired.all(),
        blacklist: blacklist(),
      };
    },
    blacklistHistory,
    /** A published revision of a pair; null when there is none of this number. */
    ladderRevision: numbered,
    /** Newest first. */
    revisions: newest,
    cellHistory,
    lastPublished,
  };
}

/** A value as it was written. Text that went bad on the disk is handed on as it is: whoever reads the book sets it apart. */
function asStored<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    return text as T;
  }
}
