import { z } from 'zod';
import { LIMIT_REFUSALS } from './limits.ts';

/**
 * Every reason a request can be refused for: HTTP status and a sentence for a person. The error body on the wire is
 * `{ "error": sentence, "code": code }` (PROTOCOL 7). Never 403, except for `blacklisted` where the desk file asks for it.
 */
export const REFUSALS = {
  unauthorized: { status: 401, sentence: 'The request is not properly signed.' },
  address_not_allowed: {
    status: 401,
    sentence: 'The request comes from an address that this counterparty may not ask from.',
  },
  replayed: {
    status: 401,
    sentence: 'This signature was used for another order. Sign the request again, with the current time.',
  },
  misdirected: {
    status: 421,
    sentence:
      'The Host header names another machine. Name this one, or add the name under Settings, Counterparties ("surfaceNames" of the desk file).',
  },
  not_found: { status: 404, sentence: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, sentence: 'This path does not take this method.' },
  body_too_large: { status: 413, sentence: 'The body is larger than 64 KiB.' },
  invalid_request: { status: 400, sentence: 'The request does not have the right form.' },
  unknown_pair: { status: 404, sentence: 'These two tokens are not a pair of this desk.' },
  pair_disabled: { status: 409, sentence: 'This pair is switched off.' },
  side_disabled: { status: 409, sentence: 'This side of the pair is switched off.' },
  token_closed: { status: 409, sentence: 'A token of this pair did not pass its checks.' },
  not_approved: {
    status: 409,
    sentence: 'A token that this pair pays out is not approved for the RFQ contract.',
  },
  no_price: { status: 409, sentence: 'There is no price for this side of the pair.' },
  insufficient_depth: { status: 422, sentence: 'The amount is larger than the depth of the ladder.' },
  amount_too_small: { status: 422, sentence: 'The amount is worth less than one raw unit of the other token.' },
  amount_too_large: { status: 422, sentence: 'The amount does not fit the order.' },
  insufficient_balance: {
    status: 422,
    sentence: 'The maker cannot cover this amount with what it has already signed.',
  },
  ...LIMIT_REFUSALS,
  protection_limit: {
    status: 422,
    sentence: 'The amount alone is over what a protection of this desk lets be signed in its time.',
  },
  protection_tripped: {
    status: 409,
    sentence: 'A protection of this desk has tripped: nothing is signed here for now.',
  },
  protection_unpriced: {
    status: 503,
    sentence: 'A protection of this desk counts US dollars, and no fresh reference says what this comes to.',
  },
  taker_not_allowed: { status: 422, sentence: 'The taker is not on the list of execution contracts.' },
  blacklisted: { status: 200, sentence: 'The user is blacklisted.' },
  user_barred: { status: 422, sentence: 'This desk does not quote this user.' },
  reference_stale: { status: 503, sentence: 'The reference price is stale.' },
  sources_apart: { status: 503, sentence: 'The sources of the reference price disagree.' },
  prices_stale: { status: 503, sentence: 'The engine that prices this pair has not said its prices again in time.' },
  off_reference: { status: 409, sentence: 'This side stands off the reference price.' },
  chain_unseen: { status: 503, sentence: 'The chain is not seen, so balances are not known.' },
  chain_clock: { status: 503, sentence: 'The clock of the chain and ours contradict each other.' },
  chain_unconfirmed: { status: 503, sentence: 'The second node of the chain does not say what the first does.' },
  signer_unseen: { status: 503, sentence: 'The key of this desk is held elsewhere and does not answer.' },
  surface_off: { status: 503, sentence: 'This surface is switched off.' },
  desk_unseen: { status: 503, sentence: 'This surface does not hear its desk.' },
  starting: { status: 503, sentence: 'The desk is starting and has not passed its checks yet.' },
  checks_failed: { status: 503, sentence: 'A check of the chain failed, so nothing is signed for it.' },
  past_unproven: { status: 503, sentence: 'The desk waits until everything it may have signed before is over.' },
  halted: { status: 503, sentence: 'Trading is halted.' },
  draining: { status: 503, sentence: 'The desk is draining and serves no grid.' },
  busy: { status: 503, sentence: 'Too many firm requests are in flight.' },
  deadline: { status: 503, sentence: 'The quote was not ready before its deadline.' },
  journal_failed: { status: 503, sentence: 'The quote could not be written to the journal.' },
  internal: { status: 503, sentence: 'The desk stopped quoting after an internal error.' },
} as const satisfies Record<string, { status: number; sentence: string }>;

export type RefusalCode = keyof typeof REFUSALS;

declare module '../protocol/desk-error.ts' {
  interface DeskErrors extends Record<RefusalCode, Nothing> {}
}

export const refusalCodeSchema = z.enum(Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]]);
