import { encodeErrorResult } from 'viem';
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
  // An error of the contract's own, and one that is cut off.
  expect(reasonOf(3, 'execution reverted', '0x12345678')).toBe('');
  expect(reasonOf(3, 'execution reverted', data.slice(0, 90))).toBe('');
});

test('a refusal of the node is no revert, and neither is an answer', () => {
  for (const message of ['daily request count exceeded', 'header not found', 'too many arguments, want at most 2']) {
    expect(reasonOf(-32000, message)).toBeNull();
  }
  expect(revertReason({ ok: true, result: '0x' })).toBeNull();
  expect(revertReason(undefined)).toBeNull();
});
