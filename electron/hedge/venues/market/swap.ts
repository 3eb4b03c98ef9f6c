import type { Address, Hex } from '../../../protocol/address.ts';
import { formatDecimal, fromRaw, parseDecimal, WHOLE_BPS } from '../../../protocol/decimal.ts';
import type { PriceRoute } from '../../../protocol/market-wire.ts';
import { marketTransaction } from '../../../service/market-operations.ts';
import { spenderOf } from '../../../service/spender.ts';
import { carryOutApproval } from '../../carry-out-approval.ts';
import type { HedgeCall } from '../../hedge-node.ts';
import { partnerIn } from '../../hedge-partner.ts';
import { chainOf } from '../../hedge-parts.ts';
import { HedgeOver, type HedgeRun, isFresh, mayGoOn, record } from '../../hedge-run.ts';
import { wireToken } from '../../hedge-tokens.ts';
import { claim } from '../../most-taken.ts';
import { expectPinned } from '../../pinned-contracts.ts';
import { furthestOf } from '../../reference-distance.ts';
import { swapBound } from '../../slippage-bound.ts';
import { followTransaction, signAndSend } from '../../transactions.ts';
import type { Ends } from '../venue.ts';
import { ANONYMOUS_BPS, agreedCall } from './check-built-swap.ts';
import { marketPrice } from './price.ts';
import { sentAmounts } from './swap-amounts.ts';
import { trySwap } from './try-swap.ts';
import { awaitWallet } from './wallet-swap.ts';

const WEI = 10n ** 18n;
const NATIVE_PLACES = 6;
const GUESSED =
  'The node no longer gives the balances around its block, so what it moved of the native coin counts as it was tried or built: compare it with the chain.';

/**
 * The part of a hedge through the router until it is sent: price, approve, build, check, try, sign, send. The desk's own grid is
 * left out: it would trade with itself. A contract maker's owner gets the calldata instead.
 */
export async function signSwap(run: HedgeRun): Promise<void> {
  const { opened } = record(run);
  const handsOut = run.parts.signerFor(opened.maker) === null;
  let offer = await priced(run);
  const { permit, sent } = handsOut
    ? { permit: undefined, sent: false }
    : await carryOutApproval(run, {
        mode: 'market',
        spender: spenderOf({ market: offer.route }),
        settlement: 'now',
        permitRequired: false,
        amount: offer.most,
      });
  if (sent || !isFresh(run, offer.at)) offer = await priced(run);
  let call = await build(run, offer, permit, handsOut);
  if (handsOut) {
    // Its price is of a moment: what was held meanwhile is built once more.
    while (await mayGoOn(run)) call = await build(run, await priced(run), permit, true);
    const block = Number(await run.node(opened.chainId).client.getBlockNumber({ cacheTime: 0 }));
    await run.log.step(run.seq, { step: 'handed_out', block });
    return;
  }
  const { maker: owner, src, dest, beneficiary } = opened;
  const ends = { owner, receiver: beneficiary ?? owner, src: src.address, dest: dest.address };
  for (;;) {
    const { least, most } = offer;
    const { gas, received } = await trySwap(run.node(opened.chainId), call, { ...ends, least, most });
    const text = received === null ? null : `${received}`;
    await run.log.step(run.seq, { step: 'swap_simulated', gas: `${gas}`, received: text });
    if (await signAndSend(run, 'swap', call, offer.at)) return;
    // It was held until its price was too old: once more from there.
    offer = await priced(run);
    call = await build(run, offer, permit, handsOut);
  }
}

/** Follows what was sent, or handed out, to its receipt and its end. */
export async function followSwap(run: HedgeRun): Promise<void> {
  const { state } = record(run);
  if (state === 'handed_out') {
    run.letPass();
    // The owner of the contract maker sends the calldata, whoever finds it first.
    await awaitWallet(run);
  } else if (state !== 'mined' && !(await followTransaction(run, (receipt) => sentAmounts(run, receipt)))) {
    throw new HedgeOver('failed', 'Another transaction took its nonce: it was not carried out and never can be.');
  }
  const became = record(run).transactions.flatMap(({ purpose, outcome }) => (purpose === 'swap' ? [outcome] : []));
  if (became.includes('confirmed')) {
    const isGuess = (await run.log.last(run.seq, 'transaction_mined'))?.guessed === true;
    await run.log.end(run.seq, 'done', isGuess ? GUESSED : await shortfall(run));
  } else {
    const what = became.includes('reverted')
      ? 'It was reverted on chain'
      : 'Its deadline passed before it was mined, and an empty transaction took its place';
    await run.log.end(run.seq, 'failed', `${what}: nothing was traded, and its gas was paid.`);
  }
}

/** What is to be said of a swap that moved something else than was agreed, whoever may be lying; null where it did not. */
async function shortfall(run: HedgeRun): Promise<string | null> {
  const { spent, received, opened } = record(run);
  const built = await run.log.last(run.seq, 'swap_built');
  if (built === null) return null;
  const { src, dest } = opened;
  const isMore = BigInt(spent) > BigInt(built.most);
  if (BigInt(received) >= BigInt(built.least) && !isMore) return null;
  const text = (raw: string, { symbol, decimals }: typeof src) => `${fromRaw(BigInt(raw), decimals)} ${symbol}`;
  const agreed = `at least ${text(built.least, dest)} for at most ${text(built.most, src)} was agreed`;
  return `By its receipt it brought ${text(received, dest)} and took ${text(spent, src)}, and ${agreed}. Look at the token, the node and the service before you hedge on.`;
}

/** What the service offers, of what moment (Unix milliseconds), and what may come of it: least received, most spent. */
interface Offer {
  at: number;
  route: PriceRoute;
  least: bigint;
  most: bigint;
  /** The furthest from the reference that may come of it, raw units; null where nothing holds it. */
  furthest: bigint | null;
}

/** Throws as `marketPrice` does, and DeskError `price_moved`, `off_reference`, `no_reference`. */
async function priced(run: HedgeRun): Promise<Offer> {
  const { opened } = record(run);
  const { side, amount, slippageBps, shown } = opened;
  const at = run.parts.now();
  const route = await marketPrice(run.parts, opened);
  const offered = BigInt(side === 'SELL' ? route.destAmount : route.srcAmount);
  const kept = keptBps(route, opened);
  const furthest = furthestOf(run, opened, (offered * kept) / WHOLE_BPS);
  const others = { shown: shown === null ? null : BigInt(shown), furthest: beforeFee(furthest, kept) };
  const bound = swapBound(side, offered, slippageBps, others);
  return side === 'SELL'
    ? { at, route, most: BigInt(amount), least: bound, furthest }
    : { at, route, most: bound, least: BigInt(amount), furthest };
}

/** What the router leaves of what a SELL brings, bps; of a purchase it takes nothing. */
export function keptBps(route: PriceRoute, { side, slippageBps }: Pick<Ends, 'side' | 'slippageBps'>): bigint {
  return side === 'SELL' ? WHOLE_BPS - feeBps(route, slippageBps) : WHOLE_BPS;
}

/** A bound as the router compares it: it takes its fee of what a SELL brings only afterwards. */
export function beforeFee(furthest: bigint | null, kept: bigint): bigint | null {
  return furthest === null ? null : (furthest * WHOLE_BPS + kept - 1n) / kept;
}

/** What the route says that the router takes of a SELL, in bps rounded up, and no more than would be signed. */
function feeBps({ partnerFee: percent }: PriceRoute, slippageBps: number): bigint {
  const said = Number.isFinite(percent) && percent > 0 ? BigInt(Math.ceil(Math.min(percent, 100) * 100)) : 0n;
  const most = BigInt(slippageBps) > ANONYMOUS_BPS ? BigInt(slippageBps) : ANONYMOUS_BPS;
  return said < ANONYMOUS_BPS ? ANONYMOUS_BPS : said > most ? most : said;
}

/** Has the transaction built with our own bounds, and checks that these are what it says. Throws DeskError `built_otherwise`. */
async function build(
  run: HedgeRun,
  { route, least, most, furthest }: Offer,
  permit: Hex | undefined,
  handsOut: boolean,
): Promise<HedgeCall> {
  const { opened } = record(run);
  const { chainId, side, src, dest, maker, beneficiary, slippageBps, deadline } = opened;
  // Also of a route that was asked for anew, and of what is handed out: each may name another router, or the zero address.
  expectPinned(run.parts, chainId, {
    mode: 'market',
    chainId,
    address: route.contractAddress.toLowerCase() as Address,
  });
  const envelope = await marketTransaction(
    run.parts.service(chainId),
    {
      priceRoute: route,
      srcToken: wireToken(src),
      destToken: wireToken(dest),
      userAddress: maker,
      srcDecimals: src.decimals,
      destDecimals: dest.decimals,
      srcAmount: `${most}`,
      destAmount: `${least}`,
      deadline,
      ...(beneficiary !== null && { receiver: beneficiary }),
      ...partnerIn(chainOf(run.parts, chainId).config),
      ...(permit !== undefined && { permit }),
    },
    { eip1559: true, ignoreChecks: handsOut },
  );
  const offered = BigInt(side === 'SELL' ? route.destAmount : route.srcAmount);
  const ends = { src: wireToken(src), dest: wireToken(dest), offered };
  const call = agreedCall(envelope, { side, maker, beneficiary, slippageBps, least, most, furthest, ...ends });
  claim(run, most);
  const gasPrice = await run.node(chainId).client.getGasPrice();
  await run.log.step(run.seq, {
    step: 'swap_built',
    to: call.to,
    value: `${call.value}`,
    data: call.data,
    least: `${least}`,
    most: `${most}`,
    nativeUsd: nativeUsd(route, gasPrice),
  });
  return call;
}

/** Dollars that the service reckons a whole native token at, from what it says of gas; null when it does not say. */
function nativeUsd(
  { gasCost, gasCostUSD }: Pick<PriceRoute, 'gasCost' | 'gasCostUSD'>,
  gasPrice: bigint,
): string | null {
  try {
    const usd = parseDecimal(gasCostUSD);
    const wei = BigInt(gasCost) * gasPrice;
    return wei === 0n || usd.n === 0n
      ? null
      : formatDecimal({ n: usd.n * WEI, d: usd.d * wei }, NATIVE_PLACES, 'floor');
  } catch {
    return null;
  }
}
