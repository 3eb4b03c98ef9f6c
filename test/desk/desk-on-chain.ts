import { randomBytes } from 'node:crypto';
import { Book } from '../../electron/book/book.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { Credentials } from '../../electron/desk/credentials.ts';
import { type FolderClient, openFolderClient } from '../../electron/desk/folder-client.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import type { Token } from '../../electron/protocol/wire.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import type { TestChain } from '../chain-fixture.ts';
import { PASSPHRASE, temporaryFolder } from './desk-process.ts';

/** The domain of the one counterparty of these desks; its keys are made for each. */
const DOMAIN = 'test';

/** A desk file for the test chain: one pair, three levels a side around 3,412 USDC. */
export function deskFileFor(chain: TestChain, changes: Partial<DeskFile['chains'][number]> = {}): DeskFile {
  const maker = chain.accounts.maker.address;
  return {
    version: 1,
    // A machine on which everything runs at once may be slow: that alone is no reason to refuse.
    deadlineMs: 10_000,
    chains: [
      {
        chainId: chain.chainId,
        name: 'Test',
        basePath: `/${chain.chainId}`,
        rpcUrl: chain.rpcUrl,
        rfqContract: chain.rfqContract,
        domainName: chain.domainName,
        maker,
        signer: maker,
        quoteLifetimeSeconds: 150,
        pricesMaxAgeSeconds: 5,
        overfillBps: 100,
        feedMaxAgeSeconds: 4,
        clipToBalance: true,
        strictListing: false,
        deadSide: 'omit',
        blacklistedAnswer: 'omit',
        balanceMaxAgeSeconds: 30,
        hedgeFeeMultiple: 5,
        hedgeMostGwei: 500,
        headAheadMaxSeconds: 15,
        headMaxAgeSeconds: 120,
        unknownFillHalts: true,
        referenceMaxAgeSeconds: 20,
        referenceCoolDownSeconds: 10,
        retireHours: 24,
        reserve: {},
        limits: { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 },
        takers: [chain.executor],
        off: {},
        referenceUrl: null,
        referenceMinuteBps: 500,
        referenceHourBps: 1_000,
        referenceAnchorBps: 2_500,
        offReferenceBps: 0,
        offReferenceCloses: 'through',
        follow: [],
        serviceUrl: null,
        intentSegment: 'intent',
        tokens: {
          WETH: { symbol: 'WETH', name: 'Wrapped Ether', address: chain.weth, decimals: 18, type: 'ERC20' },
          USDC: { symbol: 'USDC', name: 'USD Coin', address: chain.usdc, decimals: 6, type: 'ERC20' },
        },
        pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1_000_000 } },
        prices: {
          'WETH/USDC': {
            bids: [
              ['3411.4', '2.5'],
              ['3411.05', '4'],
              ['3410.54', '6'],
            ],
            asks: [
              ['3412.96', '2.5'],
              ['3413.31', '4'],
              ['3413.82', '6'],
            ],
          },
        },
        blacklist: [],
        ...changes,
      },
    ],
    counterparties: [
      {
        domain: DOMAIN,
        accessKey: randomBytes(16).toString('hex'),
        secretKey: randomBytes(32).toString('hex'),
        signedPath: 'full',
      },
    ],
  };
}

/** A third token of the chain, with 18 decimals: the maker holds a million of it, and has approved more. */
export async function deployDai({ accounts: { maker }, rfqContract }: TestChain): Promise<Address> {
  const dai = await maker.deploy(TEST_TOKEN, ['Dai', 'DAI', 18]);
  await maker.call(TEST_TOKEN, dai, 'mint', [maker.address, 10n ** 24n]);
  await maker.call(TEST_TOKEN, dai, 'approve', [rfqContract, 10n ** 30n]);
  return dai;
}

export function tokenOf(symbol: string, address: Address, decimals: number): Token {
  return { symbol, name: symbol, address, decimals, type: 'ERC20' };
}

/** A desk file with WETH/USDC and DAI/USDC; 18 are the right decimals of DAI. */
export function twoPairsFor(
  chain: TestChain,
  dai: Address,
  { decimals = 18, ...changes }: { decimals?: number } & Partial<DeskFile['chains'][number]> = {},
): DeskFile {
  const file = deskFileFor(chain, changes);
  for (const one of file.chains) {
    one.tokens.DAI = tokenOf('DAI', dai, decimals);
    one.pairs['DAI/USDC'] = { base: 'DAI', quote: 'USDC', liquidityUSD: 1_000 };
    one.prices['DAI/USDC'] = { bids: [['0.9999', '10000']], asks: [['1.0001', '1000']] };
  }
  return file;
}

/**
 * Puts a desk file into a folder in which no desk runs, past the command, which would halt it first: nobody resumes a desk of
 * which such a thing is known.
 */
export async function importUnseen(folder: string, file: DeskFile): Promise<void> {
  const journal = await openJournal({ folder, now: Date.now });
  const book = await Book.open({ journal, now: Date.now });
  const credentials = new Credentials(folder, async () => PASSPHRASE);
  await book.importDesk(file, { actor: 'mara', keepSecrets: (...secrets) => credentials.keep(...secrets) });
  await journal.close();
}

/**
 * A folder with the chain's maker key, the desk file imported, and the desk armed: ready for `serve`. Both are done as
 * their commands do them, within this process: most of what a command costs is to start a program.
 */
export async function armedFolder(
  chain: { accounts: { maker: { privateKey: Hex } } },
  desk: DeskFile,
  made = temporaryFolder(),
): Promise<{ folder: string; remove(): void }> {
  await storeKey(made.folder, PASSPHRASE, chain.accounts.maker.privateKey, randomBytes, { scryptCost: 2 });
  await onFolder(made.folder, (client) => client.desk.import({ desk }));
  await onFolder(made.folder, (client) => client.trading.resume({ scope: {}, reason: 'a test begins' }));
  return made;
}

/** Does something in a folder on which no desk runs, as a command does. */
async function onFolder(folder: string, act: (desk: FolderClient['desk']) => Promise<unknown>): Promise<void> {
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE, { isAtHand: true });
  try {
    await act(client.desk);
  } finally {
    await client.close();
  }
}
