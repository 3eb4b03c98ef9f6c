import type { Preparation } from '../contract/hedge.ts';
import type { HedgeWish } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type Spender, spenderOf } from '../service/spender.ts';
import { approvalNeed, approvalPlan } from './approvals.ts';
import { checkHalted } from './closes-position.ts';
import { fillsFor } from './fills-to-hedge.ts';
import { type HedgeNode, readBalance } from './hedge-node.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';
import { questionOfPromises } from './hedge-takes.ts';
import { openingOf } from './hedge-terms.ts';
import { intentPrice } from './intent-price.ts';
import { intentTerms, limitOf, mostSpent } from './intent-terms.ts';
import { isContractMaker, keyFor } from './maker-signature.ts';
import { marketPrice } from './market-price.ts';
import { pinnedContracts, unpinnedFault, unpinnedOf } from './pinned-contracts.ts';
import { distanceOf, pairOfHedge, questionOfDistance } from './reference-distance.ts';
import { swapBound } from './swap-bounds.ts';

const NOT_NEEDED = { kind: 'refused' as const, spender: null, allowance: null, amounts: [], permit: null };

/** What placing this hedge would mean; asks chain and service, and does nothing. */
export async function prepareHedge(
  parts: HedgeParts,
  node: (chainId: number) => HedgeNode,
  wish: HedgeWish,
  running: readonly HedgeRecord[],
): Promise<Preparation> {
  const opened = openingOf(parts, wish, { pair: null, fillSeqs: [], automatic: false, confirmed: true });
  const isContract = isContractMaker(parts, opened.maker);
  const handsOut = isContract && opened.way.mode === 'market';
  const halted = isHalted(parts, opened.chainId);
  const about = { handsOut, needsConfirmation: halted, farOff: null, promised: null };
  try {
    await checkHalted(parts, opened, { confirmed: true, running });
    await fillsFor(parts, opened, wish.fillSeqs);
    if (!handsOut && keyFor(parts, opened.chainId, opened.maker) === null) {
      throw new DeskError(
        'no_key',
        'An intent order is signed by the key of the maker, which this desk does not hold.',
      );
    }
    const { spender, amount, settlement, priced, offered } = await spendingOf(parts, opened);
    const found = pairOfHedge(parts, opened);
    const mostBps = found === null ? 0 : await distanceOf(parts, opened.chainId, found.pair.id);
    const worst = limitOf(opened) ?? offered;
    const farOff = questionOfDistance(parts, { ...opened, amount: `${priced}` }, worst, mostBps);
    const promised = questionOfPromises(parts, opened, amount);
    const chain = node(opened.chainId);
    const { maker: owner, src, deadline } = opened;
    const prefer = isContract ? 'approve' : opened.approval;
    const [{ plan, allowance }, balance] = await Promise.all([
      approvalPlan(chain, {
        spender,
        settlement,
        amount,
        owner,
        prefer,
        deadline,
        token: src.address,
        mode: opened.way.mode === 'market' ? 'market' : 'intent',
        permitRequired: false,
        now: parts.now(),
        permit2: pinnedContracts(chainOf(parts, opened.chainId).config).permit2,
      }),
      readBalance(chain, src.address, owner),
    ]);
    const unpinned = unpinnedOf(parts, opened.chainId, spender);
    const unknown = unpinned === null ? null : unpinnedFault(opened.chainId, unpinned).message;
    const short = balance < amount ? `The maker holds less ${src.symbol} than this takes.` : null;
    const isMissing = isContract && !handsOut && plan.kind !== 'skip' && plan.kind !== 'none';
    const missing = isMissing ? `The maker is a contract: its owner has to approve ${src.symbol} first.` : short;
    const refusal = plan.kind === 'refused' ? plan.sentence : (unknown ?? missing);
    const need = approvalNeed(plan, spender?.address ?? null, allowance);
    return { ...about, farOff, promised, approval: need, balance: `${balance}`, refusal, unpinned };
  } catch (error) {
    const sentence = sentenceOf(error);
    return { ...about, approval: { ...NOT_NEEDED, sentence }, balance: null, refusal: sentence, unpinned: null };
  }
}

async function spendingOf(
  parts: HedgeParts,
  opened: HedgeOpened,
): Promise<{
  spender: Spender | null;
  amount: bigint;
  settlement: 'now' | 'later';
  /** What the price is of, and what it offers for it. */
  priced: bigint;
  offered: bigint;
}> {
  const { side, amount, slippageBps, way } = opened;
  if (way.mode === 'market') {
    const route = await marketPrice(parts, opened);
    const offered = BigInt(side === 'SELL' ? route.destAmount : route.srcAmount);
    const most = side === 'SELL' ? BigInt(amount) : swapBound(side, offered, slippageBps);
    return { spender: spenderOf({ market: route }), amount: most, settlement: 'now', priced: BigInt(amount), offered };
  }
  const { priced, settlement } = intentTerms(opened, Math.floor(parts.now() / 1_000));
  const price = await intentPrice(parts, opened, priced);
  const { origin, destination } = price.route;
  const offered = BigInt(side === 'SELL' ? destination.output.amount : origin.input.amount);
  return {
    spender: spenderOf({ intent: price }),
    amount: mostSpent(opened, price.route, null),
    settlement,
    priced,
    offered,
  };
}
