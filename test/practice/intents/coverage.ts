/** A row of PROTOCOL, part two, quotes and intents: section, what it names, and the test that covers it; files are named from this folder. */
export type CoveredRow = readonly [section: string, row: string, file: string, test: string];

const Q = 'quotes.long.test.ts';
const B = 'builds.test.ts';
const O = 'orders.long.test.ts';
const C = 'carried-out.test.ts';
const R = 'settle/relayer.long.test.ts';
const X = 'settle/crosschain.long.test.ts';
const A = '../../service/approval-plan.test.ts';
/** Through the whole practice market, over HTTP. */
const W = 'whole-market.long.test.ts';

const WHOLE = 'has the whole shape, and names the intent contract beside the route and in it';
const BRIDGED = 'has a bridge, crosses with the token that arrives, and has the other ways as alternatives';
const MODES = 'has both blocks by default, and only the one that mode names';
const FALLBACK = 'falls back to the market and says why';
const RECORD = 'is kept as PENDING, with its whole record';
const TYPED = 'gives typed data of the plain order for the intent contract, and its hash';
const KINDS = 'of %s has its one outer type and the fields of its kind';
const TWAP = 'that sells with %s %s is refused with InvalidTWAPParams';
const TWAP_BUY = 'that buys with %s %s is refused with InvalidTWAPBuyParams';
const SLICE = 'has the floor of a slice as its route’s amount, and the remainder remains';
const SLIPPAGE = 'takes slippage from 0 to 10000 bps, or the limit of a limit order instead';
const CHANGED = 'with its keys in another order is the same; changed by one character it is none';
const CAST = 'whose amounts were cast to numbers, that is text, not there, or of another service is refused';
const REQUIRED = 'needs chain, tokens, amount and decimals';
const TAKES = 'takes side, user, beneficiary and partner, and no fee over 200 bps';
const STACK = 'of a registered partner and partnerFeeBps stack, for what is sold as for what is bought';
const ANON = 'is 1 bps for whoever names no partner or one that is not registered';
const PLACEHOLDER = 'of a token in lower-case placeholder or zero form is refused as such';
const NO_ROUTE = 'is No route without liquidity, with wrong decimals, from a token to itself, or with no lane';
const UNLISTED = 'of a token that is not listed on its chain is refused with Token not supported';
const PARTNER = 'is encoded with their fee: registered and asked for together';
const SURPLUS = 'may take the surplus, capped unless told, if that was agreed; parts are filled on demand';
const EXTERNAL = 'without handler or data is refused with InvalidExternalOrderParams';
const PRODUCTIVE = 'a productive order without strategy is refused with InvalidProductiveOrderParams';
const PERMIT = 'of either kind goes into the order that is signed';
const PERMIT_ONLY = 'is what some tokens require: without one they are not built';
const LATER = 'is none for limit and TWAP orders: they settle after it is over';
const BOUND = 'with another %s than the order’s is refused';
const FORGED = 'whose signature is of another key, of another value, or no signature is refused';
const FUNDS = 'without the balance or the allowance is refused';
const IN_TIME = 'of a TWAP whose deadline leaves no time for all slices is refused';
const A_UNIT = 'of a TWAP with less than a unit a slice is refused, naming the total';
const PAGES = 'takes a user, pages from 1, and 1 to 1000 a page';
const FILTERS = 'is of the chains, types, statuses and kinds that are named';
const CANCELLED = 'is signed for the contract of the orders’ chain, and cancels them all';
const CANCELLABLE = 'is taken of an order that is %s';
const SETTLED = 'of an order that is %s is refused, and of all others with it';
const AUCTION = 'of an order whose auction is running waits, and changes nothing now';
const NOT_MINE = 'that another signed, for other ids, or not at all is refused with Invalid signature';
const AT_MOST = 'is of 1 to 100 orders of one chain that are there';
const EACH_SLICE = 'for each slice of a TWAP, one after another in its time';
const HANDLED = 'through a handler, and out of a strategy';
const RESTART = 'keeps the orders, and they are carried on';
const COMPLETED = 'an order is auctioned, settled by the best bid and completed, with its transaction';
const SUSPENDED = 'an order whose allowance or balance is gone is suspended, and taken up again when it is back';
const BRIDGE_DOWN =
  'while the bridge is down nothing arrives; for too long, and the owner has it back, with the refund’s transaction';
const BOTH_WAYS =
  'an order over the bridge is delivered on the other chain to the last unit; while the bridge is down it comes back';
const LATE_CANCEL =
  'a cancellation during an auction is taken and waits: a fill in flight goes through, an auction without one ends in it';
const PAID_THERE = 'a crosschain order is settled here, paid there, and completed with both transactions';
const ACROSS = 'across chains ends with the token of the other chain';
const NOT_AVAILABLE = 'of INTENT alone is refused where the intent product cannot price: it is not replaced in silence';

const rows = (section: string, names: string, file: string, test: string): CoveredRow[] =>
  names.split(' ').map((name) => [section, name, file, test]);

/** Every field, parameter, rule, status, error text and limit of part two of PROTOCOL that is about quotes and intents. */
export const COVERED: readonly CoveredRow[] = [
  ['1', 'gasless: signed, submitted, settled by a relayer', C, 'for what is sold'],
  ['1', 'TWAP orders', C, EACH_SLICE],
  ['1', 'TWAP-buy orders', R, 'a TWAP-buy buys its slices, and is cancelled between two of them for good'],
  ['1', 'external-handler and productive-strategy orders', C, HANDLED],
  ['1', 'crosschain orders', X, PAID_THERE],
  ['1', 'crosschain orders, over HTTP between two chains', W, BOTH_WAYS],
  ['1', 'limit orders', O, 'of a limit says so, and has the partner that was named'],
  ['1', 'mode=ALL: an intent price when a solver can fill, otherwise the market with a reason', Q, FALLBACK],

  ['2.1', 'Address', O, PAGES],
  ['2.1', 'native token placeholder', Q, PLACEHOLDER],
  ['2.1', 'native token as what is bought', C, 'for the native asset'],
  [
    '2.1',
    'native token as what is sold: by the market alone, which is said',
    Q,
    'leads to the native asset, and not from it: nobody can be allowed to take it',
  ],
  ['2.1', 'Amount', Q, 'asked for with %j is refused, naming the field'],
  ['2.1', 'basis points', B, SLIPPAGE],

  ['2.4', 'intent', Q, MODES],
  ['2.4', 'market', Q, MODES],
  ['2.4', 'market is built as a price route', Q, 'whose market route can be built into a transaction of the router'],
  ['2.4', 'fallbackReason', Q, FALLBACK],
  ['2.4', 'route', Q, WHOLE],
  ['2.4', 'route is passed verbatim', B, CHANGED],
  ['2.4', 'route.spender', Q, WHOLE],
  ['2.4', 'spender', Q, WHOLE],
  ['2.4', 'route.bridge, null on one chain', Q, WHOLE],
  ['2.4', 'route.bridge across chains', Q, BRIDGED],
  ['2.4', 'route.origin', Q, WHOLE],
  ['2.4', 'route.destination', Q, BRIDGED],
  [
    '2.4',
    'route.fees',
    Q,
    'is the pools’ price less the solver’s margin and the gas, for what is sold as for what is bought',
  ],
  ['2.4', 'id, side, inputToken, outputToken', Q, WHOLE],
  ['2.4', 'partner.feePercent', Q, STACK],
  ['2.4', 'alternatives across chains', Q, BRIDGED],
  ['2.4', 'alternatives empty on one chain', Q, WHOLE],

  ...rows('2.5', 'id status side type onChainOrderType input output owner beneficiary orderHash partner', O, RECORD),
  ...rows('2.5', 'order createdAt updatedAt expiresAt', O, RECORD),
  ['2.5', 'side BUY; amounts of a TWAP', O, 'counts all slices of a TWAP together, and what is bought as exact'],
  ['2.5', 'input and output across chains', O, ACROSS],
  ['2.5', 'executedAmount', C, 'for what is sold'],
  ['2.5', 'transactions', C, 'for what is sold'],
  ['2.5', 'transactions: originTx, destinationTx', X, PAID_THERE],
  ['2.5', 'refunds', X, BRIDGE_DOWN],
  ['2.5', 'refunds, over HTTP', W, BOTH_WAYS],

  ['3', 'none to PENDING', O, RECORD],
  [
    '3',
    'stays PENDING without a bid',
    R,
    'an order that nobody bids for stays pending, and is filled when its price comes',
  ],
  [
    '3',
    'AWAITING_SIGNATURE',
    O,
    'of a contract is signed by its owner (EIP-1271); one that is signed on chain awaits that',
  ],
  ['3', 'ACTIVE', R, 'a TWAP is sold slice by slice at its interval, and the remainder stays'],
  ['3', 'SUSPENDED, and picked up again', R, SUSPENDED],
  ['3', 'CANCELLING without an auction', O, CANCELLABLE],
  ['3', 'CANCELLED once the relayer confirms', R, 'a cancelled order is cancelled on chain before it says so'],
  ['3', 'queued cancel during an auction', O, AUCTION],
  [
    '3',
    'a queued cancel does not stop the in-flight fill',
    R,
    'a cancellation during an auction waits: a fill in flight goes through, and without one the order is cancelled',
  ],
  ['3', 'queued cancel during an auction that runs', W, LATE_CANCEL],
  [
    '3',
    'what a chain takes back is not settled',
    W,
    'after the drill of a reorganisation a completed order is filled again, and its record is what the chain says',
  ],
  [
    '3',
    'queued cancel during the auction of a slice',
    R,
    'a cancellation during the auction of a slice lets that slice through, and no other',
  ],
  ['3', 'BRIDGING', X, PAID_THERE],
  ['3', 'COMPLETED', R, COMPLETED],
  ['3', 'FAILED', R, 'an order that the contract refuses again and again has failed'],
  ['3', 'EXPIRED', R, 'an order expires with its deadline, suspended or not'],
  ['3', 'REFUNDING', X, BRIDGE_DOWN],
  ['3', 'REFUNDED', X, BRIDGE_DOWN],
  ['3', 'statuses from which cancellation is accepted', O, CANCELLABLE],
  ['3', 'statuses from which cancellation is refused', O, SETTLED],
  ['3', 'stored, and carried on after a restart', C, RESTART],
  ['3', 'stored orders of each kind are carried on after a restart', C, 'carries on orders of every kind'],
  [
    '3',
    'stored, and carried on after kill -9',
    'killed-market.long.test.ts',
    'an order is settled once, to the last unit, whenever the market is killed (kill -9) and begins again',
  ],
  ['3', 'polled until it ends', C, 'for what is sold'],

  ['4.3', 'chainId', Q, REQUIRED],
  ['4.3', 'srcToken, destToken', Q, REQUIRED],
  ['4.3', 'amount', Q, TAKES],
  ['4.3', 'srcDecimals, destDecimals', Q, REQUIRED],
  ['4.3', 'mode, ALL by default', Q, MODES],
  ['4.3', 'mode INTENT is only the intent', Q, NOT_AVAILABLE],
  ['4.3', 'side', Q, TAKES],
  ['4.3', 'destChainId', Q, 'across chains is the intent product’s alone'],
  ['4.3', 'userAddress', Q, TAKES],
  ['4.3', 'beneficiary', Q, TAKES],
  ['4.3', 'partner', Q, 'whose market route can be built into a transaction of the router'],
  ['4.3', 'partnerFeeBps', Q, TAKES],
  ['4.3', 'fees stack', Q, STACK],
  ['4.3', 'fees stack in both blocks', Q, 'counts partnerFeeBps into both ways, on top of what is registered'],

  ['4.4', 'GET prices', Q, WHOLE],
  [
    '4.4',
    'prices: chainId, srcToken, destToken, amount, srcDecimals, destDecimals',
    Q,
    `${REQUIRED}, and nothing else`,
  ],
  ['4.4', 'prices: side', Q, 'of an exact amount that arrives goes by bridges that keep none of it'],
  ['4.4', 'prices: destChainId', Q, BRIDGED],
  ['4.4', 'prices: its own number as destChainId', Q, 'with the chain’s own number is of one chain'],
  ['4.4', 'prices: userAddress, beneficiary', Q, TAKES],
  ['4.4', 'prices: partner', Q, ANON],
  ['4.4', 'prices: partnerFeeBps', Q, STACK],
  ['4.4', 'prices: maxImpact', Q, 'with an impact over 15 % is No route, unless maxImpact allows for it'],
  ['4.4', 'prices: includeBridges, excludeBridges', Q, 'takes includeBridges and excludeBridges by name'],
  [
    '4.4',
    'GET bridge-routes',
    Q,
    'lanes are the tokens that both chains have, each way, by their address where they arrive',
  ],
  ['4.4', 'GET is-token-supported', Q, 'a token is supported where it is listed'],
  ['4.4', 'build: route', B, CHANGED],
  ['4.4', 'build: numeric amounts remain strings', B, CAST],
  ['4.4', 'build: side', B, 'of what is bought fixes what comes and limits what goes'],
  ['4.4', 'build: owner, beneficiary', B, 'needs an owner, and a beneficiary is an address'],
  ['4.4', 'build: deadline', B, 'without a deadline is refused; one that is no time is refused by name'],
  ['4.4', 'build: nonce', B, 'gives every order a nonce of its own'],
  ['4.4', 'build: metadata', B, TYPED],
  ['4.4', 'build: slippage, limitAmount', B, SLIPPAGE],
  ['4.4', 'build: orderType', B, KINDS],
  ['4.4', 'build: partner, partnerAddress, partnerFeeBps', B, PARTNER],
  ['4.4', 'build: partnerTakesSurplus, capSurplus, partiallyFillable', B, SURPLUS],
  ['4.4', 'build: permit', B, PERMIT],
  ['4.4', 'build: interval, numSlices', B, TWAP],
  ['4.4', 'build: totalSrcAmount', B, SLICE],
  ['4.4', 'build: totalDestAmount, maxSrcAmount', B, TWAP_BUY],
  ['4.4', 'build: handler, data', B, EXTERNAL],
  ['4.4', 'build: strategy', B, PRODUCTIVE],
  ['4.4', 'build: toSign, orderHash', B, TYPED],
  ['4.4', 'build across chains', B, 'of an order across chains goes over the route’s bridge'],
  ['4.4', 'submit: chainId, order', O, 'that is not the value alone, or lacks a field, is refused, naming it'],
  ['4.4', 'submit: signature', O, FORGED],
  ['4.4', 'submit: partner, type', O, 'of a limit says so, and has the partner that was named'],
  [
    '4.4',
    'submit: partiallyFillable',
    O,
    'says whether it may be filled in parts by its signature, whatever the body adds',
  ],
  ['4.4', 'GET an order', O, RECORD],
  ['4.4', 'list: userAddress', O, 'is of one user, in any casing, the newest first, page by page'],
  ['4.4', 'list: page, limit', O, PAGES],
  ['4.4', 'list: chainId', O, FILTERS],
  ['4.4', 'list: type', O, FILTERS],
  ['4.4', 'list: status', O, FILTERS],
  ['4.4', 'list: onChainOrderType', O, FILTERS],
  [
    '4.4',
    'list: data, total, page, limit, hasMore',
    O,
    'is of one user, in any casing, the newest first, page by page',
  ],
  ['4.4', 'cancel: orderIds, signature', O, CANCELLED],
  ['4.4', 'cancel: build/cancellation', O, CANCELLED],
  ['4.4', 'TWAP: the slice is floor(total / numSlices)', B, SLICE],
  ['4.4', 'TWAP: the deadline is later than now + numSlices x interval', O, IN_TIME],
  ['4.4', 'TWAP: a total is at least numSlices', O, A_UNIT],

  ['5', 'operations are called without credentials', Q, WHOLE],
  ['5', 'orders are authorised by the owner’s signature', O, FORGED],
  ['5', 'cancellations are signed with the chain id and domain', O, CANCELLED],
  ['5', 'the spender is the intent contract of the price', Q, WHOLE],
  ['5', 'rule 1: another spender’s allowance does not count', O, FUNDS],
  ['5', 'rule 2: the spender comes from the shape of the answer', A, 'comes from the shape of the answer'],
  ['5', 'rule 3: native sources need no approval', A, 'is not needed for the native asset'],
  ['5', 'rule 4: enough allowance skips', A, 'is skipped from the very amount on'],
  ['5', 'rule 4: through zero', A, 'goes through zero for tokens that need it, unless it is zero'],
  [
    '5',
    'rule 5: the same chain throughout',
    A,
    'whatever is asked, nobody but the spender of the quote is allowed anything, and never less than the amount',
  ],
  ['5', 'rule 6: a permit is passed in the build', B, PERMIT],
  ['5', 'rule 6: a permit binds to spender, amount and deadline', B, BOUND],
  [
    '5',
    'rule 6: a permit replaces the approval',
    B,
    'stands for the approval when the order is submitted; one of Permit2 needs an approval there',
  ],
  ['5', 'rule 7: limit orders and TWAP need an approval', B, LATER],
  ['5', 'rule 8: tokens that require a permit', B, PERMIT_ONLY],
  [
    '5',
    'rule 8: a token of the practice market that requires one',
    W,
    'the wrapped native asset is sold by a permit only: no approval stands for it',
  ],
  [
    '5',
    'rule 9: unavailable modes are reported',
    Q,
    'is reported as not available where there is no intent contract, or no such chain',
  ],
  ['5', 'rule 9: not silently replaced', Q, NOT_AVAILABLE],

  ['6', 'no push: clients poll', C, 'for what is sold'],

  ['7', 'prices: 400 Invalid srcToken', Q, PLACEHOLDER],
  ['7', 'prices: 400 Invalid destToken', Q, PLACEHOLDER],
  [
    '7',
    'prices: 422 Unsupported chain',
    Q,
    'is reported as not available where there is no intent contract, or no such chain',
  ],
  ['7', 'prices: 429', Q, 'while calls are counted, one too many gets 429'],
  ['7', 'prices: 400 No route', Q, NO_ROUTE],
  ['7', 'prices: 400 Token not supported', Q, UNLISTED],
  ['7', 'build: 400 route validation failed', B, CAST],
  ['7', 'build: 400 missing deadline', B, 'without a deadline is refused; one that is no time is refused by name'],
  ['7', 'build: 400 InvalidTWAPParams', B, TWAP],
  ['7', 'build: 400 InvalidTWAPBuyParams', B, TWAP_BUY],
  ['7', 'build: 400 InvalidTWAPSrcAmount', B, SLICE],
  ['7', 'build: 400 InvalidTWAPBuyDestAmount', B, SLICE],
  ['7', 'build: 400 InvalidExternalOrderParams', B, EXTERNAL],
  ['7', 'build: 400 InvalidProductiveOrderParams', B, PRODUCTIVE],
  ['7', 'build: 400 Permit / Permit2 required', B, PERMIT_ONLY],
  ['7', 'build: 422 Partner not allowed', B, PARTNER],
  ['7', 'submit: 400 Invalid signature', O, FORGED],
  ['7', 'submit: 400 Order expired', O, 'whose deadline has passed is refused with Order expired'],
  ['7', 'submit: 400 InsufficientAllowance', O, FUNDS],
  ['7', 'submit: 400 InsufficientBalance', O, FUNDS],
  ['7', 'submit: 400 deadline must allow enough time for all slices to execute', O, IN_TIME],
  ['7', 'submit: 400 totalSrcAmount must be >= numSlices', O, A_UNIT],
  ['7', 'submit: 400 totalDestAmount must be >= numSlices', O, A_UNIT],
  ['7', 'submit: 400 maxSrcAmount must be >= numSlices', O, A_UNIT],
  ['7', 'cancel: 400 Invalid signature', O, NOT_MINE],
  ['7', 'cancel: 400 Order already settled', O, SETTLED],
  ['7', 'cancel: 400 orderIds.length > 100', O, AT_MOST],

  ['8', 'slippage 0 to 10000 bps', B, SLIPPAGE],
  ['8', 'partnerFeeBps 0 to 200', Q, TAKES],
  ['8', 'price impact 15 % by default', Q, 'with an impact over 15 % is No route, unless maxImpact allows for it'],
  ['8', 'anonymous partner fee 1 bps', Q, ANON],
  ['8', 'surplus cap by default', B, SURPLUS],
  ['8', 'at most 100 orderIds', O, AT_MOST],
  ['8', 'interval at least 60 seconds; numSlices at least 2', B, TWAP],
  ['8', 'order list page size 1 to 1000', O, PAGES],

  [
    '9',
    'the path segment, mode and block are a setting',
    Q,
    'a service that calls it delta has path, mode and block of that name, and no others',
  ],
];
