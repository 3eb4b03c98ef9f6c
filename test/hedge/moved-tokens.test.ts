import { encodeAbiParameters, encodeEventTopics, parseAbiParameters, toHex } from 'viem';
import { expect, test } from 'vitest';
import { RFQ_ABI } from '../../electron/chain/rfq-abi.ts';
import { feeOf } from '../../electron/chain/transaction-fee.ts';
import { movedBeside, movedTokens } from '../../electron/hedge/moved-tokens.ts';
import type { Address } from '../../electron/protocol/address.ts';

const address = (byte: string): Address => `0x${byte.repeat(20)}`;
const [MAKER, SOLVER, RFQ, WETH, USDC] = ['11', '22', '33', 'aa', 'bb'].map(address) as [
  ...[Address, Address, Address, Address, Address],
];
const topic = (one: Address) => `0x${one.slice(2).padStart(64, '0')}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const transfer = (token: Address, from: Address, to: Address, amount: bigint) => {
  return { address: token, topics: [TRANSFER, topic(from), topic(to)], data: toHex(amount, { size: 32 }) };
};
const filled = (contract: Address, maker: Address) => ({
  address: contract,
  topics: encodeEventTopics({
    abi: RFQ_ABI,
    eventName: 'OrderFilled',
    args: { orderHash: `0x${'0f'.repeat(32)}`, maker, taker: SOLVER },
  }) as string[],
  data: encodeAbiParameters(parseAbiParameters('address, uint256, address, uint256'), [USDC, 3_390n, WETH, 1_000n]),
});
/** The maker sells 1,000 WETH to a solver, who gets them rid of at once by filling a bid of the same maker. */
const logs = [
  transfer(WETH, MAKER, SOLVER, 1_000n),
  transfer(USDC, SOLVER, MAKER, 3_380n),
  transfer(WETH, SOLVER, MAKER, 1_000n),
  transfer(USDC, MAKER, SOLVER, 3_390n),
];

test('a hedge that is carried out by filling an order of the same desk moved what it says, and the fill counts by itself', () => {
  const all = [...logs, filled(RFQ, MAKER)];
  expect([movedTokens(all, WETH, MAKER), movedTokens(all, USDC, MAKER)]).toEqual([0n, -10n]);
  expect([movedBeside(RFQ, all, WETH, MAKER), movedBeside(RFQ, all, USDC, MAKER)]).toEqual([-1_000n, 3_380n]);
});

test('fills of others, and events that another contract makes up, change nothing', () => {
  const all = [...logs, filled(RFQ, SOLVER), filled(SOLVER, MAKER)];
  expect([movedBeside(RFQ, all, WETH, MAKER), movedBeside(RFQ, all, USDC, MAKER)]).toEqual([0n, -10n]);
});

test('what a rollup charges for the chain below is part of what a transaction cost', () => {
  const gas = { gasUsed: 21_000n, effectiveGasPrice: 1_000n };
  expect(feeOf(gas)).toBe(21_000_000n);
  expect(feeOf({ ...gas, l1Fee: '0x10' } as never)).toBe(21_000_016n);
  expect(feeOf({ ...gas, l1Fee: 16n } as never)).toBe(21_000_016n);
});
