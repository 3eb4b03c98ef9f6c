import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { sideSchema } from '../protocol/side.ts';
import { levelSchema, pairSchema, tokenSchema } from '../protocol/wire.ts';
import { alertsFileSchema } from './alert-ways.ts';
import { formulaSchema } from './formula.ts';
import { limitsSchema } from './limits.ts';
import { chainIdSchema, pairIdSchema, tokenIdSchema } from './names.ts';
import { protectionsSchema } from './protections.ts';
import { remoteSignerSchema } from './remote-signer.ts';
import { pairReferenceSchema, REFERENCE_MOST_AGE_SECONDS, sourceNameSchema, sourceSchema } from './sources.ts';

export const blacklistEntrySchema = z.strictObject({
  address: addressSchema,
  reason: z.string().max(500).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  /** True: this desk alone blacklists the user, and `GET /blacklist` does not name them. */
  onlyHere: z.boolean().optional(),
});
export type BlacklistEntry = z.infer<typeof blacklistEntrySchema>;

/** A published ladder in the desk file: either side may be missing (PROTOCOL 4.3.2). */
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
  /** Nodes of the chain that are asked in the place of `rpcUrl` while that fails, in this order. */
  spareRpcUrls: z
    .array(z.url({ protocol: /^(https?|wss?)$/ }))
    .max(4)
    .optional(),
  /** Another node of the chain: nothing is believed that the two do not both say. */
  secondRpcUrl: z.url({ protocol: /^(https?|wss?)$/ }).nullish(),
  rfqContract: addressSchema,
  domainName: z.string().min(1).max(60),
  maker: addressSchema,
  signer: addressSchema,
  quoteLifetimeSeconds: z.int().min(125).max(3600).default(150),
  overfillBps: z.int().min(0).max(1000).default(200),
  clipToBalance: z.boolean().default(true),
  /** Prices that stand still go over the WebSocket again before they are so old; 0: never (PROTOCOL 6). */
  feedMaxAgeSeconds: z.int().min(0).max(60).default(4),
  /** Leaves out of what is served every token and pair for which strict counterparties discard the whole list. */
  strictListing: z.boolean().default(false),
  deadSide: z.enum(['omit', 'empty']).default('omit'),
  blacklistedAnswer: z.enum(['omit', 'forbidden']).default('omit'),
  balanceMaxAgeSeconds: z.int().min(1).max(600).default(30),
  /** A newest block further ahead of our clock, or older than this, closes the chain. */
  headAheadMaxSeconds: z.int().min(1).max(600).default(15),
  headMaxAgeSeconds: z.int().min(5).max(3600).default(120),
  /** Whether a fill of an order that this desk never signed halts the desk. It is an alarm in any case. */
  unknownFillHalts: z.boolean().default(true),
  referenceMaxAgeSeconds: z.int().min(1).max(REFERENCE_MOST_AGE_SECONDS).default(20),
  /** A pair whose reference was older than that is quoted again once it has been fresh for this long; 0: at once. */
  referenceCoolDownSeconds: z.int().min(0).max(3600).default(10),
  /** Prices that an engine pushes and has not said again for so long are not quoted. */
  pricesMaxAgeSeconds: z.int().min(1).max(600).default(5),
  retireHours: z.int().min(0).max(720).default(24),
  /** Token units kept back from quoting, by token ID. */
  reserve: z.record(tokenIdSchema, decimalSchema).default({}),
  limits: limitsSchema.prefault({}),
  takers: z.array(addressSchema).default([]),
  /** Execution contracts that the service names and a person does not want. */
  takersLeftOut: z.array(addressSchema).optional(),
  off: z.record(pairIdSchema, z.array(sideSchema).min(1)).default({}),
  referenceUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  /** Other places where prices come from, by name; `referenceUrl` is the one called "reference" (resources/handbook/pricing.md, "Several sources"). */
  sources: z.record(sourceNameSchema, sourceSchema).optional(),
  /** Pairs whose reference is made of sources that are named; the others have what `referenceUrl` says. */
  references: z.record(pairIdSchema, pairReferenceSchema).optional(),
  /**
   * How far the reference may move within a minute, within an hour, and from the ladder that a person published last, bps;
   * beyond it is not believed. 0: any distance.
   */
  referenceMinuteBps: z.int().min(0).max(100_000).default(500),
  referenceHourBps: z.int().min(0).max(100_000).default(1_000),
  referenceAnchorBps: z.int().min(0).max(100_000).default(2_500),
  /** How far outwards of the reference a best price may stand before it is an alert, bps; 0: as far as its own spread. */
  offReferenceBps: z.int().min(0).max(10_000).default(0),
  /** Which sides the desk closes by itself: bids over and asks under the reference, also those too far off it, or none. */
  offReferenceCloses: z.enum(['through', 'far', 'none']).default('through'),
  /**
   * How far any price may stand from the reference, whichever way, bps: beyond the soft fence it is an alert and publishing asks, beyond
   * the hard one the side is closed and such prices cannot be published, and without a fresh reference its pair is closed. 0: anywhere.
   */
  fenceSoftBps: z.int().min(0).max(10_000).optional(),
  fenceHardBps: z.int().min(0).max(10_000).optional(),
  /** How many times its first fee a hedge's transaction may come to offer when the chain does not take it; 1: it is never replaced. */
  hedgeFeeMultiple: z.int().min(1).max(100).default(5),
  /** The most that a hedge's transaction offers for a unit of gas, gwei: one node alone says what it costs. Above it the hedge waits. */
  hedgeMostGwei: z.int().min(1).max(1_000_000).default(500),
  /** Pairs whose ladder moves with the reference until a person publishes or switches off (resources/handbook/pricing.md). */
  follow: z.array(pairIdSchema).default([]),
  /** Pairs that the desk prices by itself, with the formula of each (resources/handbook/pricing.md). */
  formulas: z.record(pairIdSchema, formulaSchema).optional(),
  /** Pairs that a person took over: neither an engine nor a formula prices them until somebody gives them back. */
  byHand: z.array(pairIdSchema).optional(),
  serviceUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  intentSegment: z.string().min(1).default('intent'),
  /** The service's contracts that may be given tokens, where they are not those of the network's preset. */
  router: addressSchema.nullish(),
  intentContract: addressSchema.nullish(),
  permit2: addressSchema.nullish(),
  /** The name that the desk has registered under with the service; without one each hedge pays the fee of those who have none. */
  partner: z.string().min(1).max(60).nullish(),
  tokens: z.record(tokenIdSchema, tokenSchema).default({}),
  pairs: z.record(pairIdSchema, pairSchema).default({}),
  prices: z.record(pairIdSchema, ladderSchema).default({}),
  blacklist: z
    .array(z.union([addressSchema.transform((address): BlacklistEntry => ({ address })), blacklistEntrySchema]))
    .default([]),
});
export type ChainConfig = z.infer<typeof chainConfigSchema>;

/** Addresses, and networks as CIDR, of either version. */
export const networksSchema = z
  .array(
    z.union(
      [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
      'must be an address, or a network such as 203.0.113.0/24 or 2001:db8::/32',
    ),
  )
  .min(1, 'must name an address, or be left out')
  .max(100);

/** Whoever guesses a secret is given quotes as that counterparty: a new one has so many characters. One that was agreed on before is taken as it is. */
export const LEAST_SECRET = 16;

/** Credentials of one traffic source (PROTOCOL 5.2). `secretKey` is absent from an export without secrets. */
export const counterpartySchema = z.strictObject({
  domain: z.string().min(1).max(200),
  accessKey: z.string().min(1).max(500).optional(),
  secretKey: z.string().min(1).max(500).optional(),
  signedPath: z.enum(['full', 'without-prefix']).default('full'),
  /** False: a firm request that is sent again as it was signed gives another order each time. */
  oneOrderPerSignature: z.boolean().optional(),
  /** Where its requests may come from; left out: from anywhere. */
  addresses: networksSchema.optional(),
  /** The desk's own proxies that its requests come through: they say in X-Forwarded-For where from. */
  proxies: networksSchema.optional(),
});
export type CounterpartyConfig = z.infer<typeof counterpartySchema>;

/** How the fingerprint of a counterparty's earlier keys, which are still taken, is named beside that of its keys, which has its domain. */
export function earlierOf(domain: string): string {
  return `earlier ${domain}`;
}

/** What goes out as `X-API-KEY`: one header's value. */
export const serviceKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,500}$/, 'must be 1 to 500 printable characters, no spaces');

/** An address without a path, such as `https://api.example.com`. */
const originSchema = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && new URL(url).origin === url, 'must be an origin: an address without a path');

/** Host names, at most 20. */
export const surfaceNamesSchema = z
  .array(
    z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, 'must be a host name in lower case, without a port'),
  )
  .max(20);

/** Minutes, up to a week. */
export const lockAfterSchema = z.int().min(1).max(10_080);

export const SHORTEST_DEAD_MAN = 2;
/** Minutes, up to a day. */
export const deadManSchema = z.int().min(SHORTEST_DEAD_MAN).max(1_440);

/** The desk file, as `makerdesk import` takes it and `export` gives it. Cross-field faults are found in book/. */
export const deskFileSchema = z.strictObject({
  version: z.literal(1),
  deadlineMs: z.int().min(100).max(10_000).default(3_000),
  chains: z.array(chainConfigSchema),
  counterparties: z.array(counterpartySchema).default([]),
  /** Names in the Host header that a surface without counterparties answers to, beside those of loopback. */
  surfaceNames: surfaceNamesSchema.optional(),
  /** Quotes that are over move from the journal into archives beside it once they are so old; without it only when somebody says so. */
  archiveAfterDays: z.int().min(2).max(3_650).optional(),
  /** The key is locked after so many minutes without an act of a person; without it only when somebody says so. */
  lockAfterMinutes: lockAfterSchema.optional(),
  /** Who has the key, where it is not in the folder. */
  remoteSigner: remoteSignerSchema.optional(),
  /** What may be signed in a time, and what is frozen where that would be passed. */
  protections: protectionsSchema.optional(),
  /** The desk halts after so many minutes without a sign of a person; without it never for that. */
  deadManMinutes: deadManSchema.optional(),
  /** Where alerts are told beside the console. A file that says nothing of it leaves it as it is. */
  alerts: alertsFileSchema.optional(),
  /** Keys to services, by origin. Only in an export with secrets, and only where there are any. */
  serviceKeys: z.record(originSchema, serviceKeySchema).optional(),
});
export type DeskFile = z.infer<typeof deskFileSchema>;
