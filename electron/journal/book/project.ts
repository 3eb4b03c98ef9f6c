import type { Database } from 'better-sqlite3';
import type { ChainConfig, Ladder } from '../../contract/desk-file.ts';
import { type ProjectionsOf, refuseRow } from '../slice.ts';
import { projectBlacklist } from './blacklist.ts';
import type { BOOK_EVENTS, LadderMove } from './events.ts';
import { type ChainEvent, type ChangingSettings, foldPair, foldSettings, foldToken, NO_LADDER } from './fold.ts';
import { noteRevisions, readRevisions } from './revisions.ts';

type PairEvent = Extract<ChainEvent, { kind: 'pair_saved' | 'pair_retired' | 'pair_removed' | 'ladder_published' }>;
type TokenEvent = Extract<ChainEvent, { kind: 'token_saved' | 'token_removed' }>;
type SettingsRow = { config: string; limits: string; takers: string };

/**
 * The configuration as it is now, and the revisions of ladders: their tables say which row of the journal published each one,
 * the ladder itself stays in the body of that row. What an event does is said by the fold; here it is loaded and stored.
 */
export function projectBook(db: Database): ProjectionsOf<typeof BOOK_EVENTS> {
  const foldChain = settingsTable(db);
  const ladders = revisionsTable(db);
  const changePair = pairsTable(db, ladders);
  const changeToken = tokensTable(db);
  const blacklist = projectBlacklist(db);
  const chain = db.prepare<[number], number>('SELECT 1 FROM chains WHERE chain_id = ?').pluck();

  const configured = (chainId: number) => {
    if (chain.get(chainId) === undefined) refuseRow(`Chain ${chainId} is not configured.`);
  };
  const setting = (event: ChainEvent) => {
    configured(event.body.chainId);
    foldChain(event);
  };
  return {
    desk_configured: projectDesk(db, ladders, blacklist.replace),
    ladder_published: (event) => {
      const { chainId, pair, revision } = event.body;
      const newest = ladders.newest(chainId, pair);
      if (revision <= newest) refuseRow(`Revision ${revision} of ${pair} does not follow revision ${newest}.`);
      ladders.insert(chainId, pair, revision, event.seq);
      foldChain(event);
    },
    ladders_moved: ({ seq, body: { chainId, moves } }) => {
      for (const move of moves) ladders.move(chainId, move, seq);
    },
    follow_set: foldChain,
    hand_set: foldChain,
    formula_set: foldChain,
    token_saved: (event) => {
      configured(event.body.chainId);
      changeToken(event);
    },
    token_removed: changeToken,
    pair_saved: (event) => {
      configured(event.body.chainId);
      changePair(event);
    },
    pair_retired: (event) => {
      if (!changePair(event)) refuseRow(`${event.body.pair} is not listed.`);
      foldChain(event);
    },
    pair_removed: (event) => void changePair(event),
    chain_set: setting,
    desk_set: projectDeskSet(db),
    counterparties_set: projectCounterparties(db),
    protections_set: projectProtections(db),
    limits_set: setting,
    takers_set: setting,
    contract_pinned: setting,
    blacklist_added: blacklist.change,
    blacklist_removed: blacklist.change,
  };
}

/** An import replaces what was there, and starts a new revision of every ladder but those that it leaves standing. */
function projectDesk(
  db: Database,
  ladders: ReturnType<typeof revisionsTable>,
  replaceBlacklist: ReturnType<typeof projectBlacklist>['replace'],
): ProjectionsOf<typeof BOOK_EVENTS>['desk_configured'] {
  const saveDesk = db.prepare('INSERT OR REPLACE INTO desk (id, settings, fingerprints) VALUES (1, ?, ?)');
  const saveChain = db.prepare(
    'INSERT INTO chains (chain_id, position, config, limits, takers) VALUES (?, ?, ?, ?, ?)',
  );
  const saveToken = db.prepare('INSERT INTO tokens (chain_id, token_id, token) VALUES (?, ?, ?)');
  const savePair = db.prepare('INSERT INTO pairs (chain_id, pair, definition, retired_until) VALUES (?, ?, ?, ?)');

  const listChain = (
    chain: ChainConfig,
    { position, seq }: { position: number; seq: number },
    stands: (pair: string) => boolean,
    retiredUntil: (pair: string) => number | null,
  ) => {
    const { limits, takers, off: _off, tokens, pairs, prices, blacklist: _blacklist, ...config } = chain;
    saveChain.run(chain.chainId, position, JSON.stringify(config), JSON.stringify(limits), JSON.stringify(takers));
    for (const [tokenId, token] of Object.entries(tokens)) {
      saveToken.run(chain.chainId, tokenId, JSON.stringify(token));
    }
    for (const [pair, definition] of Object.entries(pairs)) {
      savePair.run(chain.chainId, pair, JSON.stringify(definition), retiredUntil(pair));
      if (!stands(pair)) ladders.import(chain.chainId, pair, prices[pair], seq);
    }
  };
  return (event) => {
    const { chains, ...settings } = event.body.desk;
    const standing = new Set(event.body.standing?.map(({ chainId, pair }) => `${chainId} ${pair}`));
    const retired = new Map(event.body.edit?.retired.map(({ chainId, pair, until }) => [`${chainId} ${pair}`, until]));
    db.exec('DELETE FROM chains; DELETE FROM tokens; DELETE FROM pairs');
    saveDesk.run(JSON.stringify(settings), JSON.stringify(event.body.fingerprints));
    for (const [position, chain] of chains.entries()) {
      const { chainId } = chain;
      // One that never had a ladder has none that could stand.
      const stands = (pair: string) => standing.has(`${chainId} ${pair}`) && ladders.newest(chainId, pair) > 0;
      const retiredUntil = (pair: string) => retired.get(`${chainId} ${pair}`) ?? null;
      listChain(chain, { position, seq: event.seq }, stands, retiredUntil);
    }
    replaceBlacklist(event, chains);
  };
}

/** What it names of the whole desk, beside what else is set of it. */
function projectDeskSet(db: Database): ProjectionsOf<typeof BOOK_EVENTS>['desk_set'] {
  const select = db.prepare<[], string>('SELECT settings FROM desk WHERE id = 1').pluck();
  const save = db.prepare('UPDATE desk SET settings = ? WHERE id = 1');
  return ({ body }) => {
    const before = select.get();
    if (before === undefined) return refuseRow('No desk is configured.');
    const settings = Object.entries({ ...JSON.parse(before), ...body }).filter(([, value]) => value !== null);
    save.run(JSON.stringify(Object.fromEntries(settings)));
  };
}

/** Who may ask stands beside what else is set of the whole desk. */
function projectCounterparties(db: Database): ProjectionsOf<typeof BOOK_EVENTS>['counterparties_set'] {
  const select = db.prepare<[], string>('SELECT settings FROM desk WHERE id = 1').pluck();
  const save = db.prepare('UPDATE desk SET settings = ?, fingerprints = ? WHERE id = 1');
  return ({ body: { counterparties, fingerprints } }) => {
    const before = select.get();
    if (before === undefined) return refuseRow('No desk is configured.');
    save.run(JSON.stringify({ ...JSON.parse(before), counterparties }), JSON.stringify(fingerprints));
  };
}

/** Rules stand there too. */
function projectProtections(db: Database): ProjectionsOf<typeof BOOK_EVENTS>['protections_set'] {
  const select = db.prepare<[], string>('SELECT settings FROM desk WHERE id = 1').pluck();
  const save = db.prepare('UPDATE desk SET settings = ? WHERE id = 1');
  return ({ body: { protections } }) => {
    const before = select.get();
    if (before === undefined) return refuseRow('No desk is configured.');
    save.run(JSON.stringify({ ...JSON.parse(before), protections }));
  };
}

/** Settings of a chain. Where they went bad on the disk the chain is set apart whole, and they stay as they are. */
function settingsTable(db: Database): (event: ChainEvent) => void {
  const select = db.prepare<[number], SettingsRow>(
    'SELECT config, limits, takers FROM chains WHERE chain_id = ? AND json_valid(config)',
  );
  const save = db.prepare('UPDATE chains SET config = ?, limits = ?, takers = ? WHERE chain_id = ?');
  return (event) => {
    const row = select.get(event.body.chainId);
    if (row === undefined) return;
    const before: ChangingSettings = JSON.parse(row.config);
    const { limits, takers, ...config } = foldSettings(before, event);
    const texts = [limits, takers].map((value) => value && JSON.stringify(value));
    const after = { config: JSON.stringify(config), limits: texts[0] ?? row.limits, takers: texts[1] ?? row.takers };
    if (after.config === row.config && after.limits === row.limits && after.takers === row.takers) return;
    save.run(after.config, after.limits, after.takers, event.body.chainId);
  };
}

function revisionsTable(db: Database) {
  const { newest, canMove } = readRevisions(db);
  const { ladder, move } = noteRevisions(db);
  return {
    newest,
    insert: ladder,
    move: (chainId: number, of: LadderMove, seq: number) => {
      const [pair, revision] = of;
      const before = newest(chainId, pair);
      if (revision !== before + 1) refuseRow(`Revision ${revision} of ${pair} is not the one after ${before}.`);
      if (!canMove(chainId, of)) refuseRow(`The ladder of ${pair} cannot be put on ${of.slice(2).join(' / ')}.`);
      move(chainId, pair, revision, seq);
    },
    /** The ladder of an import is the next revision. A pair without prices gets an empty one, unless it never had one. */
    import: (chainId: number, pair: string, imported: Ladder | undefined, seq: number) => {
      const before = newest(chainId, pair);
      if (imported !== undefined || before > 0) ladder(chainId, pair, before + 1, seq);
    },
  };
}

/** Tells whether the pair was listed. */
function pairsTable(db: Database, ladders: ReturnType<typeof revisionsTable>) {
  const select = db.prepare<[number, string], { definition: string; retiredUntil: number | null }>(
    'SELECT definition, retired_until AS retiredUntil FROM pairs WHERE chain_id = ? AND pair = ?',
  );
  const insert = db.prepare('INSERT INTO pairs (chain_id, pair, definition) VALUES (?, ?, ?)');
  const save = db.prepare('UPDATE pairs SET definition = ?, retired_until = ? WHERE chain_id = ? AND pair = ?');
  const remove = db.prepare('DELETE FROM pairs WHERE chain_id = ? AND pair = ?');
  return (event: PairEvent & { seq: number }): boolean => {
    const { chainId, pair } = event.body;
    const row = select.get(chainId, pair);
    const newest = ladders.newest(chainId, pair);
    const before = row && { ...row, ladder: { ...NO_LADDER, revision: newest } };
    const after = foldPair(before, event, newest);
    if (after === undefined) {
      if (before !== undefined) remove.run(chainId, pair);
      return before !== undefined;
    }
    const definition = after.definition === row?.definition ? row?.definition : JSON.stringify(after.definition);
    if (before === undefined) insert.run(chainId, pair, definition);
    else save.run(definition, after.retiredUntil, chainId, pair);
    if (after.ladder.revision > newest) ladders.insert(chainId, pair, after.ladder.revision, event.seq);
    return before !== undefined;
  };
}

function tokensTable(db: Database): (event: TokenEvent) => void {
  const save = db.prepare(`
    INSERT INTO tokens (chain_id, token_id, token) VALUES (?, ?, ?)
    ON CONFLICT (chain_id, token_id) DO UPDATE SET token = excluded.token`);
  const remove = db.prepare('DELETE FROM tokens WHERE chain_id = ? AND token_id = ?');
  return (event) => {
    const { chainId, tokenId } = event.body;
    const after = foldToken(undefined, event);
    if (after === undefined) remove.run(chainId, tokenId);
    else save.run(chainId, tokenId, JSON.stringify(after));
  };
}
