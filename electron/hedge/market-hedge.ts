import type { TransactionReceipt } from 'viem';
import type { HedgeOpened } from '../journal/hedge-events.ts';
import type { Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { TransactionEnvelope } from '../protocol/market-transaction.ts';
import type { PriceRoute } from '../protocol/market-wire.ts';
import { isNative, NATIVE_TOKEN } from '../protocol/route-token.ts';
import { marketTransaction } from '../service/market-operations.ts';
import { spenderOf } from '../service/spender.ts';
import { carryOutApproval } from './carry-out-approval.ts';
import { type HedgeCall, type HedgeNode, readBalance, receiptOf } from './hedge-node.ts';
import { chainOf } from './hedge-parts.ts';
import { HedgeOver, type HedgeRun, isFresh, record } from './hedge-run.ts';
import { wireToken } from './hedge-tokens.ts';
import { marketPrice } from './market-price.ts';
import { movedBeside } from './moved-tokens.ts';
import { nativeUsd } from './native-usd.ts';
import { swapBound } from './swap-bounds.ts';
import { feeOf } from './transaction-fee.ts';
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
  let pricedAt = run.parts.now();
  const first = await marketPrice(run.parts, opened);
  const { permit, sent } = handsOut
    ? { permit: undefined, sent: false }
    : await carryOutApproval(run, {
        ...{ mode: 'market', spender: spenderOf({ market: first }), settlement: 'now', permitRequired: false },
        amount: boundsOf(opened, first).most,
      });
  let route = first;
  if (sent || !isFresh(run, pricedAt)) {
    pricedAt = run.parts.now();
    route = await marketPrice(run.parts, opened);
  }
  let call = await build(run, route, permit, handsOut);
  if (handsOut) {
    await run.log.end(
      run.seq,
      'handed_out',
      'The maker is a contract: its owner sends the calldata, and nothing was sent.',
    );
    return;
  }
  const { maker: owner, src, dest, beneficiary } = opened;
  const ends = { owner, receiver: beneficiary ?? owner, src: src.address, dest: dest.address };
  for (;;) {
    const bounds = boundsOf(opened, route);
    const { gas, received } = await trySwap(run.node(opened.chainId), call, { ...ends, ...bounds });
    const text = received === null ? null : `${received}`;
    await run.log.step(run.seq, { step: 'swap_simulated', gas: `${gas}`, received: text });
    if (await signAndSend(run, 'swap', call, pricedAt)) break;
    // It was held until its price was too old: once more from there.
    pricedAt = run.parts.now();
    route = await marketPrice(run.parts, opened);
    call = await build(run, route, permit, handsOut);
  }
  await followSwap(run);
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
 * The call of an envelope of our router: it carries our bounds as the two words of its terms, what is given and behind it what
 * is received, and takes no native asset along but a native source.
 */
function checkedCall(
  { to, value, data }: TransactionEnvelope,
  { least, most, isNative: native }: { least: bigint; most: bigint; isNative: boolean },
): HedgeCall {
  if (!hasWords(data, [most, least])) {
    throw new DeskError(
      'built_otherwise',
      `The service built a swap without the amount of ${most} raw units to give for at least ${least}.`,
      { remedy: 'It was not signed.' },
    );
  }
  if (BigInt(value) > (native ? most : 0n)) {
    throw new DeskError('built_otherwise', `The service built a swap that takes ${value} wei along.`, {
      remedy: 'It was not signed.',
    });
  }
  return { to: to.toLowerCase() as Hex, value: BigInt(value), data };
}

/** Whether these words stand one behind the other in the arguments of a call. */
function hasWords(data: Hex, words: readonly bigint[]): boolean {
  const text = words.map((word) => word.toString(16).padStart(64, '0')).join('');
  const args = data.toLowerCase().slice(10);
  for (let at = args.indexOf(text); at >= 0; at = args.indexOf(text, at + 1)) if (at % 64 === 0) return true;
  return false;
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
async function swapAmounts(run: HedgeRun, receipt: TransactionReceipt): Promise<{ spent: bigint; received: bigint }> {
  const { logs, blockNumber } = receipt;
  const { chainId, maker, src, dest, beneficiary } = record(run).opened;
  const chain = run.node(chainId);
  const { rfqContract } = chainOf(run.parts, chainId).config;
  const receiver = beneficiary ?? maker;
  const nativeMoved = async (account: Hex) => {
    const [before, after] = await Promise.all([
      readBalance(chain, NATIVE_TOKEN, account, blockNumber - 1n),
      readBalance(chain, NATIVE_TOKEN, account, blockNumber),
    ]);
    return after - before + (account === maker ? await ownCosts(chain, receipt, maker) : 0n);
  };
  const moved = (token: Hex, account: Hex) =>
    isNative(token) ? nativeMoved(account) : Promise.resolve(movedBeside(rfqContract, logs, token, account));
  const [spent, received] = await Promise.all([moved(src.address, maker), moved(dest.address, receiver)]);
  return { spent: -spent, received };
}

/** What the maker paid in the block of a receipt beside that swap: gas, and what other transactions of his sent along. */
async function ownCosts({ client, ...chain }: HedgeNode, receipt: TransactionReceipt, maker: Hex): Promise<bigint> {
  const { transactions } = await client.getBlock({ blockHash: receipt.blockHash, includeTransactions: true });
  let costs = feeOf(receipt);
  for (const { from, hash, to, value } of transactions) {
    if (hash === receipt.transactionHash) continue;
    if (to?.toLowerCase() === maker) costs -= value;
    if (from.toLowerCase() !== maker) continue;
    const other = await receiptOf({ client, ...chain }, hash);
    if (other === null)
      throw new DeskError('node_behind', `The node has no receipt of ${hash}, which it has in a block.`);
    costs += feeOf(other) + (other.status === 'success' ? value : 0n);
  }
  return costs;
}
