import { encodeFunctionData, formatUnits } from 'viem';
import { errorBodySchema, firmResponseSchema, type SignedOrder, type Token } from '../protocol/wire.ts';
import { EXECUTOR } from './artifacts.ts';
import { type FirmContext, fieldsOf, firmFault, SLIPPAGE_BPS } from './firm-check.ts';
import type { PlannedSwap } from './planned-swap.ts';
import type { Sender } from './sender.ts';
import { describeFailure, type SurfaceAnswer, type SurfaceClient } from './surface-client.ts';

const FIRM_PATIENCE_MS = 4_000;

export interface Outcome {
  /** One line, whether it went well or not. */
  line: string;
  filled: boolean;
  /** The maker said, in either of its ways, that it does not quote this user. */
  blacklisted: boolean;
}

export interface SwapOptions {
  swap: PlannedSwap;
  surface: SurfaceClient;
  context: FirmContext;
  sender: Sender;
  signal: AbortSignal;
}

/** One swap from the firm quote to its fill, the way the public adapter goes about it. Never throws. */
export async function swapOnce(options: SwapOptions): Promise<Outcome> {
  const { swap, surface, context, signal } = options;
  const wish = describeWish(swap);
  const failed = (why: string, blacklisted = false): Outcome => ({
    line: `${wish}: ${why}`,
    filled: false,
    blacklisted,
  });
  let answer: SurfaceAnswer;
  try {
    answer = await surface.call('/firm', { patienceMs: FIRM_PATIENCE_MS, signal, body: firmBody(swap, context) });
  } catch (error) {
    return failed(`no quote, ${describeFailure(error)} (the real service would leave the pair alone for 5 minutes)`);
  }
  if (answer.status !== 200) return failed(...refusal(answer));
  const parsed = firmResponseSchema.safeParse(answer.body);
  if (!parsed.success)
    return failed('the quote is malformed (the real service would leave the pair alone for 15 minutes)');
  const { order } = parsed.data;
  if (order === undefined) return failed('no order, so this user is on the blacklist', true);
  try {
    const fault = await firmFault(order, swap, context);
    if (fault !== null) return failed(`quote not used, ${fault}`);
    return { line: `${wish}: ${await fill(order, swap, options)}`, filled: true, blacklisted: false };
  } catch (error) {
    return failed(`not filled, ${describeFailure(error).split('\n')[0]}`);
  }
}

function firmBody(swap: PlannedSwap, { user, executor }: FirmContext): object {
  const amount = swap.exact === 'in' ? { takerAmount: `${swap.asked}` } : { makerAmount: `${swap.asked}` };
  const assets = { makerAsset: swap.makerToken.address, takerAsset: swap.takerToken.address };
  return { ...assets, ...amount, userAddress: user, takerAddress: executor, special: false };
}

function refusal({ status, body }: SurfaceAnswer): [why: string, blacklisted: boolean] {
  const said = errorBodySchema.safeParse(body).data;
  const sentence = said === undefined ? 'without a reason' : `${said.code ?? ''} ${said.error}`.trim();
  const consequence = status === 403 ? 'blacklist the user' : 'leave the pair alone for 15 minutes';
  return [`refused with ${status}, ${sentence} (the real service would ${consequence})`, status === 403];
}

/** Fills as much as the user needs; what was asked on top of it stays open until the order expires. */
async function fill(order: SignedOrder, swap: PlannedSwap, { context, sender, signal }: SwapOptions): Promise<string> {
  const fields = fieldsOf(order);
  const { makerAmount, takerAmount } = fields;
  const paid = swap.exact === 'in' ? swap.wanted : (swap.wanted * takerAmount + makerAmount - 1n) / makerAmount;
  const least = swap.exact === 'in' ? (swap.expected * (10_000n - SLIPPAGE_BPS)) / 10_000n : swap.wanted;
  const call = { abi: EXECUTOR.abi, functionName: 'fill', args: [fields, order.signature, paid, least] };
  // A call first: a revert then comes with its reason, and costs nothing.
  await context.client.simulateContract({ ...call, address: context.executor, account: context.user });
  const receipt = await sender.mined(
    await sender.send({ to: context.executor, data: encodeFunctionData(call) }),
    signal,
  );
  const received = (paid * makerAmount) / takerAmount;
  const trade = `paid ${units(paid, swap.takerToken)}, got ${units(received, swap.makerToken)}`;
  return `filled, ${trade} in block ${receipt.blockNumber} (${receipt.transactionHash})`;
}

function describeWish({ direction, pairId, exact, wanted, makerToken, takerToken }: PlannedSwap): string {
  return `taker: ${direction} ${pairId}, ${exact === 'in' ? 'gives' : 'wants'} ${units(wanted, exact === 'in' ? takerToken : makerToken)}`;
}

function units(amount: bigint, { decimals, symbol }: Token): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  return `${whole}.${fraction.slice(0, 6).padEnd(2, '0')} ${symbol}`;
}
