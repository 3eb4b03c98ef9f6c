import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { addressSchema, type Hex } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { deploymentSchema } from './chain/deployment.ts';
import { intentAddressesSchema } from './intents/settle/intent-chain.ts';
import { routerAddressesSchema } from './router/router-chain.ts';

const hexSchema = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text) => text as Hex);

/** What is kept of one chain. */
const chainFileSchema = z.object({
  /** Tells with which version of the contracts and which tokens it was deployed. */
  codeHash: hexSchema,
  contracts: deploymentSchema,
  /** The maker's allowances that the drill `allowance-gone` took away, raw units by token, until they are given back. */
  taken: z.record(addressSchema, rawAmountSchema).default({}),
  /** The market's contracts, with their own version; null while they are not there. */
  router: z.object({ codeHash: hexSchema, addresses: routerAddressesSchema }).nullable(),
  /** The intent contracts, with theirs. */
  intents: z.object({ codeHash: hexSchema, addresses: intentAddressesSchema }).nullable().default(null),
});
export type ChainFile = z.infer<typeof chainFileSchema>;

/** What a practice folder keeps: keys made once for it, worth nothing anywhere else, and where its contracts are. */
const marketFileSchema = z.object({
  version: z.literal(3),
  /** `bank` deploys and mints, `maker` is the desk's; the others by name: users, and those who run and fill intents. */
  privateKeys: z.object({
    bank: hexSchema,
    maker: hexSchema,
    takers: z.record(z.string(), hexSchema),
    relayers: z.record(z.string(), hexSchema).default({}),
  }),
  counterparty: z.object({ domain: z.string(), accessKey: z.string(), secretKey: z.string() }),
  /** By chain ID. */
  chains: z.record(z.string(), chainFileSchema),
});
export type MarketFile = z.infer<typeof marketFileSchema>;

/** As it was while there was no router: everything is kept, and what is missing deployed. */
const secondVersionSchema = marketFileSchema
  .extend({
    version: z.literal(2),
    chains: z.record(z.string(), chainFileSchema.omit({ router: true, intents: true })),
  })
  .transform(({ chains, ...kept }): MarketFile => {
    const entries = Object.entries(chains).map(
      ([id, chain]) => [id, { ...chain, router: null, intents: null }] as const,
    );
    return { ...kept, version: 3, chains: Object.fromEntries(entries) };
  });

/** As it was while there was one chain and one taker: its keys are kept, its chain is begun anew. */
const firstVersionSchema = z
  .object({
    version: z.literal(1),
    privateKeys: z.object({ bank: hexSchema, maker: hexSchema }),
    counterparty: marketFileSchema.shape.counterparty,
  })
  .transform(
    ({ privateKeys, counterparty }): MarketFile => ({
      version: 3,
      privateKeys: { ...privateKeys, takers: {}, relayers: {} },
      counterparty,
      chains: {},
    }),
  );

const anyVersionSchema = z.union([marketFileSchema, secondVersionSchema, firstVersionSchema]);

/**
 * The market of this folder, with new keys when it has none yet.
 * @throws DeskError `practice_file` when the file cannot be read as one
 */
export function readMarketFile(folder: string): { market: MarketFile; isNew: boolean } {
  const path = pathIn(folder);
  if (!existsSync(path)) {
    const market = newMarket();
    writeMarketFile(folder, market);
    return { market, isNew: true };
  }
  try {
    const market = anyVersionSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { market, isNew: false };
  } catch (cause) {
    throw new DeskError('practice_file', `The practice market's file ${path} cannot be read.`, {
      remedy: 'Choose another folder with --data, or remove this one to begin a new practice market.',
      cause,
    });
  }
}

/** Replaces the file whole, readable by its owner only. */
export function writeMarketFile(folder: string, market: MarketFile): void {
  const path = pathIn(folder);
  writeFileSync(`${path}.new`, `${JSON.stringify(market, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** The keys of these accounts, made for those that have none yet. */
export function namedKeys<Name extends string>(
  known: Readonly<Record<string, Hex>>,
  names: readonly Name[],
): Record<Name, Hex> {
  const keys = names.map((name) => [name, known[name] ?? generatePrivateKey()]);
  return Object.fromEntries(keys) as Record<Name, Hex>;
}

function pathIn(folder: string): string {
  return join(folder, 'market.json');
}

function newMarket(): MarketFile {
  return {
    version: 3,
    privateKeys: { bank: generatePrivateKey(), maker: generatePrivateKey(), takers: {}, relayers: {} },
    counterparty: {
      domain: 'practice',
      accessKey: randomBytes(16).toString('hex'),
      secretKey: randomBytes(32).toString('hex'),
    },
    chains: {},
  };
}
