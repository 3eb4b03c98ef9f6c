import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { deploymentSchema } from './deployment.ts';

const hexSchema = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .transform((text) => text as Hex);

/** What a practice folder keeps: keys made once for it, worth nothing anywhere else, and where its contracts are. */
const marketFileSchema = z.object({
  version: z.literal(1),
  /** `bank` deploys and mints, `maker` is the desk's, `user` the taker's. */
  privateKeys: z.object({ bank: hexSchema, maker: hexSchema, user: hexSchema }),
  counterparty: z.object({ domain: z.string(), accessKey: z.string(), secretKey: z.string() }),
  /** `codeHash` tells with which version of the contracts it was made. */
  deployed: z.object({ codeHash: hexSchema, contracts: deploymentSchema }).nullable(),
});
export type MarketFile = z.infer<typeof marketFileSchema>;

/**
 * The market of this folder, with new keys when it has none yet.
 * @throws DeskError `practice_file` when the file cannot be read as one
 */
export function readMarketFile(folder: string): MarketFile {
  const path = pathIn(folder);
  if (!existsSync(path)) {
    const market = newMarket();
    writeMarketFile(folder, market);
    return market;
  }
  try {
    return marketFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
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

function pathIn(folder: string): string {
  return join(folder, 'market.json');
}

function newMarket(): MarketFile {
  return {
    version: 1,
    privateKeys: { bank: generatePrivateKey(), maker: generatePrivateKey(), user: generatePrivateKey() },
    counterparty: {
      domain: 'practice',
      accessKey: randomBytes(16).toString('hex'),
      secretKey: randomBytes(32).toString('hex'),
    },
    deployed: null,
  };
}
