import { z } from 'zod';
import { type Address, addressSchema, ZERO_ADDRESS } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import type { GivenAmount } from './side.ts';

/** The largest body that is looked at, bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

const notZero = (address: Address) => address !== ZERO_ADDRESS;
/** Digits of an amount at most, leading zeros included. */
const MOST_DIGITS = 100;

/** An amount as a request may write it, with leading zeros, in canonical form; `null` is the same as none. */
const positiveAmount = z
  .string()
  .max(MOST_DIGITS, `must have at most ${MOST_DIGITS} digits`)
  .transform((text) => text.replace(/^0+(?=[0-9])/, ''))
  .pipe(rawAmountSchema.refine((text) => text !== '0', 'must be above zero'))
  .nullish()
  .transform((amount) => amount ?? undefined);

/**
 * The body of `POST /firm` (PROTOCOL 4.3): exactly one amount, in raw units, where `null` counts as absent; fields it does
 * not know are left out. Addresses may come in any casing and go on in lower case.
 */
export const firmRequestSchema = z
  .object({
    makerAsset: addressSchema,
    takerAsset: addressSchema,
    makerAmount: positiveAmount,
    takerAmount: positiveAmount,
    userAddress: addressSchema.refine(notZero, 'must not be the zero address'),
    takerAddress: addressSchema.refine(notZero, 'must not be the zero address'),
  })
  .refine((body) => (body.makerAmount === undefined) !== (body.takerAmount === undefined), {
    message: 'exactly one of makerAmount and takerAmount must be given',
  })
  .refine((body) => body.makerAsset !== body.takerAsset, {
    message: 'must not be the same token as makerAsset',
    path: ['takerAsset'],
  })
  .transform(({ makerAmount, takerAmount, ...body }) => ({
    ...body,
    given: (makerAmount === undefined ? 'takerAmount' : 'makerAmount') as GivenAmount,
    amount: BigInt(makerAmount ?? takerAmount ?? 0),
  }));

/** A firm request as the desk works with it: which amount is given, and that amount in raw units. */
export type FirmRequest = z.output<typeof firmRequestSchema>;

/** A firm request as it is sent. */
export type FirmRequestBody = z.input<typeof firmRequestSchema>;

export type ParsedFirmRequest =
  | {
      ok: true;
      request: FirmRequest;
      /** The three addresses that an answer repeats, as this request spelt them. */
      spelling: { makerAsset: string; takerAsset: string; taker: string };
    }
  | { ok: false; sentence: string };

/** Reads the bytes of a `POST /firm` body; the sentence of a refusal names the field. Never throws. */
export function parseFirmRequest(body: Uint8Array): ParsedFirmRequest {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return { ok: false, sentence: 'The body is not JSON.' };
  }
  const plain = plainRequest(json);
  const parsed = plain === null ? firmRequestSchema.safeParse(json) : { success: true as const, data: plain };
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return { ok: false, sentence: `The request is not valid: ${field === '' ? '' : `${field} `}${issue?.message}.` };
  }
  const sent = json as FirmRequestBody;
  const spelling = { makerAsset: sent.makerAsset, takerAsset: sent.takerAsset, taker: sent.takerAddress };
  return { ok: true, request: parsed.data, spelling };
}

const PLAIN_ADDRESS = /^0x[a-fA-F0-9]{40}$/;
/** As many digits as any number below 2^256 may have. */
const PLAIN_AMOUNT = /^[1-9][0-9]{0,76}$/;

/**
 * What the schema makes of a request as the service writes them, for a part of what the schema takes to find that out; null
 * where only the schema can tell.
 */
export function plainRequest(json: unknown): FirmRequest | null {
  if (typeof json !== 'object' || json === null) return null;
  const { makerAsset, takerAsset, userAddress, takerAddress, makerAmount, takerAmount } = json as Record<
    string,
    unknown
  >;
  const given: GivenAmount = takerAmount === undefined ? 'makerAmount' : 'takerAmount';
  const [amount, other] = given === 'makerAmount' ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  if (other !== undefined || typeof amount !== 'string' || !PLAIN_AMOUNT.test(amount)) return null;
  const [maker, taker] = [plainAddress(makerAsset), plainAddress(takerAsset)];
  const [user, caller] = [plainAddress(userAddress), plainAddress(takerAddress)];
  if (maker === null || taker === null || user === null || caller === null) return null;
  if (maker === taker || user === ZERO_ADDRESS || caller === ZERO_ADDRESS) return null;
  return {
    makerAsset: maker,
    takerAsset: taker,
    userAddress: user,
    takerAddress: caller,
    given,
    amount: BigInt(amount),
  };
}

function plainAddress(value: unknown): Address | null {
  return typeof value === 'string' && PLAIN_ADDRESS.test(value) ? (value.toLowerCase() as Address) : null;
}
