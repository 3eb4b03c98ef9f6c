import { BaseError } from 'viem';
import type { z } from 'zod';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import type { TransactionEnvelope, transactionsQuerySchema } from '../../protocol/market-transaction.ts';
import type { PriceRoute } from '../../protocol/market-wire.ts';
import { allowanceOf, balanceOf } from '../chain/read-amount.ts';
import { isChainAway } from '../consumer/failures.ts';
import { WireRefused } from '../wire-refused.ts';
import { type ContractMethod, hasFeeModel } from './best-price.ts';
import { firmLegs, readBestRoute } from './firm-legs.ts';
import { checkSeal } from './integrity.ts';
import { chainServed, checkFeeWish, type FeeWish, type MarketDesk, partnerOf } from './market-desk.ts';
import { findToken, type RouterChain, type RouteToken } from './router-chain.ts';
import { type CallFees, type SwapCall, type SwapWish, swapCall, swapTerms } from './swap-call.ts';

type BuildOptions = z.output<typeof transactionsQuerySchema>;

/** What `onlyParams` gives instead of a transaction: the router's function and its arguments, numbers as decimal text. */
export interface CallParams {
  contractAddress: Address;
  contractMethod: string;
  params: unknown;
}

/**
 * Turns a price route into a transaction of the router (PROTOCOL 14.2): checks seal and age, asks for the firm quotes that it
 * needs, and tries the call unless told not to.
 * @throws WireRefused with the texts of PROTOCOL 17
 */
export async function buildSwap(
  desk: MarketDesk,
  chainId: number,
  wish: SwapWish,
  options: BuildOptions,
  signal: AbortSignal,
): Promise<TransactionEnvelope | CallParams> {
  const chain = chainServed(desk, chainId);
  const route = wish.priceRoute;
  checkSeal(desk.key, route, desk.now());
  if (route.network !== chainId) throw new WireRefused('InvalidPriceRoute', 'Invalid priceRoute');
  const src = findToken(chain, wish.srcToken, 'srcToken', wish.srcDecimals);
  const dest = findToken(chain, wish.destToken, 'destToken', wish.destDecimals);
  if (src.named !== route.srcToken) throw new WireRefused('InvalidInput', 'Invalid srcToken');
  if (dest.named !== route.destToken) throw new WireRefused('InvalidInput', 'Invalid destToken');
  const call = await callFor(desk, chain, wish, signal);
  const to = lower(route.contractAddress);
  if (options.onlyParams) {
    return { contractAddress: to, contractMethod: call.method, params: inText(call.args) };
  }
  const from = lower(wish.userAddress);
  const draft: Draft = { from, to, value: src.isNative ? call.srcAmount : 0n, data: call.data };
  const gas = await tried(chain, draft, options, () =>
    checkFunds(chain, src, draft, { srcAmount: call.srcAmount, hasPermit: wish.permit !== undefined }),
  );
  return {
    from: wish.userAddress,
    to,
    value: `${draft.value}`,
    data: call.data,
    ...(await gasPriceFields(chain, { eip1559: options.eip1559, asked: options.gasPrice })),
    ...(gas === null || options.ignoreGasEstimate ? {} : { gas: `${gas}` }),
    chainId,
  };
}

async function callFor(desk: MarketDesk, chain: RouterChain, wish: SwapWish, signal: AbortSignal): Promise<SwapCall> {
  const route = wish.priceRoute;
  const { hops, taxes } = readBestRoute(route);
  const fees = feesOf(desk, route, wish);
  const terms = swapTerms(route, wish, { hops, taxes, feeBps: fees.serviceFeeBps + fees.partnerFeeBps });
  const router = lower(route.contractAddress);
  const userAddress = lower(wish.userAddress);
  const firm = await firmLegs({
    hops,
    taxes,
    userAddress,
    router,
    signal,
    side: terms.side,
    slippageBps: terms.slippageBps,
    consumer: chain.consumer(),
    txOrigin: wish.txOrigin === undefined ? userAddress : lower(wish.txOrigin),
  });
  return swapCall({
    router,
    terms,
    fees,
    hops: firm,
    srcToken: route.srcToken,
    destToken: route.destToken,
    method: route.contractMethod as ContractMethod,
    srcTaxBps: taxes.src,
    destTaxBps: taxes.dest,
    beneficiary: wish.receiver === undefined ? null : lower(wish.receiver),
    deadline: wish.deadline ?? null,
    permit: wish.permit ?? '0x',
  });
}

/** The registered fee of the route's partner, and what the body asks for on top (PROTOCOL 14.2). */
function feesOf(desk: MarketDesk, route: PriceRoute, wish: SwapWish): CallFees {
  const priced = partnerOf(desk, route.partner);
  const asked: FeeWish = {
    partnerAddress: wish.partnerAddress === undefined ? null : lower(wish.partnerAddress),
    partnerFeeBps: Number(wish.partnerFeeBps ?? '0'),
    takeSurplus: wish.takeSurplus,
  };
  checkFeeWish(partnerOf(desk, wish.partner ?? route.partner), asked);
  if (!hasFeeModel(route.contractMethod) && (asked.partnerFeeBps > 0 || asked.takeSurplus)) {
    throw new WireRefused('InvalidInput', `${route.contractMethod} takes no fees: exclude it from the price`);
  }
  return {
    service: priced.owner,
    serviceFeeBps: priced.feeBps,
    partner: asked.partnerAddress ?? ZERO_ADDRESS,
    partnerFeeBps: asked.partnerFeeBps,
    takeSurplus: wish.takeSurplus,
    capSurplus: wish.isCapSurplus,
    surplusToUser: wish.isSurplusToUser,
    direct: wish.isDirectFeeTransfer,
  };
}

/** Tries the transaction on the chain as it is now; null when it is not to be tried. */
async function tried(
  chain: RouterChain,
  draft: Draft,
  { ignoreChecks }: BuildOptions,
  check: () => Promise<void>,
): Promise<bigint | null> {
  if (ignoreChecks) return null;
  await check();
  return gasOf(chain, draft);
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}

function inText(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part)));
}

/** The gas price fields of a transaction in wei (PROTOCOL 12.3): `asked` counts where it is given, else the node's suggestion. */
async function gasPriceFields(
  { chain: { client } }: RouterChain,
  { eip1559, asked }: { eip1559: boolean; asked: string | undefined },
): Promise<{ gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string }> {
  if (!eip1559) return { gasPrice: asked ?? `${await client.getGasPrice()}` };
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
  const most = asked === undefined ? maxFeePerGas : BigInt(asked);
  const tip = maxPriorityFeePerGas < most ? maxPriorityFeePerGas : most;
  return { maxFeePerGas: `${most}`, maxPriorityFeePerGas: `${tip}` };
}

/** A transaction as it would be sent. */
interface Draft {
  from: Address;
  to: Address;
  value: bigint;
  data: Hex;
}

/**
 * Looks whether the sender has what the swap takes, and has approved it; a permit stands for the approval.
 * @throws WireRefused naming what is short
 */
async function checkFunds(
  { chain: { client } }: RouterChain,
  { named, traded, isNative }: RouteToken,
  { from, to }: Draft,
  swap: { srcAmount: bigint; hasPermit: boolean },
): Promise<void> {
  const refuse = (what: string) => new WireRefused('TransactionWouldFail', `Not enough ${traded.symbol} ${what}`);
  if (isNative) {
    if ((await client.getBalance({ address: from })) < swap.srcAmount) throw refuse('balance');
    return;
  }
  if ((await balanceOf(client, named, from)) < swap.srcAmount) throw refuse('balance');
  if (swap.hasPermit) return;
  if ((await allowanceOf(client, named, from, to)) < swap.srcAmount) throw refuse(`allowance given to ${to}`);
}

/** The gas the transaction would use now. @throws WireRefused with the contract's reason when it would fail */
async function gasOf({ chain: { client } }: RouterChain, { from, ...draft }: Draft): Promise<bigint> {
  try {
    return await client.estimateGas({ account: from, ...draft });
  } catch (error) {
    if (isChainAway(error)) throw error;
    throw new WireRefused('TransactionWouldFail', `The transaction would fail: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof BaseError ? `${error.message}\n${error.details}` : String(error);
  return (
    /reverted(?: with reason(?: string)?)?:? ["']?(.+?)["']?\.?\n/.exec(`${text}\n`)?.[1] ?? text.split('\n')[0] ?? text
  );
}
