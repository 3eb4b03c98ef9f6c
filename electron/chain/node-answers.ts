import { z } from 'zod';
import { type Address, addressSchema, type Hex } from '../protocol/address.ts';

/** Shapes of what a node answers (Ethereum JSON-RPC), as far as the desk reads them. */

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/** A block number, an index or Unix seconds: whole and exact as a number. */
export const countSchema = quantity.transform((value, context) => {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  context.addIssue('must be a number that a block chain can reach');
  return z.NEVER;
});

export const hashSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex);

/** No pairs of digits in the pattern: over megabytes of them an engine runs out of stack. */
export const bytesSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .refine((text) => text.length % 2 === 0)
  .transform((text) => text.toLowerCase() as Hex);

/** `timestamp` is Unix seconds. */
export const blockHeaderSchema = z.object({
  number: countSchema,
  hash: hashSchema,
  parentHash: hashSchema,
  timestamp: countSchema,
});
export type BlockHeader = z.infer<typeof blockHeaderSchema>;

export const logSchema = z.object({
  address: addressSchema,
  topics: z.array(hashSchema).max(4),
  data: bytesSchema,
  blockNumber: countSchema,
  blockHash: hashSchema,
  transactionHash: hashSchema,
  logIndex: countSchema,
  removed: z.boolean().optional(),
});
export type NodeLog = z.infer<typeof logSchema>;

/** Who sent a transaction, to what, and what it did. */
export const receiptSchema = z.object({
  from: addressSchema,
  to: addressSchema.nullish(),
  logs: z.array(z.object({ address: addressSchema, topics: z.array(hashSchema).max(4), data: bytesSchema })),
});

/** `data` is what a call reverted with, where the node tells it. */
const rpcErrorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
export type RpcError = z.infer<typeof rpcErrorSchema>;

/** `id` is null when the node could not even read what it was asked. */
export const rpcResponseSchema = z.object({
  id: z.number().nullish(),
  result: z.unknown().optional(),
  error: rpcErrorSchema.nullish(),
});

/** The number, as JSON-RPC writes it. */
export function toQuantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}

/** An address as a 32-byte topic. */
export function addressTopic(address: Address): Hex {
  return `0x${address.slice(2).padStart(64, '0')}`;
}
