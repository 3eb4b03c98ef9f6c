import type { Address } from '../protocol/address.ts';
import { eip2612TypedData, type Permit, type PermitDomain, permit2TypedData } from '../protocol/permit.ts';
import { isNative } from '../protocol/route-token.ts';
import type { ToSign } from '../protocol/typed-data.ts';
import { isSame } from './market-checks.ts';
import type { Spender } from './spender.ts';

const MAX_UINT256 = 2n ** 256n - 1n;

/** How a token lets itself be spent by signature. `nonce` is the next one: of the token, or any unused one of Permit2's. */
export type PermitWay =
  | { kind: 'eip2612'; domain: PermitDomain; nonce: bigint }
  /** `allowance` is what the owner lets the Permit2 contract itself take. */
  | { kind: 'permit2'; contract: Address; nonce: bigint; allowance: bigint };

/** What is known of the token that is spent. Amounts are raw units. */
export interface SpentToken {
  chainId: number;
  address: Address;
  /** It refuses to change an allowance that is not zero into another that is not. */
  zeroFirst: boolean;
  /** An order of it is built only with a permit's payload (PROTOCOL 15.8). */
  permitRequired: boolean;
  permit: PermitWay | null;
}

/** An allowance as it was read on the chain. */
export interface ReadAllowance {
  chainId: number;
  token: Address;
  owner: Address;
  spender: Address;
  amount: bigint;
}

export interface ApprovalAsk {
  /** From `spenderOf`; null when the answer named none. */
  spender: Spender | null;
  /** Which contract the user chose to trade through. */
  mode: Spender['mode'];
  /** Whether there is a contract at the spender's address on its chain. */
  deployed: boolean;
  /** Settled at once, or some time later, as limit orders and TWAPs are. */
  settlement: 'now' | 'later';
  /** The chain on which it is signed and sent. */
  chainId: number;
  owner: Address;
  token: SpentToken;
  /** Raw units. */
  amount: bigint;
  /** Null for the native asset. */
  allowance: ReadAllowance | null;
  /** What to do when the allowance is too small; `permit` falls back to `approve` where a permit may not be used. */
  prefer: 'approve' | 'approve_without_end' | 'permit';
  /** Unix seconds, until when a permit is good. */
  permitDeadline: bigint;
}

export type ApprovalRefusal =
  | 'no_route'
  | 'mode_differs'
  | 'chains_differ'
  | 'mode_unavailable'
  | 'allowance_of_other'
  | 'permit_required';

/** What must happen before a swap or an order: nothing for the native asset, nothing more, calls of `approve`, or a signature. */
export type ApprovalPlan =
  | { kind: 'none' }
  | { kind: 'skip' }
  /** In this order, each sent when the one before it is mined. */
  | { kind: 'approve'; chainId: number; token: Address; spender: Address; amounts: [bigint, ...bigint[]] }
  /** Signed, then encoded with `encodeEip2612` or `encodePermit2`; for this spender, amount and deadline alone. */
  | { kind: 'permit'; way: PermitWay['kind']; permit: Permit; toSign: ToSign }
  | { kind: 'refused'; code: ApprovalRefusal; sentence: string };

/** Decides by the rules of PROTOCOL 15 how the spender of an answer is allowed to take the amount. */
export function planApproval(ask: ApprovalAsk): ApprovalPlan {
  const { spender, mode, token, amount, allowance, owner } = ask;
  if (spender === null) return refused('no_route', 'The service named no contract to approve: there is no route.');
  if (spender.mode !== mode) {
    return refused('mode_differs', `The quote is for ${spender.mode}, and ${mode} was chosen: ask for a new one.`);
  }
  const chains = [token.chainId, ask.chainId, ...(allowance ? [allowance.chainId] : [])];
  if (chains.some((chain) => chain !== spender.chainId)) {
    return refused('chains_differ', 'Quote, allowance, signature and execution must be on the same chain.');
  }
  if (!ask.deployed) return refused('mode_unavailable', `There is no ${mode} contract on chain ${spender.chainId}.`);
  if (isNative(token.address)) return { kind: 'none' };
  if (allowance === null || !isOf(allowance, token.address, owner, spender.address)) {
    return refused('allowance_of_other', 'The allowance that was read is of another token, owner or spender.');
  }
  if (token.permitRequired) {
    const permit = permitPlan(ask, spender);
    if (permit !== null) return permit;
    const why =
      ask.settlement === 'later'
        ? 'an order that settles later needs an approval.'
        : token.permit === null
          ? `it has no permit of its own that can be checked, and chain ${token.chainId} no Permit2 that this desk knows.`
          : 'the Permit2 contract may not take so much of it yet.';
    return refused('permit_required', `The service takes this token with a permit only, and none can be given: ${why}`);
  }
  if (allowance.amount >= amount) return { kind: 'skip' };
  const permit = ask.prefer === 'permit' ? permitPlan(ask, spender) : null;
  if (permit !== null) return permit;
  const next = ask.prefer === 'approve_without_end' ? MAX_UINT256 : amount;
  const amounts: [bigint, ...bigint[]] = token.zeroFirst && allowance.amount > 0n ? [0n, next] : [next];
  return { kind: 'approve', chainId: spender.chainId, token: token.address, spender: spender.address, amounts };
}

/** Null where a permit may not be used: its nonce or deadline would be over before a later settlement (PROTOCOL 15.7). */
function permitPlan({ settlement, token, owner, amount, permitDeadline }: ApprovalAsk, spender: Spender) {
  const way = token.permit;
  if (settlement === 'later' || way === null) return null;
  if (way.kind === 'permit2' && way.allowance < amount) return null;
  const permit: Permit = {
    chainId: spender.chainId,
    token: token.address,
    owner,
    spender: spender.address,
    amount,
    nonce: way.nonce,
    deadline: permitDeadline,
  };
  const toSign = way.kind === 'eip2612' ? eip2612TypedData(way.domain, permit) : permit2TypedData(way.contract, permit);
  return { kind: 'permit' as const, way: way.kind, permit, toSign };
}

function isOf(allowance: ReadAllowance, token: Address, owner: Address, spender: Address): boolean {
  return isSame(allowance.token, token) && isSame(allowance.owner, owner) && isSame(allowance.spender, spender);
}

function refused(code: ApprovalRefusal, sentence: string): ApprovalPlan {
  return { kind: 'refused', code, sentence };
}
