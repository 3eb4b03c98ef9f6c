import { z } from 'zod';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import { unpackNonceAndMeta } from '../../protocol/nonce-and-meta.ts';
import type { OrderType } from '../../protocol/order-record.ts';
import { orderSchema } from '../../protocol/wire.ts';
import { parseJson } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';

/** Far above any order with an EIP-1271 signature. */
const MAX_BODY_BYTES = 16_384;

const positive = (text: string) => text !== '0';

const inputSchema = orderSchema.extend({
  makerAmount: orderSchema.shape.makerAmount.refine(positive, 'must be above zero'),
  takerAmount: orderSchema.shape.takerAmount.refine(positive, 'must be above zero'),
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x followed by hex bytes')
    .transform((text) => text.toLowerCase() as Hex),
  permitMakerAsset: z.null('must be null').optional(),
});

/** An order as it comes in: fields in lower case, amounts still as text. */
export type OrderInput = z.output<typeof inputSchema>;

/**
 * The order of a posted body: the eight fields, the signature and `permitMakerAsset`, bare or under `order`.
 * @throws WireRefused `InvalidInput`, naming the field
 */
export function parsePosted(body: string): OrderInput {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) {
    throw new WireRefused('InvalidInput', `The body is longer than ${MAX_BODY_BYTES} bytes.`, { status: 413 });
  }
  const json = parseJson(body);
  return parseOrder(typeof json === 'object' && json !== null && 'order' in json ? json.order : json);
}

/** @throws WireRefused `InvalidInput`, naming the field */
export function parseOrder(order: unknown): OrderInput {
  const parsed = inputSchema.safeParse(order);
  if (parsed.success) return parsed.data;
  throw new WireRefused('InvalidInput', `The order is not valid: ${firstFault(parsed.error)}.`);
}

/** The first thing that a schema has against a value, beginning with the field's name. */
export function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  return [...(issue?.path ?? []), issue?.message ?? 'it has another form'].join(' ');
}

/** `P2P` with a named counterparty, `LIMIT` for anybody (PROTOCOL 2.5). */
export function typeOf(order: OrderInput): OrderType {
  return takerFromMeta(order) === ZERO_ADDRESS ? 'LIMIT' : 'P2P';
}

/** Whom `nonceAndMeta` names; the zero address is nobody (PROTOCOL 2.5). */
export function takerFromMeta({ nonceAndMeta }: OrderInput): Address {
  return unpackNonceAndMeta(BigInt(nonceAndMeta)).user;
}
