/** A row of PROTOCOL, part two, the market: section, what it names, and the test of this folder that covers it. */
export type CoveredRow = readonly [section: string, row: string, file: string, test: string];

const P = 'prices.long.test.ts';
const T = 'transactions.long.test.ts';
const S = 'swaps.long.test.ts';
const X = 'pricing.test.ts';

const SHAPE = 'a price route has every field of the documented shape';
const PLACEHOLDER = 'the native asset is the mixed-case placeholder; as 0x0 or in lower case it is refused';
const NAMED = 'are named by address in any casing or by symbol';
const TAXES = 'transfer fees lower what arrives: of every transfer, and of those in DEX swaps only';
const DEXS = 'includeDEXS takes only those it names, excludeDEXS all but those, in any casing';
const METHODS = 'contract methods are included and excluded by name';
const ENVELOPE = 'the envelope goes from the user to the router, with calldata, gas price and gas';
const CHECKS = 'ignoreChecks builds what would fail, without gas';
const NO_GAS = 'ignoreGasEstimate leaves gas out and still checks';
const TOKENS = 'the tokens are those of the route, by address or symbol; the lower-case placeholder is refused';
const SELL_TERMS = 'of a SELL: srcAmount is the route’s, destAmount or slippage says the least';
const BUY_TERMS = 'of a BUY: destAmount is the route’s, srcAmount or slippage says the most';
const CHANGED = 'changed by one character, or with amounts as numbers, or missing, is refused';
const TIGHT = 'slippage that is too tight reverts with INSUFFICIENT_OUTPUT, whichever end is fixed';
const NO_ALLOWANCE =
  'without an allowance, or with one for the legacy router, it reverts with TransferHelper: TRANSFER_FROM_FAILED';
const NATIVE_IN = 'a native source is the transaction’s value and needs no approval';
const LISTED = 'chains and tokens are listed, the native asset among them';
const RATE = 'another method is refused, and while the limit is on so is whoever asks twice a second';
const ANON = 'is anon unless said, which costs 1 bps, and so does a name that is not registered';
const IMPACT = 'maxImpactReached tells of an impact over 15 %, or over maxImpact where it is given';
const VAULT = 'a fee of the body accrues in the vault, from which its owner claims it';
const COUNTED = 'a build is counted with the prices: while the limit is on, one right after a price gets 429';
const SWAP = 'prices and builds in one, without the maker and without gas';

/** Every field, parameter, rule, error text and limit of part two of PROTOCOL that is about the market. */
export const COVERED: readonly CoveredRow[] = [
  [
    '1',
    'market mode: price, build, sign; atomic settlement',
    S,
    'a SELL filled by the maker alone settles as the firm order says, to the last unit',
  ],
  ['1', 'reverts below the slippage-adjusted minimum', T, TIGHT],
  ['1', 'GET /chains', P, LISTED],
  ['2.1', 'Address', P, NAMED],
  ['2.1', 'symbol instead of an address', P, NAMED],
  ['2.1', 'native token placeholder', P, PLACEHOLDER],
  ['2.1', 'Amount', P, 'the amount %s is refused'],
  ['2.1', 'basis points', T, 'slippage of 0 and of 10000 bps are taken'],
  ...'blockNumber network srcToken destToken srcDecimals destDecimals srcAmount destAmount bestRoute gasCostUSD gasCost version contractAddress tokenTransferProxy contractMethod partnerFee srcUSD destUSD partner maxImpactReached hmac'
    .split(' ')
    .map((field) => ['2.2', field, P, SHAPE] as const),
  ['2.2', 'elements of bestRoute', P, 'a best route names hops, exchanges and shares that add up'],
  ['2.2', 'maxImpactReached is true over the ceiling', P, IMPACT],
  ['2.2', 'passed to the build verbatim', T, CHANGED],
  ['2.2', 'others', P, 'otherExchangePrices adds what each exchange by itself would give'],
  ...'from to data gasPrice gas chainId'.split(' ').map((field) => ['2.3', field, T, ENVELOPE] as const),
  ['2.3', 'value', T, NATIVE_IN],
  ['2.3', 'to is the spender to approve', T, NO_ALLOWANCE],
  ['2.3', 'maxFeePerGas, maxPriorityFeePerGas', T, 'eip1559 gives the two fees instead of gasPrice'],
  ['2.3', 'gas omitted with ignoreChecks', T, CHECKS],
  ['2.3', 'gas omitted with ignoreGasEstimate', T, NO_GAS],
  ['4.1', 'srcToken', P, NAMED],
  ['4.1', 'destToken', P, NAMED],
  ['4.1', 'srcToken, destToken required', P, 'that are missing or unknown are refused'],
  [
    '4.1',
    'amount',
    P,
    'the amount is raw units of the source for a SELL, which is the default, and of the destination for a BUY',
  ],
  ['4.1', 'amount required', P, 'a missing amount and an unknown side are refused, naming the field'],
  ['4.1', 'srcDecimals, destDecimals', P, 'may come with their decimals, which must be theirs'],
  [
    '4.1',
    'side',
    P,
    'the amount is raw units of the source for a SELL, which is the default, and of the destination for a BUY',
  ],
  ['4.1', 'network', P, 'the network is 1 unless said, which this host does not serve'],
  ['4.1', 'otherExchangePrices', P, 'otherExchangePrices adds what each exchange by itself would give'],
  ['4.1', 'includeDEXS', P, DEXS],
  ['4.1', 'excludeDEXS', P, DEXS],
  ['4.1', 'excludeRFQ', P, 'excludeRFQ leaves the maker out'],
  ['4.1', 'includeContractMethods', P, METHODS],
  ['4.1', 'excludeContractMethods', P, METHODS],
  ['4.1', 'userAddress', P, 'a user or receiver whom the maker does not quote gets no liquidity of the maker'],
  ['4.1', 'route', P, 'leads over the tokens it names and no others'],
  ['4.1', 'partner, anon by default with 1 bps', P, ANON],
  ['4.1', 'partner with terms of their own', P, 'that is registered costs what was agreed'],
  ['4.1', 'maxImpact', P, IMPACT],
  ['4.1', 'receiver', P, 'a user or receiver whom the maker does not quote gets no liquidity of the maker'],
  ...'srcTokenTransferFee destTokenTransferFee srcTokenDexTransferFee destTokenDexTransferFee'
    .split(' ')
    .map((field) => ['4.1', field, P, TAXES] as const),
  ['4.1', 'transfer fees of a BUY', P, 'a BUY with transfer fees asks for as much more as is kept'],
  [
    '4.1',
    'transfer fees on chain',
    S,
    'a token that keeps part of every transfer settles with the amounts of the route, both ways and for either end',
  ],
  ['4.1', 'version', P, 'the version is 5 unless said, whose routes are for the legacy router'],
  [
    '4.1',
    'excludeContractMethodsWithoutFeeModel',
    P,
    'methods without a fee model are left out on demand, and whenever the partner has a fee',
  ],
  ['4.1', 'ignoreBadUsdPrice', P, 'without a USD price there is no route, unless ignoreBadUsdPrice'],
  [
    '4.2',
    'chainId equals priceRoute.network',
    T,
    'goes with its own chain: another one of the path, or one that is not served, is refused',
  ],
  ['4.2', 'gasPrice', T, 'gasPrice counts instead of the node’s'],
  ['4.2', 'ignoreChecks', T, CHECKS],
  ['4.2', 'ignoreGasEstimate', T, NO_GAS],
  ['4.2', 'onlyParams', T, 'onlyParams gives the router’s function and its arguments'],
  ['4.2', 'eip1559', T, 'eip1559 gives the two fees instead of gasPrice'],
  ['4.2', 'priceRoute', T, CHANGED],
  ['4.2', 'srcToken, destToken', T, TOKENS],
  ['4.2', 'userAddress', T, 'userAddress is required and becomes the sender'],
  ['4.2', 'userAddress is the msg.sender', T, 'an order for one user is not filled for another'],
  ['4.2', 'srcDecimals, destDecimals', T, TOKENS],
  ['4.2', 'srcAmount on SELL', T, SELL_TERMS],
  ['4.2', 'srcAmount on BUY', T, BUY_TERMS],
  ['4.2', 'destAmount on SELL', T, SELL_TERMS],
  ['4.2', 'destAmount on BUY', T, BUY_TERMS],
  ['4.2', 'slippage', T, SELL_TERMS],
  ['4.2', 'txOrigin', T, 'a txOrigin whom the maker does not quote gets no firm quote; another one changes nothing'],
  ['4.2', 'receiver', S, 'the receiver gets the output, the user pays'],
  ['4.2', 'partner', T, 'may ask for fees and surplus as far as was agreed'],
  ['4.2', 'partnerAddress', S, VAULT],
  ['4.2', 'partnerFeeBps', S, VAULT],
  ['4.2', 'permit', T, 'stands for the approval: the swap goes through without one'],
  ['4.2', 'deadline', T, 'after the deadline it reverts, and a deadline that has passed is not built'],
  ['4.2', 'isCapSurplus, true by default', S, 'takeSurplus gives it to the partner’s address, up to 1 % of the quote'],
  ['4.2', 'isCapSurplus false', S, 'without isCapSurplus all of it'],
  ['4.2', 'takeSurplus, false by default', S, 'positive slippage is the user’s unless takeSurplus'],
  ['4.2', 'isSurplusToUser', S, 'isSurplusToUser gives it to the user all the same'],
  ['4.2', 'isDirectFeeTransfer', S, 'with isDirectFeeTransfer the fee is paid at once'],
  ['4.2', 'GET /swap: fused, no RFQ, no gas', T, SWAP],
  ['4.2', 'GET /swap: lower limits', T, 'has the lower limit'],
  ['4.2', 'GET /chains, GET /tokens', P, LISTED],
  ['4.2', 'native sources skip the approval', T, NATIVE_IN],
  ['5', 'market operations need no credentials', P, SHAPE],
  ['5', 'the spender of a market swap is the router', T, NO_ALLOWANCE],
  [
    '5',
    'the spender of an RFQ fill is the RFQ contract',
    '../chain/settlement-refusals.test.ts',
    'a short balance or allowance comes back in the token’s own words',
  ],
  ['5', 'a permit replaces the approval', T, 'stands for the approval: the swap goes through without one'],
  [
    '5',
    'so does one of Permit2',
    T,
    'of Permit2 does so for what is approved there, once, and takes no more than the swap does',
  ],
  ['7', '400 Invalid srcToken, GET /prices', P, PLACEHOLDER],
  ['7', '400 Invalid destToken, GET /prices', P, PLACEHOLDER],
  ['7', '400 Invalid srcToken, build', T, TOKENS],
  ['7', '400 Invalid destToken, build', T, TOKENS],
  ['7', '422 Unsupported chain', P, 'the network is 1 unless said, which this host does not serve'],
  ['7', '429', P, RATE],
  ['7', '429, build', T, COUNTED],
  ['7', '400 Invalid priceRoute', T, CHANGED],
  ['7', '400 Stale priceRoute', T, 'is stale after 30 seconds'],
  ['7', '422 Partner not allowed', T, 'may ask for fees and surplus as far as was agreed'],
  ['7', 'revert INSUFFICIENT_OUTPUT', T, TIGHT],
  ['7', 'revert TransferHelper: TRANSFER_FROM_FAILED', T, NO_ALLOWANCE],
  ['8', 'slippage 0 to 10000 bps', T, 'slippage %s is refused'],
  ['8', 'route at most 4 tokens', P, 'with five tokens, other ends, or a token twice is refused'],
  ['8', 'routes found have at most 4 tokens', X, 'have at most four tokens, and none twice'],
  ['8', 'price impact ceiling 15 %', P, 'the ceiling of impact is 15 % to the point where maxImpact=15 lies'],
  ['8', 'price route age 30 s', X, 'the seal of a route is of its key, its time and every field'],
  ['8', 'surplus cap 1 %', S, 'takeSurplus gives it to the partner’s address, up to 1 % of the quote'],
  ['8', 'anonymous partner fee 1 bps', S, 'the anonymous pay 1 bps, which the treasury may claim'],
  [
    '8',
    'rate limit of the free tier',
    '../service/rate-limits.test.ts',
    'the free tier is one request a second and three thousand a day',
  ],
  ['9', 'version 5 and 6.2', S, 'a route of version 5 goes to the legacy router, which settles it once it is approved'],
];
