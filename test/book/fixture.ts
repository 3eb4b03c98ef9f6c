import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Book } from '../../electron/book/book.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import type { Address } from '../../electron/protocol/address.ts';

export const CHAIN = 31337;
export const NOON = Date.UTC(2026, 10, 20, 12);
export const HOUR = 3_600_000;

export const address = (digit: string): Address => `0x${digit.repeat(40)}` as Address;
export const WETH = address('a');
export const USDC = address('b');
export const DAI = address('c');
export const USER = address('1');

/** A desk file in which everything is in order: two pairs, both priced, one counterparty. */
export function deskFile() {
  return {
    version: 1,
    chains: [chain()],
    counterparties: [{ domain: 'practice', accessKey: 'open sesame', secretKey: 'never written down' }],
  };
}

export function chain(changes: Record<string, unknown> = {}) {
  return {
    chainId: CHAIN,
    name: 'Practice',
    basePath: '/31337',
    rpcUrl: 'http://127.0.0.1:8545',
    rfqContract: address('e'),
    domainName: 'PRACTICE RFQ',
    maker: address('d'),
    signer: address('d'),
    tokens: {
      WETH: { symbol: 'WETH', name: 'Wrapped Ether', address: WETH, decimals: 18, type: 'ERC20' },
      USDC: { symbol: 'USDC', name: 'USD Coin', address: USDC, decimals: 6, type: 'ERC20' },
      DAI: { symbol: 'DAI', name: 'Dai', address: DAI, decimals: 18, type: 'ERC20' },
    } as Record<string, unknown>,
    pairs: {
      'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 100_000 },
      'DAI/USDC': { base: 'DAI', quote: 'USDC', liquidityUSD: 50_000 },
    } as Record<string, unknown>,
    prices: {
      'WETH/USDC': {
        bids: [
          ['3412.5', '1'],
          ['3412', '2.5'],
        ],
        asks: [['3413', '1']],
      },
      'DAI/USDC': { bids: [['0.9999', '1000']], asks: [['1.0001', '1000']] },
    } as Record<string, unknown>,
    blacklist: [] as unknown[],
    ...changes,
  };
}

/** A folder that is gone after the test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'book-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export type OpenBook = { book: Book; journal: Journal; clock: { now: number }; close(): Promise<void> };

/** Opens the book of a folder on its real journal. The clock stands still until a test moves it. */
export async function openBook(at: string, clock = { now: NOON }): Promise<OpenBook> {
  const journal = await openJournal({ folder: at, now: () => clock.now });
  const book = await Book.open({ journal, now: () => clock.now });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= journal.close();
    return closing;
  };
  onTestFinished(close);
  return { book, journal, clock, close };
}

/** A book with the desk file of this fixture in it. */
export async function configuredBook(desk: unknown = deskFile(), at = folder()): Promise<OpenBook> {
  const opened = await openBook(at);
  await importDesk(opened.book, desk);
  return opened;
}

export function importDesk(book: Book, desk: unknown) {
  return book.importDesk(desk, {
    actor: 'mara',
    keepSecrets: (secrets) => Object.fromEntries(secrets.map(({ domain }) => [domain, `print of ${domain}`])),
  });
}

/** What a promise is rejected with. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string; faults: string[]; message: string }> {
  try {
    await promise;
  } catch (error) {
    const {
      code,
      message,
      faults = [],
    } = error as { code: string; message: string; faults?: { path: string; message: string }[] };
    return { code, message, faults: faults.map((fault) => `${fault.path}: ${fault.message}`) };
  }
  throw new Error('nothing was refused');
}
