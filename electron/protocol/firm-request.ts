import { z } from 'zod';
import { type Address, addressSchema, ZERO_ADDRESS } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import type { GivenAmount } from './side.ts';

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
  const parsed = firmRequestSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return { ok: false, sentence: `The request is not valid: ${field === '' ? '' : `${field} `}${issue?.message}.` };
  }
  const sent = json as FirmRequestBody;
  const spelling = { makerAsset: sent.makerAsset, takerAsset: sent.takerAsset, taker: sent.takerAddress };
  return { ok: true, request: parsed.data, spelling };
}
