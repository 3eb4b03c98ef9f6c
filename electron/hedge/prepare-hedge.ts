import type { Preparation } from '../contract/hedge.ts';
import type { HedgeWish } from '../contract/hedge-terms.ts';
import type { HedgeOpened } from '../journal/hedge-events.ts';
import type { HedgeRecord } from '../journal/hedge-record.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { intentPrices } from '../service/intent-prices.ts';
import { type Spender, spenderOf } from '../service/spender.ts';
import { approvalNeed, approvalPlan } from './approvals.ts';
import { checkHalted } from './closes-position.ts';
import { fillsFor } from './fills-to-hedge.ts';
import { type HedgeNode, readBalance } from './hedge-node.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';
import { openingOf } from './hedge-terms.ts';
import { wireToken } from './hedge-tokens.ts';
import { intentTerms, mostSpent } from './intent-terms.ts';
import { marketPrice } from './market-price.ts';
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
  const handsOut = parts.signerFor(opened.maker) === null;
  const about = { handsOut, needsConfirmation: isHalted(parts, opened.chainId), warnings: warningsOf(parts, opened) };
  try {
    await checkHalted(parts, opened, { confirmed: true, running });
    await fillsFor(parts, opened, wish.fillSeqs);
    if (handsOut && opened.way.mode !== 'market') {
      throw new DeskError(
        'contract_maker',
        'An intent order is signed with the key of the maker, which this desk does not hold.',
      );
    }
    const { spender, amount, settlement } = await spendingOf(parts, opened);
    const chain = node(opened.chainId);
    const { maker: owner, src, approval: prefer, deadline } = opened;
    const [{ plan, allowance }, balance] = await Promise.all([
      approvalPlan(chain, {
        ...{ spender, settlement, amount, owner, prefer, deadline, token: src.address },
        ...{ mode: opened.way.mode === 'market' ? 'market' : 'intent', permitRequired: false, now: parts.now() },
      }),
      readBalance(chain, src.address, owner),
    ]);
    const short = balance < amount ? `The maker holds less ${src.symbol} than this takes.` : null;
    const refusal = plan.kind === 'refused' ? plan.sentence : short;
    const need = approvalNeed(plan, spender?.address ?? null, allowance);
    return { ...about, approval: need, balance: `${balance}`, refusal };
  } catch (error) {
    const sentence = sentenceOf(error);
    return { ...about, approval: { ...NOT_NEEDED, sentence }, balance: null, refusal: sentence };
  }
}

async function spendingOf(
  parts: HedgeParts,
  opened: HedgeOpened,
): Promise<{ spender: Spender | null; amount: bigint; settlement: 'now' | 'later' }> {
  const { chainId, src, dest, side, amount, maker, slippageBps, way } = opened;
  const service = parts.service(chainId);
  const asked = {
    ...{ srcToken: wireToken(src), destToken: wireToken(dest), srcDecimals: src.decimals, destDecimals: dest.decimals },
    ...{ side, userAddress: maker },
  };
  if (way.mode === 'market') {
    const route = await marketPrice(parts, opened);
    const most = side === 'SELL' ? BigInt(amount) : swapBound(side, BigInt(route.srcAmount), slippageBps, null);
    return { spender: spenderOf({ market: route }), amount: most, settlement: 'now' };
  }
  const { priced, settlement } = intentTerms(opened, Math.floor(parts.now() / 1_000));
  const price = await intentPrices(service, {
    ...{ ...asked, chainId, amount: `${priced}` },
    ...(dest.chainId !== chainId && { destChainId: dest.chainId }),
  });
  return { spender: spenderOf({ intent: price }), amount: mostSpent(opened, price.route), settlement };
}

/** Signed quotes that give the source lose their cover when too much of it is sold. */
function warningsOf({ guard }: Pick<HedgeParts, 'guard'>, { chainId, src, side, amount }: HedgeOpened): string[] {
  const row = guard.orders.rows().find((one) => one.chainId === chainId && one.address === src.address);
  if (row === undefined || row.balance === null || side === 'BUY') return [];
  const left = BigInt(row.balance) - BigInt(amount);
  if (left > BigInt(row.live)) return [];
  return [`Signed quotes still promise ${src.symbol}: after this the maker may not hold enough to fill them.`];
}
