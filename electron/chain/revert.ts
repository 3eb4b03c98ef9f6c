import { decodeErrorResult, type Hex } from 'viem';
import type { NodeAnswer } from './node-client.ts';

const ERROR_STRING = [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }] as const;
/** The first four bytes of what `require(…, "words")` gives. */
const ERROR_STRING_SELECTOR = '0x08c379a0';

/** Errors of a call that are the contract's doing; every other one is the node's. */
const BY_THE_CONTRACT =
  /revert|invalid opcode|bad instruction|out of gas|stack (under|over)flow|(invalid|bad) jump|VM execution/i;

/** `execution reverted: words`, `reverted with reason string 'words'`, `revert words`. */
const WORDS_IN_MESSAGE = /revert(?:ed)?(?::| with reason string)? +'?([^']+)/i;

/**
 * The words with which a contract ended a call, empty when it gave none. Null when the call went through, and when it was
 * the node that refused it.
 */
export function revertReason(answer: NodeAnswer | undefined): string | null {
  if (answer === undefined || answer.ok) return null;
  const { code, message, data } = answer.error;
  // Some nodes put a word of their own before the bytes.
  const bytes = (typeof data === 'string' ? /0x[0-9a-f]*/i.exec(data)?.[0].toLowerCase() : undefined) as
    | Hex
    | undefined;
  if (bytes?.startsWith(ERROR_STRING_SELECTOR)) return wordsOf(bytes);
  if (code !== 3 && !BY_THE_CONTRACT.test(message)) return null;
  // Others tell the words, and not the bytes they came in.
  return bytes === undefined ? (WORDS_IN_MESSAGE.exec(message)?.[1] ?? '').trim() : '';
}

function wordsOf(data: Hex): string {
  try {
    return decodeErrorResult({ abi: ERROR_STRING, data }).args[0];
  } catch {
    return '';
  }
}
