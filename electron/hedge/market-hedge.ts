import type { TransactionReceipt } from 'viem';
import type { HedgeOpened } from '../journal/hedge-events.ts';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { TransactionEnvelope } from '../protocol/market-transaction.ts';
import type { PriceRoute } from '../protocol/market-wire.ts';
import { isNative, NATIVE_TOKEN } from '../protocol/route-token.ts';
import { marketPrices, marketTransaction } from '../service/market-operations.ts';
import { spenderOf } from '../service/spender.ts';
import { carryOutApproval } from './carry-out-approval.ts';
import { type HedgeCall, readBalance } from './hedge-node.ts';
import { HedgeOver, type HedgeRun, record } from './hedge-run.ts';
import { wireToken } from './hedge-tokens.ts';
import { movedTokens } from './moved-tokens.ts';
import { nativeUsd } from './native-usd.ts';
import { swapBound } from './swap-bounds.ts';
import { followTransaction, signAndSend } from './transactions.ts';
import { trySwap } from './try-swap.ts';

/**
 * A hedge through the router, from its price to its receipt: price, approve, build, check, try, sign, send, follow. The desk's
 * own grid is left out: it would trade with itself.
 */
export async function runMarketHedge(run: HedgeRun): Promise<void> {
  const { opened, state, pending } = record(run);
  if (pending?.purpose === 'swap') return followSwap(run);
  if (state === 'mined') return finish(run);
  const handsOut = run.parts.signerFor(opened.maker) === null;
  const first = await price(run);
  const { permit, sent } = handsOut
    ? { permit: undefined, sent: false }
    : await carryOutApproval(run, {
        ...{ mode: 'market', spender: spenderOf({ market: first }), settlement: 'now', permitRequired: false },
        amount: boundsOf(opened, first).most,
      });
  const route = sent ? await price(run) : first;
  const call = await build(run, route, permit, handsOut);
  if (handsOut) {
    await run.log.end(
      run.seq,
      'handed_out',
      'The maker is a contract: its owner sends the calldata, and nothing was sent.',
    );
    return;
  }
  const { least, most } = boundsOf(opened, route);
  const { maker: owner, src, dest, beneficiary } = opened;
  const ends = { owner, receiver: beneficiary ?? owner, src: src.address, dest: dest.address };
  const { gas, received } = await trySwap(run.node(opened.chainId), call, { ...ends, least, most });
  const text = received === null ? null : `${received}`;
  await run.log.step(run.seq, { step: 'swap_simulated', gas: `${gas}`, received: text });
  await signAndSend(run, 'swap', call);
  await followSwap(run);
}

function price(run: HedgeRun): Promise<PriceRoute> {
  const { chainId, src, dest, amount, side, maker, beneficiary } = record(run).opened;
  return marketPrices(run.parts.service(chainId), {
    ...{ srcToken: wireToken(src), destToken: wireToken(dest), srcDecimals: src.decimals, destDecimals: dest.decimals },
    ...{ amount, side, network: chainId, userAddress: maker, excludeRFQ: true },
    ...(beneficiary !== null && { receiver: beneficiary }),
  });
}

function boundsOf(
  { side, amount, slippageBps, shown }: HedgeOpened,
  route: PriceRoute,
): { least: bigint; most: bigint } {
  const screen = shown === null ? null : BigInt(shown);
  if (side === 'SELL') {
    return { most: BigInt(amount), least: swapBound(side, BigInt(route.destAmount), slippageBps, screen) };
  }
  return { most: swapBound(side, BigInt(route.srcAmount), slippageBps, screen), least: BigInt(amount) };
}

/** Has the transaction built with our own bounds, and checks that these are what it says. Throws DeskError `built_otherwise`. */
async function build(run: HedgeRun, route: PriceRoute, permit: Hex | undefined, handsOut: boolean): Promise<HedgeCall> {
  const { opened } = record(run);
  const { chainId, src, dest, maker, beneficiary, deadline } = opened;
  const { least, most } = boundsOf(opened, route);
  const envelope = await marketTransaction(
    run.parts.service(chainId),
    {
      ...{ priceRoute: route, srcToken: wireToken(src), destToken: wireToken(dest), userAddress: maker },
      ...{
        srcDecimals: src.decimals,
        destDecimals: dest.decimals,
        srcAmount: `${most}`,
        destAmount: `${least}`,
        deadline,
      },
      ...(beneficiary !== null && { receiver: beneficiary }),
      ...(permit !== undefined && { permit }),
    },
    { eip1559: true, ignoreChecks: handsOut },
  );
  const call = checkedCall(envelope, { least, most, isNative: isNative(src.address) });
  const gasPrice = await run.node(chainId).client.getGasPrice();
  await run.log.step(run.seq, {
    ...{ step: 'swap_built', to: call.to, value: `${call.value}`, data: call.data },
    ...{ least: `${least}`, most: `${most}`, nativeUsd: nativeUsd(route, gasPrice) },
  });
  return call;
}

/**
 * The call of an envelope whose receiver was checked already: it carries our bounds word for word, and takes no native asset
 * along but a native source.
 */
function checkedCall(
  { to, value, data }: TransactionEnvelope,
  { least, most, isNative: native }: { least: bigint; most: bigint; isNative: boolean },
): HedgeCall {
  for (const bound of [least, most]) {
    if (data.toLowerCase().includes(bound.toString(16).padStart(64, '0'))) continue;
    throw new DeskError('built_otherwise', `The service built a swap without the amount of ${bound} raw units in it.`, {
      remedy: 'It was not signed.',
    });
  }
  if (BigInt(value) > (native ? most : 0n)) {
    throw new DeskError('built_otherwise', `The service built a swap that takes ${value} wei along.`, {
      remedy: 'It was not signed.',
    });
  }
  return { to: to.toLowerCase() as Hex, value: BigInt(value), data };
}

async function followSwap(run: HedgeRun): Promise<void> {
  const taken = await followTransaction(run, (receipt) => swapAmounts(run, receipt));
  if (!taken)
    throw new HedgeOver('failed', 'Another transaction took its nonce: it was not carried out and never can be.');
  await finish(run);
}

async function finish(run: HedgeRun): Promise<void> {
  const { transactions } = record(run);
  const swap = transactions.find(({ purpose }) => purpose === 'swap');
  if (swap?.outcome === 'confirmed') await run.log.end(run.seq, 'done', null);
  else await run.log.end(run.seq, 'failed', 'It was reverted on chain: nothing was traded, and its gas was paid.');
}

/** What the swap moved, by the receipt's Transfer logs; of the native asset by the balances around its block. */
async function swapAmounts(
  run: HedgeRun,
  { logs, blockNumber, gasUsed, effectiveGasPrice }: TransactionReceipt,
): Promise<{ spent: bigint; received: bigint }> {
  const { chainId, maker, src, dest, beneficiary } = record(run).opened;
  const chain = run.node(chainId);
  const receiver = beneficiary ?? maker;
  const nativeMoved = async (account: Hex) => {
    const [before, after] = await Promise.all([
      readBalance(chain, NATIVE_TOKEN, account, blockNumber - 1n),
      readBalance(chain, NATIVE_TOKEN, account, blockNumber),
    ]);
    return after - before + (account === maker ? gasUsed * effectiveGasPrice : 0n);
  };
  const moved = (token: Hex, account: Hex) =>
    isNative(token) ? nativeMoved(account) : Promise.resolve(movedTokens(logs, token, account));
  const [spent, received] = await Promise.all([moved(src.address, maker), moved(dest.address, receiver)]);
  return { spent: -spent, received };
}
