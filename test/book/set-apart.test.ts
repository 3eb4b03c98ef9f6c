import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ChainBook } from '../../electron/book/chain-book.ts';
import type { DraftEdit } from '../../electron/contract/book.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import { address, CHAIN, chain, configuredBook, DAI, folder, NOON, openBook, USDC, USER, WETH } from './fixture.ts';

const desk = { version: 1, chains: [chain({ blacklist: [USER, address('2')] })] };

/** A book whose tables were changed behind the desk's back. */
async function poisoned(sql: string, ...values: (string | number)[]): Promise<ChainBook> {
  const at = folder();
  const { close } = await configuredBook(desk, at);
  await close();
  const db = new Database(join(at, 'journal.db'));
  expect(db.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  db.close();
  const { book } = await openBook(at);
  const found = book.chain(CHAIN);
  if (found === undefined) throw new Error('the chain is gone');
  return found;
}

const quoted = (book: ChainBook | undefined) =>
  [...(book?.pairs.values() ?? [])].filter(({ bids }) => bids.length > 0).map(({ id }) => id);
const apart = (book: ChainBook) => book.setApart.map(({ kind, id, fault }) => `${kind} ${id}: ${fault}`);

describe('In a stored book', () => {
  it('a pair of an unknown token is set apart and the others are quoted', async () => {
    const book = await poisoned(
      "UPDATE pairs SET definition = replace(definition, 'WETH', 'WHAT') WHERE pair = 'WETH/USDC'",
    );
    expect(quoted(book)).toEqual(['DAI/USDC']);
    expect(book.market(WETH, USDC)).toBeUndefined();
    expect(apart(book)).toEqual(['pair WETH/USDC: pairs["WETH/USDC"].base: "WHAT" is not a listed token']);
  });

  it('a crossed ladder is not quoted; its pair stays on the screen with the fault', async () => {
    const { book } = await withCrossedLadder();
    expect(quoted(book.chain(CHAIN))).toEqual(['DAI/USDC']);
    expect(book.chain(CHAIN)?.pairs.get('WETH/USDC')).toMatchObject({
      bids: [],
      asks: [],
      fault: expect.stringMatching(/crossed/),
      ladder: { revision: 2 },
    });
    expect(book.chain(CHAIN)?.market(WETH, USDC)).toBeUndefined();
  });

  it('a token that is not even JSON any more is set apart, with its own pairs and no others', async () => {
    const book = await poisoned("UPDATE tokens SET token = '{broken' WHERE token_id = 'DAI'");
    expect(quoted(book)).toEqual(['WETH/USDC']);
    expect(apart(book)).toHaveLength(2);
  });

  it('a token with a bad address takes its own pairs with it and no others', async () => {
    const book = await poisoned(`UPDATE tokens SET token = replace(token, '${DAI}', '0x1') WHERE token_id = 'DAI'`);
    expect(quoted(book)).toEqual(['WETH/USDC']);
    expect([...book.tokens.keys()]).toEqual(['WETH', 'USDC']);
    expect(apart(book)).toEqual([
      'token DAI: address: must be 0x followed by 40 hex characters',
      'pair DAI/USDC: its token "DAI" is set aside',
    ]);
  });

  it('a token with the address of another in use takes both out: nobody can say which is right', async () => {
    const book = await poisoned(`UPDATE tokens SET token = replace(token, '${DAI}', '${WETH}') WHERE token_id = 'DAI'`);
    expect(quoted(book)).toEqual([]);
    expect([...book.tokens.keys()]).toEqual(['USDC']);
  });

  it('a token nobody uses with the address of another goes alone', async () => {
    const book = await poisoned(`INSERT INTO tokens SELECT chain_id, 'AAA', token FROM tokens WHERE token_id = 'WETH'`);
    expect(quoted(book)).toEqual(['WETH/USDC', 'DAI/USDC']);
    expect(apart(book)).toEqual(['token AAA: address: is the address of WETH too']);
  });

  it('a second direction of a pair without prices goes alone', async () => {
    const book = await poisoned(
      `INSERT INTO pairs VALUES (?, 'USDC/WETH', '{"base":"USDC","quote":"WETH","liquidityUSD":1}', NULL)`,
      CHAIN,
    );
    expect(quoted(book)).toEqual(['WETH/USDC', 'DAI/USDC']);
    expect(book.pairs.get('USDC/WETH')?.fault).toMatch(/^is the other direction of "WETH\/USDC"/);
  });

  it('two priced pairs of one market are both set apart', async () => {
    const book = await poisoned(
      `UPDATE pairs SET definition = replace(definition, 'DAI', 'WETH') WHERE pair = 'DAI/USDC'`,
    );
    expect(quoted(book)).toEqual([]);
    expect(book.pairs.get('WETH/USDC')?.fault).toMatch(/^has the same tokens as "DAI\/USDC"/);
  });

  it('a retirement without a readable end keeps its pair dark', async () => {
    const book = await poisoned("UPDATE pairs SET retired_until = -1 WHERE pair = 'WETH/USDC'");
    expect(quoted(book)).toEqual(['DAI/USDC']);
    expect(book.pairs.has('WETH/USDC')).toBe(true);
  });

  it('a bad address on the blacklist goes alone', async () => {
    const book = await poisoned(`UPDATE blacklist SET address = 'somebody' WHERE address = ?`, USER);
    expect(book.blacklist(NOON)).toEqual([address('2')]);
    expect(apart(book)).toEqual(['address somebody: must be 0x followed by 40 hex characters']);
    expect(quoted(book)).toEqual(['WETH/USDC', 'DAI/USDC']);
  });

  it('an unreadable limit takes the chain out, because to drop it would be a start', async () => {
    const at = folder();
    const { close } = await configuredBook(desk, at);
    await close();
    const db = new Database(join(at, 'journal.db'));
    db.prepare(`UPDATE chains SET limits = '{"maxQuote":{"WETH":"lots"}}'`).run();
    db.close();
    const { book } = await openBook(at);
    expect(book.chains()).toEqual([]);
    expect(book.desk().setApart).toEqual([
      {
        kind: 'chain',
        id: 'Practice',
        chainId: CHAIN,
        fault: 'limits.maxQuote.WETH: must be a plain decimal number such as 3412.5',
      },
    ]);
  });

  it('a pair with a bad ladder is mended by publishing a good one', async () => {
    const { book } = await withCrossedLadder();
    expect(book.draft(CHAIN, 'WETH/USDC')).toMatchObject({ baseRevision: 2, bids: [], asks: [] });
    const level: DraftEdit = { kind: 'insert', side: 'asks', level: 0, price: '3413', amount: '1' };
    const { version } = await book.edit(CHAIN, 'WETH/USDC', [level], 'mara');
    await book.publish(CHAIN, 'WETH/USDC', version, 'mara');
    expect(book.chain(CHAIN)?.market(WETH, USDC)?.pair).toMatchObject({ fault: null, ladder: { revision: 3 } });
  });
});

/** A book in whose journal stands a ladder that no publication of this room would have let through. */
async function withCrossedLadder() {
  const at = folder();
  const { journal, close } = await configuredBook(desk, at);
  const ladder: Ladder = { bids: [['3413', '1']], asks: [['3412', '1']] };
  const body = { chainId: CHAIN, pair: 'WETH/USDC', revision: 2, baseRevision: 1, ladder };
  await journal.append({ time: NOON, actor: 'somebody', kind: 'ladder_published', body });
  await close();
  return openBook(at);
}
