import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import {
  address,
  CHAIN,
  chain,
  configuredBook,
  deskFile,
  folder,
  importDesk,
  NOON,
  openBook,
  refusal,
  USDC,
  WETH,
} from './fixture.ts';

describe('A desk that was never configured', () => {
  it('has no chains and says so', async () => {
    const { book } = await openBook(folder());
    expect(book.chains()).toEqual([]);
    expect(book.desk().configured).toBe(false);
    expect(await book.deskFile()).toMatchObject({ version: 1, chains: [], counterparties: [] });
  });
});

describe('An import', () => {
  it('puts every chain, token, pair and ladder in force', async () => {
    const { book } = await configuredBook();
    const weth = book.chain(CHAIN)?.market(WETH, USDC);
    expect(weth).toMatchObject({
      side: 'asks',
      pair: { id: 'WETH/USDC', fault: null, ladder: { revision: 1, actor: 'mara', time: NOON } },
    });
    expect(book.chain(CHAIN)?.market(USDC, WETH)?.side).toBe('bids');
    expect(weth?.pair.bids).toHaveLength(2);
    expect([...(book.chain(CHAIN)?.tokens.keys() ?? [])]).toEqual(['WETH', 'USDC', 'DAI']);
  });

  it('is in force again after a restart, with the same revisions', async () => {
    const at = folder();
    const before = await configuredBook(deskFile(), at);
    const snapshot = before.book.chain(CHAIN);
    await before.close();
    const after = await openBook(at);
    expect(after.book.chain(CHAIN)?.pairs).toEqual(snapshot?.pairs);
    expect(after.book.chain(CHAIN)?.config).toEqual(snapshot?.config);
    expect(after.book.desk().fingerprints).toEqual({ practice: 'print of practice' });
  });

  it('is in force only once it is durable', async () => {
    const { book, journal } = await openBook(folder());
    const chainsAtCommit: number[] = [];
    journal.onAppended(() => chainsAtCommit.push(book.chains().length));
    const importing = importDesk(book, deskFile());
    expect(book.chains()).toEqual([]);
    await importing;
    expect(chainsAtCommit).toEqual([0]);
    expect(book.chains()).toHaveLength(1);
  });

  it('replaces what was there, and numbers the ladders on', async () => {
    const { book } = await configuredBook();
    await importDesk(book, { version: 1, chains: [chain({ prices: { 'WETH/USDC': { asks: [['4000', '1']] } } })] });
    expect(book.chain(CHAIN)?.pairs.get('WETH/USDC')?.ladder).toMatchObject({
      revision: 2,
      ladder: { bids: [], asks: [['4000', '1']] },
    });
    expect(book.chain(CHAIN)?.pairs.get('DAI/USDC')?.ladder).toMatchObject({
      revision: 2,
      ladder: { bids: [], asks: [] },
    });
  });

  it('of a faulty file changes nothing and writes nothing', async () => {
    const { book, journal } = await configuredBook();
    const before = { chain: book.chain(CHAIN), head: journal.head() };
    const refused = await refusal(importDesk(book, { version: 1, chains: [chain({ name: '' }), chain({ name: '' })] }));
    expect(refused.code).toBe('desk_file_faulty');
    expect(refused.faults).toHaveLength(4);
    expect({ chain: book.chain(CHAIN), head: journal.head() }).toEqual(before);
  });

  it('writes nothing when the secrets cannot be kept', async () => {
    const { book, journal } = await openBook(folder());
    const keepSecrets = () => Promise.reject(new Error('no passphrase'));
    await expect(book.importDesk(deskFile(), { actor: 'mara', keepSecrets })).rejects.toThrow('no passphrase');
    expect(journal.head().seq).toBe(0);
  });

  it('tells once that everything changed', async () => {
    const { book } = await openBook(folder());
    const told: (number | null)[] = [];
    book.onChange((chainId) => told.push(chainId));
    await importDesk(book, deskFile());
    expect(told).toEqual([null]);
  });

  it('hands the secrets out and keeps none: no byte of them is in the journal', async () => {
    const at = folder();
    const { book, close } = await openBook(at);
    const { secrets } = await importDesk(book, deskFile());
    expect(secrets).toEqual([{ domain: 'practice', accessKey: 'open sesame', secretKey: 'never written down' }]);
    await close();
    for (const bytes of filesOf(at)) expect(bytes).not.toMatch(/sesame|never written/);
  });
});

describe('The desk file of a book', () => {
  it('imports again to the same book', async () => {
    const first = await configuredBook(fullDesk());
    const exported = await first.book.deskFile();
    const second = await configuredBook(exported);
    expect(await second.book.deskFile()).toEqual(exported);
    expect(second.book.chain(CHAIN)?.pairs).toEqual(first.book.chain(CHAIN)?.pairs);
    expect(second.book.chain(CHAIN)?.config).toEqual(first.book.chain(CHAIN)?.config);
    expect(second.book.chain(CHAIN)?.blacklist(NOON)).toEqual([address('1'), address('2')]);
  });

  it('holds the switches as they are now', async () => {
    const { book } = await configuredBook(fullDesk());
    expect((await book.deskFile()).chains[0]?.off).toEqual({ 'DAI/USDC': ['asks'] });
  });

  it('has a retired pair listed, off and without prices, so that an import does not light it again', async () => {
    const { book } = await configuredBook();
    await book.retirePair(CHAIN, 'DAI/USDC', 'mara');
    const exported: DeskFile = await book.deskFile();
    expect(exported.chains[0]).toMatchObject({ off: { 'DAI/USDC': ['bids', 'asks'] } });
    expect(Object.keys(exported.chains[0]?.prices ?? {})).toEqual(['WETH/USDC']);
    await importDesk(book, exported);
    expect(book.chain(CHAIN)?.pairs.get('DAI/USDC')).toMatchObject({ bids: [], asks: [] });
  });

  it('leaves out an entry of the blacklist that has ended', async () => {
    const { book, clock } = await configuredBook(fullDesk());
    clock.now = Date.UTC(2027, 0, 2);
    expect((await book.deskFile()).chains[0]?.blacklist).toEqual([{ address: address('1') }]);
  });
});

function fullDesk() {
  return {
    ...deskFile(),
    deadlineMs: 2_000,
    surfaceNames: ['desk.internal'],
    archiveAfterDays: 30,
    lockAfterMinutes: 45,
    remoteSigner: {
      kind: 'google-kms',
      address: address('d'),
      timeoutMs: 900,
      keyVersion: 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
    },
    deadManMinutes: 45,
    protections: [{ name: 'flow', counts: 'signed', per: 'desk', windowSeconds: 60, limit: '200', freezeSeconds: 30 }],
    chains: [
      chain({
        limits: { maxQuote: { WETH: '10' }, quotesPerUserPerMinute: 5 },
        reserve: { USDC: '1000' },
        takers: [address('7')],
        off: { 'DAI/USDC': ['asks'] },
        referenceUrl: 'http://127.0.0.1:9000/mid',
        blacklist: [address('1'), { address: address('2'), reason: 'toxic', until: '2027-01-01T00:00:00Z' }],
      }),
      chain({ chainId: 1, name: 'Other', basePath: '/1', pairs: {}, prices: {} }),
    ],
  };
}

function filesOf(at: string): string[] {
  return readdirSync(at).map((name) => readFileSync(join(at, name), 'latin1'));
}
