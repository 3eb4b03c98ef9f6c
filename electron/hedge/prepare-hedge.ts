import type { ApprovalNeed, Preparation } from '../contract/hedge.ts';
import type { HedgeWish } from '../contract/hedge-terms.ts';
import type { HedgeRecord } from '../journal/hedges/fold.ts';
import { checkHalted, questionOfCover } from './closes-position.ts';
import { fillsFor } from './fills-to-hedge.ts';
import { type HedgeNode, readBalance } from './hedge-node.ts';
import { chainOf, type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';
import { openingOf } from './hedge-terms.ts';
import { isContractMaker } from './maker-signature.ts';
import { questionOfPromises } from './most-taken.ts';
import { permit2Of, unpinnedFault, unpinnedOf } from './pinned-contracts.ts';
import { distanceOf, pairOfHedge, questionOfDistance } from './reference-distance.ts';
import { approvalNeed, approvalPlan } from './token-approvals.ts';
import { venueOf } from './venues/venues.ts';

const RECORDED: ApprovalNeed = {
  kind: 'none',
  sentence: 'Nothing is signed or sent.',
  spender: null,
  allowance: null,
  amounts: [],
  permit: null,
};
const NOT_NEEDED = { kind: 'refused' as const, spender: null, allowance: null, amounts: [], permit: null };

/** What placing this hedge would mean; asks chain and service, and does nothing. */
export async function prepareHedge(
  parts: HedgeParts,
  node: (chainId: number) => HedgeNode,
  wish: HedgeWish,
  underWay: readonly HedgeRecord[],
): Promise<Preparation> {
  const opened = openingOf(parts, wish, { pair: null, fillSeqs: [], automatic: false, confirmed: true });
  const isContract = isContractMaker(parts, opened.maker);
  const venue = venueOf(opened.way.mode);
  const handsOut = venue.handsOut(parts, opened);
  const halted = !venue.about.isRecord && isHalted(parts, opened.chainId);
  const nothing = { farOff: null, promised: null, covered: null, covering: [] };
  const about = { handsOut, needsConfirmation: halted, ...nothing };
  try {
    if (!venue.about.isRecord) await checkHalted(parts, opened, true);
    await fillsFor(parts, opened, wish.fillSeqs);
    const wanted = await venue.prepare(parts, opened);
    if (wanted === null) return { ...about, approval: RECORDED, balance: null, refusal: null, unpinned: null };
    const { spender, amount, settlement, mode, priced, offered } = wanted;
    const found = pairOfHedge(parts, opened);
    const mostBps = found === null ? 0 : await distanceOf(parts, opened.chainId, found.pair.id);
    const worst = venue.limitOf(opened) ?? offered;
    const farOff = questionOfDistance(parts, { ...opened, amount: `${priced}` }, worst, mostBps);
    const promised = questionOfPromises(parts, opened, amount);
    const cover = await questionOfCover(parts, opened, { chosen: wish.fillSeqs, underWay });
    const { sentence: covered, covering } = cover ?? { sentence: null, covering: [] };
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
        mode,
        permitRequired: false,
        now: parts.now(),
        permit2: permit2Of(chainOf(parts, opened.chainId).config),
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
    const questions = { farOff, promised, covered, covering };
    return { ...about, ...questions, approval: need, balance: `${balance}`, refusal, unpinned };
  } catch (error) {
    const sentence = sentenceOf(error);
    return { ...about, approval: { ...NOT_NEEDED, sentence }, balance: null, refusal: sentence, unpinned: null };
  }
}
