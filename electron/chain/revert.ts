import { type Abi, decodeErrorResult, type Hex, parseAbiItem, toFunctionSelector } from 'viem';
import type { RpcError } from './node-answers.ts';
import type { NodeAnswer } from './node-client.ts';

type AbiError = Extract<Abi[number], { type: 'error' }>;

/**
 * What contracts end a call with beside words: the errors of the RFQ contract's executor, the market's router and contract
 * makers, of standard tokens and Permit2, and the compiler's own. Each with what it means; `$name` stands for what came with it.
 */
const ERRORS = (
  [
    ['UnauthorizedUser()', 'the order is for another user than the one who sends this'],
    ['NotPartner()', 'only the partner may call this'],
    ['OnlyOwner()', 'only an owner of the contract may call this'],
    ['WrongPath()', 'the orders do not follow one another'],
    [
      'TooLittleReceived(uint256 received, uint256 wanted)',
      'it brings $received raw units, and the least allowed is $wanted',
    ],
    [
      'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
      '$sender has $balance raw units, and $needed are needed',
    ],
    [
      'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
      '$spender may take $allowance raw units, and $needed are needed',
    ],
    ['ERC20InvalidSender(address sender)', 'the token takes nothing from $sender'],
    ['ERC20InvalidReceiver(address receiver)', 'the token gives nothing to $receiver'],
    ['ERC20InvalidApprover(address approver)', 'the token lets $approver approve nothing'],
    ['ERC20InvalidSpender(address spender)', 'the token cannot be approved to $spender'],
    ['ERC2612ExpiredSignature(uint256 deadline)', 'the permit is over, by its end $deadline (Unix seconds)'],
    ['ERC2612InvalidSigner(address signer, address owner)', 'the permit is signed by $signer, not by $owner'],
    ['SafeERC20FailedOperation(address token)', 'the token $token refuses'],
    ['InsufficientBalance()', 'there is less than is to be moved'],
    ['InsufficientAllowance()', 'less is approved than is to be moved'],
    ['TransferFromFailed()', 'the token could not be taken'],
    ['TransferFailed()', 'the token could not be sent'],
    ['InvalidNonce()', 'the nonce is used already'],
    ['InvalidSigner()', 'the signature is of another key'],
    ['InvalidAmount(uint256 maxAmount)', 'more is asked for than the $maxAmount raw units that were permitted'],
    ['SignatureExpired(uint256 signatureDeadline)', 'the permit is over, by its end $signatureDeadline (Unix seconds)'],
    ['AllowanceExpired(uint256 deadline)', 'the allowance is over, by its end $deadline (Unix seconds)'],
    ['InsufficientAllowance(uint256 amount)', 'only $amount raw units are approved'],
    ['OwnableUnauthorizedAccount(address account)', '$account does not own the contract'],
    ['AccessControlUnauthorizedAccount(address account, bytes32 role)', '$account lacks the role for it'],
    ['EnforcedPause()', 'the contract is paused'],
    ['ReentrancyGuardReentrantCall()', 'the contract was called while it was busy'],
    ['Panic(uint256 code)', '$code'],
  ] as const
).map(([signature, words]) => {
  const item = parseAbiItem(`error ${signature}`) as AbiError;
  return { item, words, selector: toFunctionSelector(signature.replaceAll(/ \w+(?=[,)])/g, '')) };
});
const ERROR_STRING = parseAbiItem('error Error(string reason)');
/** The first four bytes of what `require(…, "words")` gives. */
const ERROR_STRING_SELECTOR = '0x08c379a0';

/** What the compiler ends a call with by itself. */
const PANICS: Readonly<Record<string, string>> = {
  '1': 'something that must hold does not',
  '17': 'a number is too large or below zero',
  '18': 'a division by zero',
  '33': 'a value that the contract does not know',
  '49': 'a list is empty',
  '50': 'a place outside a list',
  '65': 'too much memory is asked for',
};

/** Errors of a call that are the contract's doing; every other one is the node's. */
const BY_THE_CONTRACT =
  /revert|invalid opcode|bad instruction|out of gas|stack (under|over)flow|(invalid|bad) jump|VM execution/i;

/** `execution reverted: words`, `reverted with reason string 'words'`, `revert words`. */
const WORDS_IN_MESSAGE = /revert(?:ed)?(?::| with reason string)? +'?([^']+)/i;
/** An error that the node cannot name and writes among its words. */
const BYTES_IN_MESSAGE = /custom error (0x[0-9a-f]{8,})/i;

/** A call that the node carried out and the contract ended; `reason` is empty where the contract gave none. */
export class Reverted extends Error {
  /** As nodes number it. */
  readonly code = 3;
  readonly reason: string;

  constructor(reason: string) {
    super(reason === '' ? 'execution reverted' : `execution reverted: ${reason}`);
    this.name = 'Reverted';
    this.reason = reason;
  }
}

/** What a contract ended a call with, among the causes of an error of viem; null where it was no contract. */
export function revertedIn(error: unknown): Reverted | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof Reverted) return cause;
  }
  return null;
}

/**
 * Why a contract ended a call: its words, or its error by name and in words; empty when it gave none. Null when the call went
 * through, and when it was the node that refused it.
 */
export function revertReason(answer: NodeAnswer | undefined): string | null {
  return answer === undefined || answer.ok ? null : reasonOfError(answer.error);
}

/** Why a contract ended a call, from the node's error; see `revertReason`. */
export function reasonOfError({ code, message, data }: RpcError): string | null {
  const bytes = bytesIn(message, data);
  if (bytes?.startsWith(ERROR_STRING_SELECTOR)) return wordsOf(bytes);
  if (code !== 3 && !BY_THE_CONTRACT.test(message)) return null;
  // Others tell the words, and not the bytes they came in.
  if (bytes === null) return (WORDS_IN_MESSAGE.exec(message)?.[1] ?? '').trim();
  return nameOf(bytes);
}

/** The bytes of a call's end: some nodes put a word of their own before them, others write them into their sentence. */
function bytesIn(message: string, data: unknown): Hex | null {
  const found = typeof data === 'string' ? /0x[0-9a-f]*/i.exec(data)?.[0] : BYTES_IN_MESSAGE.exec(message)?.[1];
  return (found?.toLowerCase() as Hex | undefined) ?? null;
}

function wordsOf(data: Hex): string {
  try {
    return decodeErrorResult({ abi: [ERROR_STRING], data }).args[0];
  } catch {
    return '';
  }
}

/** The name of a contract's error and what it means; its first four bytes where nobody here knows it. */
function nameOf(data: Hex): string {
  const selector = data.slice(0, 10);
  if (selector.length < 10) return '';
  const known = ERRORS.find((error) => error.selector === selector);
  if (known === undefined) return `custom error ${selector}`;
  const { item, words } = known;
  try {
    const { args = [] } = decodeErrorResult({ abi: [item], data });
    const given = new Map(item.inputs.map(({ name }, index) => [name, String(args[index])]));
    if (item.name === 'Panic') return `Panic (${PANICS[given.get('code') ?? ''] ?? `code ${given.get('code')}`})`;
    return `${item.name} (${words.replaceAll(/\$(\w+)/g, (_, name: string) => given.get(name) ?? '?')})`;
  } catch {
    return item.name;
  }
}
