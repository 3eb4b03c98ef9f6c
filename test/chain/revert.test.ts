import { readdirSync, readFileSync } from 'node:fs';
import { type Abi, encodeErrorResult, type Hex, parseAbiItem } from 'viem';
import { expect, test } from 'vitest';
import { revertReason } from '../../electron/chain/revert.ts';

const data = encodeErrorResult({
  abi: [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }],
  errorName: 'Error',
  args: ['Invalid Signature'],
});
const reasonOf = (code: number, message: string, given?: unknown) =>
  revertReason({ ok: false, error: { code, message, data: given } });

test.each([
  ['the bytes, as most nodes give them', 3, 'execution reverted: Invalid Signature', data],
  ['the bytes alone', -32000, 'execution reverted', data],
  ['the bytes behind a word of the node', -32015, 'VM execution error.', `Reverted ${data}`],
  ['the words behind a colon', -32000, 'execution reverted: Invalid Signature', undefined],
  [
    'the words between quotes',
    -32603,
    "Error: VM Exception while processing transaction: reverted with reason string 'Invalid Signature'",
    { message: 'reverted' },
  ],
  ['the words behind the word', -32000, 'VM Exception while processing transaction: revert Invalid Signature', {}],
])('the reason of a revert is read from %s', (_, code, message, given) => {
  expect(reasonOf(code, message, given)).toBe('Invalid Signature');
});

test('a contract that ends a call without words has the reason of none', () => {
  for (const message of ['execution reverted', 'invalid opcode: INVALID', 'out of gas', 'stack underflow (0 <=> 1)']) {
    expect(reasonOf(-32000, message)).toBe('');
  }
  expect(reasonOf(3, 'execution reverted', '0x')).toBe('');
  // One that is cut off.
  expect(reasonOf(3, 'execution reverted', data.slice(0, 90))).toBe('');
});

test('a refusal of the node is no revert, and neither is an answer', () => {
  for (const message of ['daily request count exceeded', 'header not found', 'too many arguments, want at most 2']) {
    expect(reasonOf(-32000, message)).toBeNull();
  }
  expect(revertReason({ ok: true, result: '0x' })).toBeNull();
  expect(revertReason(undefined)).toBeNull();
});

type AbiError = Extract<Abi[number], { type: 'error' }>;
const errorBytes = (signature: string, args: readonly unknown[]): Hex => {
  const item = parseAbiItem(`error ${signature}`) as AbiError;
  return encodeErrorResult({ abi: [item] as Abi, errorName: item.name, args });
};
const MAKER = '0x1111111111111111111111111111111111111111';

test.each([
  ['UnauthorizedUser()', [], 'UnauthorizedUser (the order is for another user than the one who sends this)'],
  [
    'TooLittleReceived(uint256 received, uint256 wanted)',
    [5n, 6n],
    'TooLittleReceived (it brings 5 raw units, and the least allowed is 6)',
  ],
  [
    'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
    [MAKER, 0n, 2n ** 256n - 1n],
    `ERC20InsufficientAllowance (${MAKER} may take 0 raw units, and ${2n ** 256n - 1n} are needed)`,
  ],
  ['Panic(uint256 code)', [17n], 'Panic (a number is too large or below zero)'],
  ['Panic(uint256 code)', [99n], 'Panic (code 99)'],
])('an error that a contract ends a call with is told by its name and in words: %s', (signature, args, told) => {
  expect(reasonOf(3, 'execution reverted', errorBytes(signature, args))).toBe(told);
});

test('an error that nobody here knows is told by its first four bytes, and one without the rest of its bytes by its name', () => {
  expect(reasonOf(3, 'execution reverted', '0x12345678')).toBe('custom error 0x12345678');
  expect(reasonOf(3, 'execution reverted', '0x1234')).toBe('');
  const cut = errorBytes('TooLittleReceived(uint256 received, uint256 wanted)', [5n, 6n]).slice(0, 40);
  expect(reasonOf(3, 'execution reverted', cut)).toBe('TooLittleReceived');
});

test('the bytes of an error are found in the words of a node that writes them there', () => {
  expect(reasonOf(3, 'execution reverted: custom error 0x02a43f8b')).toMatch(/^UnauthorizedUser \(/);
});

test('every error of the contracts that come with the desk has words', () => {
  const built = new URL('../../resources/contracts/built/', import.meta.url);
  const errors = readdirSync(built).flatMap((file) => {
    const { abi }: { abi: Abi } = JSON.parse(readFileSync(new URL(file, built), 'utf8'));
    return abi.filter((item) => item.type === 'error');
  });
  expect(errors.length).toBeGreaterThan(5);
  for (const item of errors) {
    const args = item.inputs.map(({ type }) => (type === 'address' ? MAKER : 1n));
    const bytes = encodeErrorResult({ abi: [item] as Abi, errorName: item.name, args });
    expect(reasonOf(3, 'execution reverted', bytes)).toMatch(new RegExp(`^${item.name} \\(.+\\)$`));
  }
});
