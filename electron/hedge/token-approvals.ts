import { needsZeroFirst, readAllowance } from '../chain/allowance.ts';
import type { ApprovalNeed } from '../contract/hedge.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { encodeEip2612, encodePermit2 } from '../protocol/permit.ts';
import { isNative } from '../protocol/route-token.ts';
import { typedToSign } from '../protocol/typed-data.ts';
import { type ApprovalAsk, type ApprovalPlan, planApproval } from '../service/approval-plan.ts';
import type { Spender } from '../service/spender.ts';
import type { Signer } from '../signer/signer.ts';
import type { HedgeNode } from './hedge-node.ts';
import { permitWayOf } from './token-permits.ts';

/** What is asked of the rules of PROTOCOL 15 for one hedge. */
export interface ApprovalWish {
  mode: Spender['mode'];
  spender: Spender | null;
  settlement: ApprovalAsk['settlement'];
  owner: Address;
  token: Address;
  amount: bigint;
  prefer: ApprovalAsk['prefer'];
  /** Unix seconds. */
  deadline: number;
  /** The service said that this token takes a permit only. */
  permitRequired: boolean;
  /** The Permit2 of the chain, where one is known. */
  permit2: Address | null;
  /** Unix milliseconds: makes an unused nonce of Permit2. */
  now: number;
}

/** Reads what the rules need to know on the chain, and decides by them. */
export async function approvalPlan(
  chain: HedgeNode,
  wish: ApprovalWish,
): Promise<{ plan: ApprovalPlan; allowance: bigint | null }> {
  const { mode, spender, settlement, owner, token, amount, prefer, permitRequired } = wish;
  const { chainId, client } = chain;
  const native = isNative(token);
  const address = spender?.address;
  const code = address === undefined ? undefined : await client.getCode({ address });
  const deployed = code !== undefined && code !== '0x';
  const allowance =
    native || address === undefined || !deployed ? null : await readAllowance(chain, token, owner, address);
  const short = allowance !== null && address !== undefined && allowance < amount;
  const zeroFirst = short && allowance > 0n && (await needsZeroFirst(chain, token, owner, address, amount));
  const wanted = (short && prefer === 'permit') || permitRequired;
  const permit =
    wanted && !native
      ? await permitWayOf(chain, token, owner, { permit2: wish.permit2, nonce: BigInt(wish.now) })
      : null;
  const plan = planApproval({
    spender,
    mode,
    deployed,
    settlement,
    chainId,
    owner,
    amount,
    prefer,
    token: { chainId, address: token, zeroFirst, permitRequired, permit },
    allowance:
      allowance === null || address === undefined
        ? null
        : { chainId, token, owner, spender: address, amount: allowance },
    permitDeadline: BigInt(wish.deadline),
  });
  return { plan, allowance };
}

/** The bytes that go into a build instead of an approval. Rejects as the signer does. */
export async function signPermit(signer: Signer, plan: Extract<ApprovalPlan, { kind: 'permit' }>): Promise<Hex> {
  const signature = await signer.sign(typedToSign(plan.toSign));
  return plan.way === 'eip2612' ? encodeEip2612(plan.permit, signature) : encodePermit2(plan.permit, signature);
}

/** A plan as the console shows it. */
export function approvalNeed(plan: ApprovalPlan, spender: Address | null, allowance: bigint | null): ApprovalNeed {
  const need: ApprovalNeed = {
    kind: plan.kind,
    sentence: '',
    spender,
    allowance: allowance === null ? null : `${allowance}`,
    amounts: [],
    permit: null,
  };
  switch (plan.kind) {
    case 'none':
      return { ...need, sentence: 'The native asset needs no approval.' };
    case 'skip':
      return { ...need, sentence: 'The allowance is enough.' };
    case 'refused':
      return { ...need, sentence: plan.sentence };
    case 'permit':
      return { ...need, permit: plan.way, sentence: 'A permit is signed; it costs no gas of its own.' };
    case 'approve': {
      const count = plan.amounts.length === 1 ? 'One transaction' : 'Two transactions, through zero,';
      return {
        ...need,
        amounts: plan.amounts.map((amount) => `${amount}`),
        sentence: `${count} sets the allowance first, and costs gas.`,
      };
    }
  }
}
