import { z } from 'zod';
import type { HedgeDetail, QuotedWay } from '../../../contract/hedge.ts';
import type { HedgeStep } from '../../../contract/hedge-steps.ts';
import type { VenueKind } from '../../../contract/venue.ts';
import type { HedgeOpened } from '../../../journal/hedges/events.ts';
import type { HedgeRecord } from '../../../journal/hedges/fold.ts';
import { WHOLE_BPS } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { type BestRoute, bestRouteSchema, type PriceRoute } from '../../../protocol/market-wire.ts';
import { isNative } from '../../../protocol/route-token.ts';
import { spenderOf } from '../../../service/spender.ts';
import { approval, type HedgeNode } from '../../hedge-node.ts';
import type { HedgeParts } from '../../hedge-parts.ts';
import { FRESH_MS } from '../../hedge-run.ts';
import { lastStep } from '../../hedge-steps.ts';
import { isContractMaker } from '../../maker-signature.ts';
import { dollars, figures, spending } from '../../quote-figures.ts';
import { fenceOf } from '../../reference-distance.ts';
import { swapBound } from '../../slippage-bound.ts';
import { allowanceStage, type Ends, hasStep, type Spending, type Stage, USUAL, type Venue } from '../venue.ts';
import { marketPrice, marketRoute } from './price.ts';
import { beforeFee, followSwap, keptBps, signSwap } from './swap.ts';
import { bookWallet } from './wallet-swap.ts';

const waySchema = z.strictObject({ mode: z.literal('market') });

const SWAP: VenueKind = {
  mode: 'market',
  name: 'Market',
  choice: 'Market',
  sides: ['SELL', 'BUY'],
  says: 'The desk sends a swap to the router and pays its gas. All of it or nothing.',
  fields: [],
  slippage: 'amount',
  waits: false,
  isLimit: false,
  slices: null,
  automatic: 'a market swap',
};

const NO_CROSSING = 'The router settles on one chain: cross chains by intent.';

/** The service's router: a swap that the desk sends itself (PROTOCOL 12). */
export const market: Venue = {
  ...USUAL,
  about: {
    name: 'market',
    title: 'Market',
    kinds: [SWAP],
    isRecord: false,
    does: 'Then tries, signs and sends the swap.',
    noPrice: 'There is no market price.',
    routes: 'chains',
    noCrossing: 'The router swaps on one chain: choose an intent.',
  },
  check({ way, chainId, dest }) {
    if (!waySchema.safeParse(way).success) throw new DeskError('bad_terms', 'A market swap has no terms of its own.');
    if (dest.chainId !== chainId) throw new DeskError('bad_terms', NO_CROSSING);
  },
  async quote(parts, chain, ends) {
    if (ends.dest.chainId !== ends.chainId) throw new DeskError('bad_terms', 'The router settles on one chain only.');
    return [await quoted(parts, chain, ends, await marketRoute(parts, ends))];
  },
  async prepare(parts, opened): Promise<Spending> {
    const { side, amount, slippageBps } = opened;
    const route = await marketPrice(parts, opened);
    const offered = BigInt(side === 'SELL' ? route.destAmount : route.srcAmount);
    const most = side === 'SELL' ? BigInt(amount) : swapBound(side, offered, slippageBps);
    const spender = spenderOf({ market: route });
    // Judged as it will be: by what the router's fee leaves.
    const left = (offered * keptBps(route, opened)) / WHOLE_BPS;
    return { mode: 'market', spender, amount: most, settlement: 'now', priced: BigInt(amount), offered: left };
  },
  handsOut: (parts: HedgeParts, { maker }: HedgeOpened) => isContractMaker(parts, maker),
  built(steps) {
    const built = lastStep(steps, 'swap_built');
    return built && { spender: built.to, most: built.most };
  },
  sign: signSwap,
  follow: followSwap,
  followsInTurn: true,
  bookTransaction: bookWallet,
  calldata,
  transactionOf({ transactions }) {
    const swaps = transactions.filter(({ purpose }) => purpose === 'swap');
    const mined = swaps.find(({ outcome }) => outcome === 'confirmed' || outcome === 'reverted');
    return (mined ?? swaps.at(-1))?.hash ?? null;
  },
  stages(_hedge, steps): Stage[] {
    const isBuilt = hasStep(steps, ['swap_built']);
    return [
      allowanceStage(steps, isBuilt),
      ['Built', isBuilt],
      ['Tried', hasStep(steps, ['swap_simulated'])],
      ['Signed', hasStep(steps, ['transaction_signed'], 'swap')],
      ['Sent', hasStep(steps, ['transaction_sent'], 'swap')],
      ['Mined', hasStep(steps, ['transaction_mined'], 'swap') || hasStep(steps, ['wallet_mined'])],
    ];
  },
};

async function quoted(parts: HedgeParts, chain: HedgeNode, ends: Ends, route: PriceRoute): Promise<QuotedWay> {
  const at = parts.now();
  const { srcAmount, destAmount } = route;
  const gasUsd = dollars(route.gasCostUSD);
  const usd = { srcUsd: dollars(route.srcUSD), destUsd: dollars(route.destUSD), gasUsd };
  const kept = keptBps(route, ends);
  const offered = BigInt(ends.side === 'SELL' ? destAmount : srcAmount);
  const furthest = await fenceOf(parts, ends, (offered * kept) / WHOLE_BPS);
  return {
    ...figures(ends, { srcAmount, destAmount }, usd, beforeFee(furthest, kept)),
    gas: { units: route.gasCost, usd: gasUsd },
    fees: { partner: route.partner, percent: route.partnerFee, gasUsd: null, bridgeUsd: null },
    ...(await spending(parts, chain, ends, { spender: spenderOf({ market: route }), mode: 'market', srcAmount })),
    via: exchangesOf(route),
    bridge: null,
    expiresAt: at + FRESH_MS,
  };
}

function exchangesOf({ bestRoute }: PriceRoute): string[] {
  const routes: BestRoute = bestRouteSchema.safeParse(bestRoute).data ?? [];
  return routes.flatMap(({ percent, swaps }) =>
    swaps.flatMap(({ swapExchanges }) =>
      swapExchanges.map(({ exchange, percent: share }) => `${exchange} ${Math.round((percent * share) / 100)}%`),
    ),
  );
}

/** What the owner of a contract maker sends: the allowance, then the swap. */
function calldata({ opened, state }: HedgeRecord, steps: readonly HedgeStep[]): HedgeDetail['calldata'] {
  const built = lastStep(steps, 'swap_built');
  if (state !== 'handed_out' || built === null) return [];
  const { to, value, data, most } = built;
  const { src } = opened;
  const swap = { purpose: 'swap', to, value, data };
  if (isNative(src.address)) return [swap];
  const call = approval(src.address, to, BigInt(most));
  return [{ purpose: `let the router take ${src.symbol}`, to: call.to, value: '0', data: call.data }, swap];
}
