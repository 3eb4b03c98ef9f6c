import type { Database } from 'better-sqlite3';
import type { ChainConfig } from '../contract/desk-file.ts';
import { replaceBlacklist } from './project-blacklist.ts';
import { publishImportedLadder } from './project-ladders.ts';
import { switchOffAsImported } from './project-trading.ts';
import type { Projections } from './projection.ts';

/** The configuration as a whole: an import replaces what was there, and starts a new revision of every ladder. */
export function projectDesk(db: Database): Pick<Projections, 'desk_configured'> {
  const saveDesk = db.prepare('INSERT OR REPLACE INTO desk (id, settings, fingerprints) VALUES (1, ?, ?)');
  const saveChain = db.prepare(
    'INSERT INTO chains (chain_id, position, config, limits, takers) VALUES (?, ?, ?, ?, ?)',
  );
  const saveToken = db.prepare('INSERT INTO tokens (chain_id, token_id, token) VALUES (?, ?, ?)');
  const savePair = db.prepare('INSERT INTO pairs (chain_id, pair, definition) VALUES (?, ?, ?)');
  const publishLadder = publishImportedLadder(db);
  const blacklist = replaceBlacklist(db);
  const switchOff = switchOffAsImported(db);

  const listChain = (chain: ChainConfig, position: number, seq: number) => {
    const { limits, takers, off: _off, tokens, pairs, prices, blacklist: _blacklist, ...config } = chain;
    saveChain.run(chain.chainId, position, JSON.stringify(config), JSON.stringify(limits), JSON.stringify(takers));
    for (const [tokenId, token] of Object.entries(tokens)) {
      saveToken.run(chain.chainId, tokenId, JSON.stringify(token));
    }
    for (const [pair, definition] of Object.entries(pairs)) {
      savePair.run(chain.chainId, pair, JSON.stringify(definition));
      publishLadder(chain.chainId, pair, prices[pair], seq);
    }
  };

  return {
    desk_configured: (event) => {
      const { chains, ...settings } = event.body.desk;
      db.exec('DELETE FROM chains; DELETE FROM tokens; DELETE FROM pairs');
      saveDesk.run(JSON.stringify(settings), JSON.stringify(event.body.fingerprints));
      chains.forEach((chain, position) => {
        listChain(chain, position, event.seq);
      });
      switchOff(event);
      blacklist(event);
    },
  };
}
