import type { QuotedWay } from '../../../contract/hedge.ts';
import { quotedWaySchema } from '../../../contract/hedge.ts';
import type { VenueField, VenueKind } from '../../../contract/venue.ts';
import { formatDecimal, parseDecimal, sub } from '../../../protocol/decimal.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { CANCELLABLE_STATUSES } from '../../../protocol/intent-order-record.ts';
import type { IntentPrice, IntentRoute } from '../../../protocol/intent-wire.ts';
import { combinedQuote } from '../../../service/combined-quote.ts';
import { routesOf } from '../../../service/intent-prices.ts';
import { spenderOf } from '../../../service/spender.ts';
import type { HedgeNode } from '../../hedge-node.ts';
import { partnerIn } from '../../hedge-partner.ts';
import { chainOf, type HedgeParts, sentenceOf } from '../../hedge-parts.ts';
import { FRESH_MS, record } from '../../hedge-run.ts';
import { lastStep } from '../../hedge-steps.ts';
import { wireToken } from '../../hedge-tokens.ts';
import { keyFor } from '../../maker-signature.ts';
import { dollars, figures, spending } from '../../quote-figures.ts';
import { fenceOf } from '../../reference-distance.ts';
import { allowanceStage, type Ends, hasStep, type Spending, type Stage, USUAL, type Venue } from '../venue.ts';
import { cancelIntents } from './cancel-all.ts';
import { askForCancellation } from './cancellation.ts';
import { followOrder, signIntentOrder, submitOrder } from './order.ts';
import { signedLeft } from './order-left.ts';
import { orderFilledLate } from './order-on-chain.ts';
import { bridgeOf, intentPrice } from './price.ts';
import { AFTER_LAST_SLICE, checkTerms, intentTerms, limitOf, mostOf, mostSpent } from './terms.ts';

/** Alternatives that are told: each costs looks at the chain. */
const MOST_BRIDGES = 8;
const DOLLAR_PLACES = 2;
const NO_KEY = 'An intent order is signed by the key of the maker, which this desk does not hold.';

const both = (label: string) => ({ SELL: label, BUY: label });
const field = (name: string, kind: VenueField['kind'], label: string, more: Partial<VenueField>): VenueField => {
  return { name, kind, label: both(label), first: '', lack: null, ...more };
};
const SLICES = [
  field('slices', 'whole', 'Slices', { first: '3', least: 2, most: 1_000 }),
  field('interval', 'whole', 'One every, s', { first: '60', least: 60, most: 86_400 }),
];
const SLICED = { count: 'slices', interval: 'interval', last: AFTER_LAST_SLICE };

/** A kind as most of them are: of either side, settled at once, its whole amount bound by the slippage. */
function kind(of: Pick<VenueKind, 'mode' | 'name' | 'says'> & Partial<VenueKind>): VenueKind {
  return {
    choice: of.name,
    sides: ['SELL', 'BUY'],
    fields: [],
    slippage: 'amount',
    waits: false,
    isLimit: false,
    slices: null,
    automatic: null,
    ...of,
  };
}

const KINDS: VenueKind[] = [
  kind({
    mode: 'intent',
    name: 'Intent',
    says: 'The desk signs an order; solvers bid for it, and the best one pays the gas.',
    automatic: 'an intent order',
  }),
  kind({
    mode: 'limit',
    name: 'Limit',
    says: 'A signed order that waits for its price, until its deadline.',
    fields: [
      field('limitAmount', 'other', '', {
        label: { SELL: 'For at least', BUY: 'For at most' },
        lack: 'Type the limit.',
      }),
    ],
    slippage: 'nothing',
    waits: true,
    isLimit: true,
  }),
  kind({
    mode: 'twap',
    name: 'TWAP',
    sides: ['SELL'],
    says: 'A signed order in equal slices, one an interval.',
    fields: SLICES,
    slippage: 'slice',
    waits: true,
    slices: SLICED,
  }),
  kind({
    mode: 'twap-buy',
    name: 'TWAP buy',
    choice: 'TWAP',
    sides: ['BUY'],
    says: 'A signed order in equal slices, one an interval.',
    fields: [
      ...SLICES,
      field('maxSrcAmount', 'other', 'For at most', { lack: 'Type the slices and the most that they may cost.' }),
    ],
    slippage: 'slice',
    waits: true,
    slices: SLICED,
  }),
  kind({
    mode: 'external',
    name: 'Handler',
    says: 'A signed order that a contract of your own settles.',
    fields: [
      field('handler', 'address', 'Handler’s contract', { lack: 'Type the handler’s contract.' }),
      field('data', 'bytes', 'Handler’s data; 0x is none', { first: '0x' }),
    ],
  }),
  kind({
    mode: 'productive',
    name: 'Productive',
    says: 'A signed order whose tokens work in a strategy until it is filled.',
    fields: [field('strategy', 'address', 'Strategy’s contract', { lack: 'Type the strategy’s contract.' })],
  }),
];

/** Signed orders that solvers fill (PROTOCOL 13 to 18): at once, at a limit, in slices, by a handler, or out of a strategy. */
export const intents: Venue = {
  ...USUAL,
  about: {
    name: 'intents',
    title: 'Intent',
    kinds: KINDS,
    isRecord: false,
    does: 'Then signs the order for the service.',
    noPrice: 'There is no intent price.',
    routes: 'lanes',
    noCrossing: null,
  },
  lack(parts, chainId) {
    return keyFor(parts, chainId, chainOf(parts, chainId).config.maker) === null ? NO_KEY : null;
  },
  check: checkTerms,
  quote,
  async prepare(parts, opened): Promise<Spending> {
    if (keyFor(parts, opened.chainId, opened.maker) === null) throw new DeskError('no_key', NO_KEY);
    const { priced, settlement } = intentTerms(opened, Math.floor(parts.now() / 1_000));
    const price = await intentPrice(parts, opened, priced);
    const { origin, destination } = price.route;
    const offered = BigInt(opened.side === 'SELL' ? destination.output.amount : origin.input.amount);
    const amount = mostSpent(opened, price.route, null);
    return { mode: 'intent', spender: spenderOf({ intent: price }), amount, settlement, priced, offered };
  },
  limitOf,
  mostOf,
  built: (steps) => lastStep(steps, 'order_built'),
  left: signedLeft,
  sign: signIntentOrder,
  async follow(run, fresh) {
    if (record(run).state === 'signed') await submitOrder(run, fresh);
    await followOrder(run);
  },
  followsInTurn: false,
  isCancellable: ({ state, cancel, orderStatus }) =>
    cancel === 'no' && (state === 'signed' || (state === 'submitted' && CANCELLABLE_STATUSES.has(orderStatus ?? ''))),
  /** What a person wants is durable before the service is asked: whatever it answers now, the order is asked for until it ends. */
  async cancel(run, actor) {
    const { log, seq } = run;
    await log.step(seq, { step: 'cancel_wanted' }, actor);
    // Until it is known whether the service has it nobody can be asked; it is not handed over any more.
    if (log.running(seq).state === 'signed') return;
    await askForCancellation(run).catch(async (error: unknown) => {
      if (!log.isRunning(seq)) return;
      await log.wait(seq, `It is not cancelled yet, and is asked for again: ${sentenceOf(error)}`);
    });
  },
  cancelAll: cancelIntents,
  filledLate: orderFilledLate,
  stages({ state }, steps): Stage[] {
    const isBuilt = hasStep(steps, ['order_built']);
    return [
      allowanceStage(steps, isBuilt),
      ['Built', isBuilt],
      ['Signed', hasStep(steps, ['order_signed'])],
      ['With the service', hasStep(steps, ['order_submitted'])],
      ['Filled', state === 'done'],
    ];
  },
};

async function quote(parts: HedgeParts, chain: HedgeNode, ends: Ends): Promise<QuotedWay[]> {
  const { chainId, src, dest, side, amount, maker, beneficiary } = ends;
  const crosses = dest.chainId !== chainId;
  const { intent, fallbackReason: reason } = await combinedQuote(parts.service(chainId), {
    srcToken: wireToken(src),
    destToken: wireToken(dest),
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    amount,
    side,
    userAddress: maker,
    ...partnerIn(chainOf(parts, chainId).config),
    chainId,
    mode: crosses ? 'INTENT' : 'ALL',
    ...(crosses && { destChainId: dest.chainId }),
    ...(beneficiary !== null && { beneficiary }),
  });
  if (intent == null) throw new DeskError('no_price', noPriceWords(reason));
  const at = parts.now();
  const first = await quoted(parts, chain, ends, intent, at);
  const others = await Promise.all(
    // An alternative that cannot be told is none that could be chosen.
    otherRoutes(intent).map((route) => quoted(parts, chain, ends, { ...intent, route }, at).catch(() => null)),
  );
  return [first, ...others.flatMap((other) => quotedWaySchema.safeParse(other).data ?? [])];
}

/** Why there is no intent, in the service's words where it has some. */
function noPriceWords(reason: Awaited<ReturnType<typeof combinedQuote>>['fallbackReason']): string {
  if (reason == null) return 'The service gave no intent price.';
  const said = [reason.errorType, reason.details].filter(Boolean).join(': ') || 'it did not say why.';
  return `The service falls back to the market: ${said}`;
}

/** The alternatives that a person can choose: each over a bridge of a name of its own. */
function otherRoutes(price: IntentPrice): IntentRoute[] {
  const names = new Set([bridgeOf(price.route)]);
  return routesOf(price).filter((route) => {
    const name = bridgeOf(route);
    if (name === null || names.has(name) || names.size > MOST_BRIDGES) return false;
    names.add(name);
    return true;
  });
}

async function quoted(
  parts: HedgeParts,
  chain: HedgeNode,
  ends: Ends,
  price: IntentPrice,
  at: number,
): Promise<QuotedWay> {
  const { origin, destination, bridge } = price.route;
  const srcAmount = origin.input.amount;
  const destAmount = destination.output.amount;
  const usd = { srcUsd: dollars(origin.input.amountUSD), destUsd: dollars(destination.output.amountUSD), gasUsd: '0' };
  const furthest = await fenceOf(parts, ends, BigInt(ends.side === 'SELL' ? destAmount : srcAmount));
  return {
    ...figures(ends, { srcAmount, destAmount }, usd, furthest),
    // The relayer pays it, and the price has it in it already.
    gas: { units: null, usd: '0' },
    fees: { partner: price.partner?.name ?? null, percent: price.partner?.feePercent ?? null, ...costsWithin(price) },
    ...(await spending(parts, chain, ends, { spender: spenderOf({ intent: price }), mode: 'intent', srcAmount })),
    via: ['auction among solvers'],
    bridge: bridge
      ? {
          protocol: bridge.protocol ?? 'a bridge',
          seconds: secondsOf(bridge.estimatedTimeMs),
          choice: bridgeOf(price.route),
        }
      : null,
    expiresAt: at + FRESH_MS,
  };
}

/** What the price has in it for gas and for the bridge, where the service says it in dollars. */
function costsWithin({ route }: IntentPrice): Pick<QuotedWay['fees'], 'gasUsd' | 'bridgeUsd'> {
  const { gas, bridge } = (route.fees ?? {}) as { gas?: unknown; bridge?: unknown };
  return { gasUsd: sumUsd([gas]), bridgeUsd: sumUsd(Array.isArray(bridge) ? bridge : []) };
}

function sumUsd(amounts: readonly unknown[]): string | null {
  const said = amounts.map((amount) => dollars((amount as { amountUSD?: unknown } | null | undefined)?.amountUSD));
  const known = said.filter((one) => one !== null).map(parseDecimal);
  if (known.length === 0) return null;
  const total = known.reduce((sum, one) => sub(sum, { n: -one.n, d: one.d }), { n: 0n, d: 1n });
  return formatDecimal(total, DOLLAR_PLACES, 'ceil');
}

/** Whole seconds, at most a year: what is said to take longer does not arrive. */
function secondsOf(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : Math.ceil(Math.max(0, Math.min(milliseconds / 1_000, 31_536_000)));
}
