/** Samples of the market and intent wire, written from part two of PROTOCOL; each is as JSON brings it. */
export const WETH = `0x${'aA'.repeat(20)}` as const;
export const USDC = `0x${'bB'.repeat(20)}` as const;
export const ROUTER = `0x${'06'.repeat(20)}` as const;
export const INTENT = `0x${'07'.repeat(20)}` as const;
export const OWNER = `0x${'11'.repeat(20)}` as const;

export const priceRoute = () => ({
  zebra: 'a field that nobody knows, first',
  blockNumber: 12,
  network: 31337,
  srcToken: WETH,
  srcDecimals: 18,
  srcAmount: '1000000000000000000',
  destToken: USDC,
  destDecimals: 6,
  destAmount: '3412000000',
  bestRoute: [{ percent: 100, swaps: [] }],
  gasCostUSD: '0.12',
  gasCost: '210000',
  side: 'SELL',
  version: '6.2',
  contractAddress: ROUTER,
  tokenTransferProxy: ROUTER,
  contractMethod: 'swapExactAmountIn',
  partnerFee: 0.01,
  srcUSD: '3412.5',
  destUSD: null,
  partner: 'anon',
  maxImpactReached: false,
  hmac: 'c0ffee',
});

export const envelope = () => ({
  from: OWNER,
  to: ROUTER,
  value: '0',
  data: '0x12AB',
  gasPrice: '1000000000',
  gas: '250000',
  chainId: 31337,
});

const amountOf = (address: string, amount: string, chainId = 31337) => ({
  token: { chainId, address },
  amount,
  amountUSD: '3412.00',
});

export const intentRoute = (destChainId = 31337) => ({
  zulu: 1,
  origin: { input: amountOf(WETH, '1000000000000000000'), output: amountOf(USDC, '3412000000') },
  destination: {
    input: amountOf(USDC, '3412000000', destChainId),
    output: amountOf(USDC, '3410000000', destChainId),
  },
  bridge:
    destChainId === 31337
      ? null
      : {
          protocol: 'Practice',
          estimatedTimeMs: 5_000,
          tags: ['fastest'],
          contractParams: { protocolSelector: '0x01020304', outputToken: USDC, scalingFactor: 0, protocolData: '0x' },
        },
  fees: { gas: null, bridge: [] },
});

export const intentPrice = (destChainId = 31337) => ({
  id: 'p1',
  side: 'SELL',
  route: { ...intentRoute(destChainId), spender: INTENT },
  alternatives: [],
  partner: { name: 'anon', feePercent: 0.01 },
  spender: INTENT,
});

export const orderRecord = (status = 'ACTIVE') => ({
  id: '5e0c6f0e-8c5b-4b0e-9d8b-1f2e3d4c5b6a',
  status,
  side: 'SELL',
  type: 'MARKET',
  onChainOrderType: 'Order',
  input: { chainId: 31337, token: WETH, amount: '1', expectedAmount: '1', executedAmount: '0' },
  output: { chainId: 31337, token: USDC, amount: '2', expectedAmount: '3', executedAmount: '0' },
  owner: OWNER,
  beneficiary: OWNER,
  orderHash: `0x${'cd'.repeat(32)}`,
  partner: 'anon',
  order: { anything: true },
  transactions: [{ originTx: '0x1', destinationTx: null, filledPercent: 50, spentAmount: '1', receivedAmount: '2' }],
  refunds: [{ tx: '0x2', chainId: 31338, token: USDC, amount: '5' }],
  createdAt: '2026-11-21T22:00:00.000Z',
  updatedAt: '2026-11-21T22:00:01.000Z',
  expiresAt: '2026-11-21T23:00:00.000Z',
});
