import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { Followed, PublishedLadder } from '../../contract/book.ts';
import type { ChainConfig, DeskFile, Ladder } from '../../contract/desk-file.ts';
import type { Pair, Token } from '../../protocol/wire.ts';
import { readBlacklist, type StoredBlacklistEntry } from './blacklist.ts';
import type { BOOK_EVENTS } from './events.ts';

type DeskRow = { settings: string; fingerprints: string };
type ChainRow = { chainId: number; config: string; limits: string; takers: string };
type TokenRow = { tokenId: string; token: string };
type PairRow = { pair: string; definition: string };
type RevisionRow = { chainId: number; pair: string; revision: number; seq: number };
type PublishedRow = { time: number; actor: string; kind: string; body: string };
type Retired = { chainId: number; pair: string; until: number };
type BookBody<Kind extends keyof typeof BOOK_EVENTS> = z.infer<(typeof BOOK_EVENTS)[Kind]>;

export type StoredBook = {
  /** Tokens, pairs, limits and takers as they are now; no prices, no blacklist, no switches. null before the first import. */
  desk: DeskFile | null;
  /** Of the counterparties' secrets, by domain. */
  fingerprints: Record<string, string>;
  /** The current revision of every listed pair that has one. */
  ladders: PublishedLadder[];
  retired: Retired[];
  blacklist: StoredBlacklistEntry[];
};

const EMPTY: Ladder = { bids: [], asks: [] };

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
  const current = db.prepare<[], RevisionRow>(`
    SELECT r.chain_id AS chainId, r.pair, max(r.revision) AS revision, r.seq
    FROM pairs p JOIN ladder_revisions r ON r.chain_id = p.chain_id AND r.pair = p.pair
    GROUP BY r.chain_id, r.pair ORDER BY p.rowid`);
  const revisions = db.prepare<[number, string, number], RevisionRow>(`
    SELECT chain_id AS chainId, pair, revision, seq FROM ladder_revisions
    WHERE chain_id = ? AND pair = ? ORDER BY revision DESC LIMIT ?`);
  const published = db.prepare<[number], PublishedRow>('SELECT time, actor, kind, body FROM journal WHERE seq = ?');
  const retired = db.prepare<[], Retired>(
    'SELECT chain_id AS chainId, pair, retired_until AS until FROM pairs WHERE retired_until IS NOT NULL',
  );
  const { blacklist, blacklistHistory } = readBlacklist(db);
  const revision = db
    .prepare<[number, string, number], number>(
      'SELECT seq FROM ladder_revisions WHERE chain_id = ? AND pair = ? AND revision = ?',
    )
    .pluck();
  const publication = publishedLadders(db);

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

  const ladders = (rows: RevisionRow[]): PublishedLadder[] => {
    // One import publishes the ladders of every pair: its body is parsed once.
    const bodies = new Map<number, Publication>();
    return rows.map(({ chainId, pair, revision, seq }) => {
      const row = bodies.get(seq) ?? publicationOf(published.get(seq));
      bodies.set(seq, row);
      const { time, actor, followed } = row;
      const ladder = { chainId, pair, revision, time, actor, ladder: row.ladder(chainId, pair) };
      return followed === undefined ? ladder : { ...ladder, followed };
    });
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
        ladders: ladders(current.all()),
        retired: retired.all(),
        blacklist: blacklist(),
      };
    },
    blacklistHistory,
    /** A published revision of a pair; null when there is none of this number. */
    ladderRevision(chainId: number, pair: string, number: number): PublishedLadder | null {
      const seq = revision.get(chainId, pair, number);
      if (seq === undefined) return null;
      const { time, actor, ladder } = publication(seq);
      return { chainId, pair, revision: number, time, actor, ladder: ladder(chainId, pair) };
    },
    /** Newest first. */
    revisions: (chainId: number, pair: string, limit: number) => ladders(revisions.all(chainId, pair, limit)),
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

type Publication = {
  time: number;
  actor: string;
  ladder: (chainId: number, pair: string) => Ladder;
  followed?: Followed;
};

function publicationOf(row: PublishedRow | undefined): Publication {
  const { time, actor, kind } = row ?? { time: 0, actor: '', kind: '' };
  const publication = (ladder: Publication['ladder']) => ({ time, actor, ladder });
  if (row === undefined || kind === 'pair_saved') return publication(() => EMPTY);
  if (kind === 'ladder_published') {
    const { ladder, followed }: BookBody<'ladder_published'> = JSON.parse(row.body);
    return { ...publication(() => ladder), followed };
  }
  const { desk }: BookBody<'desk_configured'> = JSON.parse(row.body);
  return publication((chainId, pair) => desk.chains.find((chain) => chain.chainId === chainId)?.prices[pair] ?? EMPTY);
}

/** Bodies kept: neighbouring moments of a chart mostly lie in the same revision. */
const MOST_KEPT = 500;

/** What was published as a row of the journal. A row never changes, so what was read of it is kept. */
export function publishedLadders(db: Database): (seq: number) => Publication {
  const row = db.prepare<[number], PublishedRow>('SELECT time, actor, kind, body FROM journal WHERE seq = ?');
  const kept = new Map<number, Publication>();
  return (seq) => {
    const known = kept.get(seq);
    if (known !== undefined) return known;
    const publication = publicationOf(row.get(seq));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(seq, publication);
    return publication;
  };
}
