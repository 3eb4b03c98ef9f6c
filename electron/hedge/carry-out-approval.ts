import { readAllowance } from '../chain/allowance.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { ApprovalPlan } from '../service/approval-plan.ts';
import type { Spender } from '../service/spender.ts';
import { approval } from './hedge-node.ts';
import { chainOf } from './hedge-parts.ts';
import { HedgeOver, type HedgeRun, mayGoOn, record, rest } from './hedge-run.ts';
import { isContractMaker } from './maker-signature.ts';
import { openPromises } from './open-promises.ts';
import { expectPinned, permit2Of } from './pinned-contracts.ts';
import { approvalPlan, signPermit } from './token-approvals.ts';
import { followTransaction, signAndSend } from './transactions.ts';

/**
 * How often an allowance is planned at most because the chain showed another one than it was planned on: a token, or a node, may go on
 * showing others, and each that goes through zero costs gas.
 */
const MOST_PLANS = 5;
const NOTHING_MOVED = async () => ({ spent: 0n, received: 0n });

/** What is to be let be taken, and by whom. */
interface Wish {
  spender: Spender | null;
  mode: Spender['mode'];
  settlement: 'now' | 'later';
  amount: bigint;
  permitRequired: boolean;
}

type Allowed = { permit: Hex | undefined; sent: boolean };

/**
 * Lets the spender take the amount by the rules of PROTOCOL 15: nothing, a permit to be given to the build, or transactions that are
 * mined when this returns. `sent` tells whether there were any, since a price is older then. Throws HedgeOver, DeskError.
 */
export async function carryOutApproval(run: HedgeRun, wish: Wish): Promise<Allowed> {
  for (let plans = 1; ; ) {
    const allowed = await planAndAllow(run, wish, plans === MOST_PLANS);
    if (allowed === 'changed') plans += 1;
    else if (allowed !== 'waited') return allowed;
  }
}

/**
 * `waited`: what others signed meanwhile counts on more than was planned, and what was planned would undo it. `changed`: the allowance is
 * another one than it was planned on, since it went through zero or somebody set it; of the last plan that ends the hedge.
 */
async function planAndAllow(run: HedgeRun, wish: Wish, isLast: boolean): Promise<Allowed | 'waited' | 'changed'> {
  const { parts, log, seq } = run;
  const { chainId, maker, src, deadline, approval: wished } = record(run).opened;
  expectPinned(parts, chainId, wish.spender);
  const chain = run.node(chainId);
  const permit2 = permit2Of(chainOf(parts, chainId).config);
  run.planned.set(seq, { spender: wish.spender?.address, amount: wish.amount });
  const others = await openPromises(run, wish.spender);
  const isContract = isContractMaker(parts, maker);
  const prefer = !isContract && (others.permit === 'none' || wished !== 'permit') ? wished : 'approve';
  const asked = { ...wish, owner: maker, token: src.address, prefer, deadline, now: parts.now(), permit2 };
  let { plan, allowance } = await approvalPlan(chain, { ...asked, amount: wish.amount + others.amount });
  // Permit2 gives its own amount, and takes nothing of the allowance that others count on.
  if (plan.kind === 'permit' && plan.way === 'permit2') ({ plan, allowance } = await approvalPlan(chain, asked));
  const changes = plan.kind === 'approve' || (plan.kind === 'permit' && plan.way === 'eip2612');
  if (changes && others.permit === 'built') {
    run.letPass();
    await log.wait(
      seq,
      `Another hedge that waits carries a permit of ${src.symbol} that is not used yet: it is waited for.`,
    );
    await rest(run, run.lookMs);
    await mayGoOn(run);
    return 'waited';
  }
  if (changes && others.permit === 'here') {
    throw new DeskError(
      'permit_under_way',
      `An order that runs carries a permit of ${src.symbol} that is not used yet.`,
      {
        remedy: 'Another allowance now would undo it: wait until that order is filled, or cancel it.',
      },
    );
  }
  if (plan.kind === 'refused') throw new DeskError(plan.code, plan.sentence);
  if (plan.kind === 'none' || plan.kind === 'skip') return { permit: undefined, sent: false };
  if (isContract) throw walletApproves(plan, `${wish.amount + others.amount}`, src.symbol);
  if (plan.kind === 'permit') {
    if (await mayGoOn(run)) return 'waited';
    const signer = parts.signerFor(maker);
    if (signer === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
    const permit = await signPermit(signer, plan);
    const { spender } = plan.permit;
    const contract = plan.toSign.domain.verifyingContract.toLowerCase() as Address;
    await log.step(seq, { step: 'permit_signed', spender, amount: `${plan.permit.amount}`, permit, contract });
    await mayGoOn(run);
    return { permit, sent: false };
  }
  // One that goes through zero is planned anew behind that.
  const [amount, next] = plan.amounts;
  const { token, spender } = plan;
  if (isLast && next !== undefined) {
    const sentence = `The chain shows an allowance of ${src.symbol} however often it is set to zero: nothing else is signed. Look at the token and the node.`;
    throw new HedgeOver('failed', sentence);
  }
  try {
    if (!(await signAndSend(run, 'approval', approval(token, spender, amount)))) return 'waited';
  } catch (error) {
    // Planned on an allowance that somebody has changed: a token may refuse to exchange the new one for this.
    if (isLast || !isDeskError(error, 'would_fail')) throw error;
    if ((await readAllowance(chain, token, maker, spender)) === allowance) throw error;
    return 'changed';
  }
  const taken = await followTransaction(run, NOTHING_MOVED);
  const became = record(run).transactions.findLast(({ outcome }) => outcome !== 'lost')?.outcome;
  if (!taken || became !== 'confirmed') {
    throw new HedgeOver('failed', `The approval was ${taken ? 'reverted' : 'replaced by another transaction'}.`);
  }
  return next === undefined ? { permit: undefined, sent: true } : 'changed';
}

/** A contract sends its own approvals: this desk's key sends nothing in its name. */
function walletApproves(plan: ApprovalPlan, amount: string, symbol: string): DeskError {
  const spender = plan.kind === 'approve' ? plan.spender : 'the intent contract';
  return new DeskError(
    'wallet_approves',
    `The maker is a contract, which has to let ${spender} take ${amount} raw units of ${symbol} first.`,
    { remedy: `Have its owner call approve on ${symbol}, then hedge again.` },
  );
}
