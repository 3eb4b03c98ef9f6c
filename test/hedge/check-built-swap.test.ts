import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { type AgreedSwap, agreedCall } from '../../electron/hedge/venues/market/check-built-swap.ts';
import { type Address, ZERO_ADDRESS } from '../../electron/protocol/address.ts';
import { NATIVE_TOKEN } from '../../electron/protocol/route-token.ts';

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const [MAKER, ROUTER, WETH, USDC, THIEF] = ['1', '2', 'a', 'b', 'f'].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const ABI = parseAbi([
  'struct GenericData { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }',
  'function swapExactAmountIn(address executor, GenericData swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable',
  'function swapExactAmountOut(address executor, GenericData swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable',
  'function swapExactAmountInOnUniswapV2((address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, uint256 quotedAmount, bytes32 metadata, address beneficiary, bytes pools) data, uint256 partnerAndFee, bytes permit) payable',
]);

const NO_METADATA: Hex = `0x${'0'.repeat(64)}`;
const sale: AgreedSwap = {
  side: 'SELL',
  src: WETH,
  dest: USDC,
  offered: 300n,
  most: 100n,
  least: 297n,
  furthest: null,
  maker: MAKER,
  beneficiary: null,
  slippageBps: 50,
};

interface Built {
  method?: 'swapExactAmountIn' | 'swapExactAmountOut';
  fees?: bigint;
  value?: bigint;
  [term: string]: unknown;
}

/** The envelope of a service that builds what was agreed, but for these. */
function built(agreed: AgreedSwap, { method, fees = 0n, value = 0n, ...other }: Built = {}) {
  const terms = {
    srcToken: agreed.src,
    destToken: agreed.dest,
    fromAmount: agreed.most,
    toAmount: agreed.least,
    quotedAmount: agreed.side === 'SELL' ? 300n : 95n,
    metadata: NO_METADATA,
    beneficiary: ZERO_ADDRESS,
  };
  const functionName = method ?? (agreed.side === 'SELL' ? 'swapExactAmountIn' : 'swapExactAmountOut');
  // Behind its terms stand bytes that nobody reads: here they hold the agreed amounts once more.
  const bytes = `0x${[agreed.most, agreed.least].map((word) => word.toString(16).padStart(64, '0')).join('')}` as Hex;
  const data = encodeFunctionData({
    abi: ABI,
    functionName,
    args: [THIEF, Object.assign(terms, other), fees, '0x', bytes],
  });
  return { from: MAKER, to: ROUTER, value: `${value}`, data, chainId: 1 };
}

describe('a swap that the service has built', () => {
  test('is taken when it gives, brings and pays what was agreed, through whatever executor', () => {
    const { to, value, data } = agreedCall(built(sale), sale);
    expect({ to, value, data }).toEqual({ to: ROUTER, value: 0n, data: built(sale).data });
    expect(agreedCall(built(sale, { beneficiary: MAKER, fees: 50n | (1n << 95n) }), sale).to).toBe(ROUTER);
    const purchase: AgreedSwap = { ...sale, side: 'BUY', offered: 95n, most: 110n, least: 300n };
    expect(agreedCall(built(purchase), purchase).to).toBe(ROUTER);
    expect(() => agreedCall(built(purchase, { quotedAmount: 96n }), purchase)).toThrowError(/others keep/);
    const forAnother = { ...sale, beneficiary: USDC };
    expect(agreedCall(built(forAnother, { beneficiary: USDC }), forAnother).to).toBe(ROUTER);
    const native = { ...sale, src: NATIVE_TOKEN };
    expect(agreedCall(built(native, { value: 100n }), native).value).toBe(100n);
  });

  test.each<[string, RegExp, Built]>([
    ['brings less, though the agreed amounts stand elsewhere in it', /brings 1 raw units/, { toAmount: 1n }],
    ['takes more', /takes 101 raw units/, { fromAmount: 101n }],
    ['takes less', /takes 99 raw units/, { fromAmount: 99n }],
    ['gives another token', /gives 0xf/i, { srcToken: THIEF }],
    ['brings another token', /brings 0xf/i, { destToken: THIEF }],
    ['pays somebody else', /pays 0xf/i, { beneficiary: THIEF }],
    ['lets others keep what was agreed as if it were a surplus', /others keep/, { quotedAmount: 299n }],
    ['takes a fee over the slippage', /fee of 51 of/, { fees: 51n }],
    ['is of the other kind', /swapExactAmountOut/, { method: 'swapExactAmountOut' }],
    ['takes the native asset along', /7 wei along/, { value: 7n }],
  ])('and %s is not signed', (_, message, other) => {
    expect(() => agreedCall(built(sale, other), sale)).toThrowError(message);
    expect(() => agreedCall(built(sale, other), sale)).toThrowError(
      expect.objectContaining({ code: 'built_otherwise' }),
    );
  });

  test('and whose fee leaves less than the furthest from the reference is not signed, however wide the slippage', () => {
    const terms = { ...sale, least: 29_703n, offered: 29_999n, slippageBps: 500, furthest: 29_700n };
    const quotedAmount = 30_000n;
    expect(agreedCall(built(terms, { quotedAmount, fees: 1n }), terms).to).toBe(ROUTER);
    expect(() => agreedCall(built(terms, { quotedAmount, fees: 2n }), terms)).toThrowError(
      /further from the reference/,
    );
  });

  test('and gives too little or too much of a native source along is not signed', () => {
    const native = { ...sale, src: NATIVE_TOKEN };
    for (const value of [0n, 99n, 101n])
      expect(() => agreedCall(built(native, { value }), native)).toThrowError(/along/);
  });

  test('by a function whose terms stand elsewhere, or that cannot be read, is not signed', () => {
    const terms = { srcToken: WETH, destToken: USDC, fromAmount: 100n, toAmount: 297n, quotedAmount: 300n };
    const args = [{ ...terms, metadata: NO_METADATA, beneficiary: ZERO_ADDRESS, pools: '0x' }, 0n, '0x'] as const;
    const data = encodeFunctionData({ abi: ABI, functionName: 'swapExactAmountInOnUniswapV2', args });
    const cut = built(sale).data.slice(0, 200) as Hex;
    for (const one of [data, cut, '0x' as Hex]) {
      expect(() => agreedCall({ ...built(sale), data: one }, sale)).toThrowError(/none of the router’s functions/);
    }
  });
});
