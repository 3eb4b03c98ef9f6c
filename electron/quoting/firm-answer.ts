import { REFUSALS, type RefusalCode } from '../contract/refusal.ts';
import type { Hex } from '../protocol/address.ts';
import type { OrderFields } from '../protocol/order-hash.ts';
import { toWireOrder } from '../protocol/order-hash.ts';
import type { FirmAnswer } from './firm-input.ts';

/** A refusal on the wire (PROTOCOL 7): a sentence for a person, a code for machines. */
export function refusalAnswer(code: RefusalCode, sentence: string = REFUSALS[code].sentence): FirmAnswer {
  return { status: REFUSALS[code].status, body: JSON.stringify({ error: sentence, code }) };
}

/** What a blacklisted user gets: a success without an order (PROTOCOL 4.3.13), or 403 where that is configured. */
export function blacklistedAnswer(how: 'omit' | 'forbidden'): FirmAnswer {
  const { sentence } = REFUSALS.blacklisted;
  if (how === 'omit') return { status: 200, body: JSON.stringify({ message: sentence }) };
  return { status: 403, body: JSON.stringify({ error: sentence, code: 'blacklisted' satisfies RefusalCode }) };
}

/** The signed order (PROTOCOL 4.3.11), its addresses spelt as the request spelt them. */
export function orderAnswer(
  order: OrderFields,
  signature: Hex,
  spelling: { makerAsset: string; takerAsset: string; taker: string },
): FirmAnswer {
  return { status: 200, body: JSON.stringify({ order: toWireOrder(order, signature, spelling) }) };
}

/** What became of a request, by its answer: `signed`, or the code of its refusal (PROTOCOL 7); a blacklisted user is told no code. */
export function outcomeOf({ body }: FirmAnswer): string {
  if (body.startsWith('{"order":')) return 'signed';
  const { code } = JSON.parse(body) as { code?: string };
  return code ?? 'blacklisted';
}
