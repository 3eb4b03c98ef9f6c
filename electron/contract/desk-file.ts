import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import { levelSchema, pairSchema, tokenSchema } from '../protocol/wire.ts';
import { chainIdSchema, pairIdSchema, tokenIdSchema } from './names.ts';

/** Limits of a chain. A missing or zero limit is off. Amounts are decimal token units, keyed by token ID. */
export const limitsSchema = z.strictObject({
  maxQuote: z.record(tokenIdSchema, decimalSchema).default({}),
  maxOutstanding: z.record(tokenIdSchema, decimalSchema).default({}),
  quotesPerUserPerMinute: z.int().nonnegative().default(0),
  ladderMaxAgeSeconds: z.int().nonnegative().default(0),
});
export type Limits = z.infer<typeof limitsSchema>;

export const blacklistEntrySchema = z.strictObject({
  address: addressSchema,
  reason: z.string().max(500).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});
export type BlacklistEntry = z.infer<typeof blacklistEntrySchema>;

/** A published ladder in the desk file: either side may be missing (spec 4.3, prices rule 1). */
export const ladderSchema = z.strictObject({
  bids: z.array(levelSchema).max(200).default([]),
  asks: z.array(levelSchema).max(200).default([]),
});
export type Ladder = z.infer<typeof ladderSchema>;

export const chainConfigSchema = z.strictObject({
  chainId: chainIdSchema,
  name: z.string().min(1).max(60),
  basePath: z.string().regex(/^(\/[A-Za-z0-9._~-]+)*$/, 'must begin with / and not end with one'),
  rpcUrl: z.url({ protocol: /^(https?|wss?)$/ }),
  rfqContract: addressSchema,
  domainName: z.string().min(1).max(60),
  maker: addressSchema,
  signer: addressSchema,
  quoteLifetimeSeconds: z.int().min(125).max(3600).default(150),
  overfillBps: z.int().min(0).max(1000).default(100),
  clipToBalance: z.boolean().default(true),
  deadSide: z.enum(['omit', 'empty']).default('omit'),
  blacklistedAnswer: z.enum(['omit', 'forbidden']).default('omit'),
  balanceMaxAgeSeconds: z.int().min(1).max(600).default(30),
  referenceMaxAgeSeconds: z.int().min(1).max(3600).default(20),
  retireHours: z.int().min(0).max(720).default(24),
  /** Token units kept back from quoting, by token ID. */
  reserve: z.record(tokenIdSchema, decimalSchema).default({}),
  limits: limitsSchema.prefault({}),
  takers: z.array(addressSchema).default([]),
  off: z.record(pairIdSchema, z.array(sideSchema).min(1)).default({}),
  referenceUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  /** Pairs whose ladder moves with the reference until a person publishes or switches off (README, "Following the reference"). */
  follow: z.array(pairIdSchema).default([]),
  serviceUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  intentSegment: z.string().min(1).default('intent'),
  tokens: z.record(tokenIdSchema, tokenSchema).default({}),
  pairs: z.record(pairIdSchema, pairSchema).default({}),
  prices: z.record(pairIdSchema, ladderSchema).default({}),
  blacklist: z
    .array(z.union([addressSchema.transform((address): BlacklistEntry => ({ address })), blacklistEntrySchema]))
    .default([]),
});
export type ChainConfig = z.infer<typeof chainConfigSchema>;

/** Credentials of one traffic source (spec 5.2). `secretKey` is absent from an export without secrets. */
export const counterpartySchema = z.strictObject({
  domain: z.string().min(1).max(200),
  accessKey: z.string().min(1).max(500).optional(),
  secretKey: z.string().min(1).max(500).optional(),
  signedPath: z.enum(['full', 'without-prefix']).default('full'),
});
export type CounterpartyConfig = z.infer<typeof counterpartySchema>;

/** What goes out as `X-API-KEY`: one header's value. */
export const serviceKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 printable characters, no blanks');

/** An address without a path, such as `https://api.example.com`. */
const originSchema = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && new URL(url).origin === url, 'must be an origin: an address without a path');

/** The desk file, as `makerdesk import` takes it and `export` gives it. Cross-field faults are found in book/. */
export const deskFileSchema = z.strictObject({
  version: z.literal(1),
  deadlineMs: z.int().min(100).max(10_000).default(3_000),
  chains: z.array(chainConfigSchema),
  counterparties: z.array(counterpartySchema).default([]),
  /** Keys to services, by origin. Only in an export with secrets, and only where there are any. */
  serviceKeys: z.record(originSchema, serviceKeySchema).optional(),
});
export type DeskFile = z.infer<typeof deskFileSchema>;
