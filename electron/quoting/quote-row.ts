import type { RefusalCode } from '../contract/refusal.ts';
import type { QuoteBody } from '../journal/quotes/events.ts';
import type { Hex } from '../protocol/address.ts';
import type { FirmRequest } from '../protocol/firm-request.ts';
import type { OrderFields } from '../protocol/order-hash.ts';
import type { Decision } from './firm-refusal.ts';
import { keptSignature } from './firm-replays.ts';

/** A refusal's row: everything the decision was made of. */
export function refusedRow(decision: Decision, code: RefusalCode, latencyMs: number): QuoteBody {
  return { ...decided(decision, latencyMs), orderHash: null, nonceAndMeta: null, expiry: null, signature: null, code };
}

/** A signed order's row. */
export function signedRow(
  decision: Decision,
  signed: { order: OrderFields; orderHash: Hex; signature: Hex; signingMs?: number },
  latencyMs: number,
): QuoteBody {
  const { order, orderHash, signature, signingMs } = signed;
  const { nonceAndMeta, expiry } = order;
  const body = { ...decided(decision, latencyMs), ...(signingMs !== undefined && { signingMs }) };
  const row: QuoteBody = { ...body, orderHash, nonceAndMeta: `${nonceAndMeta}`, expiry, signature, code: null };
  const request = decision.input.signature;
  return request === undefined ? row : { ...row, requestSignature: keptSignature(request) };
}

type Outcome = 'orderHash' | 'nonceAndMeta' | 'expiry' | 'signature' | 'code';

function decided(
  { input, request, chain, market: found, ask, covered, dollarRate = null }: Decision,
  latencyMs: number,
): Omit<QuoteBody, Outcome> {
  // A stop is found before the pair is looked for; whoever reads the row wants to know the pair all the same.
  const market = found ?? chain.market(request.makerAsset, request.takerAsset);
  const given = (name: FirmRequest['given']) => (request.given === name ? `${request.amount}` : null);
  return {
    chainId: chain.chainId,
    pair: market?.pair.id ?? null,
    side: market?.side ?? null,
    given: request.given,
    userAddress: request.userAddress,
    takerAddress: request.takerAddress,
    maker: chain.config.maker,
    makerAsset: request.makerAsset,
    takerAsset: request.takerAsset,
    makerAmount: ask === undefined ? given('makerAmount') : `${ask.makerAmount}`,
    takerAmount: ask === undefined ? given('takerAmount') : `${ask.takerAmount}`,
    ladderRevision: market?.pair.ladder.revision ?? null,
    balance: text(covered?.balance),
    allowance: text(covered?.allowance),
    exposure: text(covered?.exposure),
    ...(covered !== undefined && covered.hedged > 0n && { hedged: `${covered.hedged}` }),
    counterparty: input.counterparty,
    ...(dollarRate !== null && dollarRate !== '1' && { dollarRate }),
    receivedAt: input.receivedAt,
    latencyMs: Math.round(latencyMs * 1_000) / 1_000,
    ...bodyText(input.body),
  };
}

/** A larger body is not stored: whoever may ask could fill the disk with what nobody reads. Bytes. */
const MOST_STORED = 2_048;

function bodyText(body: Buffer): Pick<QuoteBody, 'requestBody' | 'requestBytes'> {
  if (body.length <= MOST_STORED) return { requestBody: body.toString('utf8') };
  return { requestBody: '', requestBytes: body.length };
}

function text(amount: bigint | null | undefined): string | null {
  return amount === null || amount === undefined ? null : `${amount}`;
}
