import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { RpcError } from './node-answers.ts';

const CHECK_THE_NODE = 'Check that the node runs and that its address under Settings, Chains is right.';

const ASK_LESS =
  'Nothing needs doing if it passes. Where it comes back, name a spare node under Settings, Chains, or have the provider allow more.';

/** The host and port of a node. The rest of its URL may hold a key and is never shown. */
export function nodeName(rpcUrl: string): string {
  return new URL(rpcUrl).host;
}

/** The URL has a key in it which is sealed, and the sealed file was not opened or does not have it. */
export function nodeSealed(rpcUrl: string): DeskError {
  return new DeskError('node_sealed', `The key in the address of the node at ${nodeName(rpcUrl)} is not at hand.`, {
    remedy: 'Give the whole address, in Settings or in the desk file; a command without a desk needs the passphrase.',
  });
}

/** How nodes and providers say that they are asked too often. Too many logs or blocks at once is another complaint. */
const OVERLOADED = /too many(?! (?:logs|results|blocks|events))|rate.?limit|per second|capacity/i;

/** How nodes say that a contract reverted or ran out of gas, where they give no code for it. */
const REVERTED = /revert|invalid opcode|out of gas/i;

type NodeSilence = DeskError<'node_unreachable'>['fields'] & { words: string };

function silence(
  why: NodeSilence['why'],
  words: string,
  status: number | null = null,
  retryAfterMs: number | null = null,
): NodeSilence {
  return { why, words, status, overloaded: status === 429 || retryAfterMs !== null, retryAfterMs, said: null };
}

/** Whether a node says by this that it is asked too often. What a contract says of itself is not the node's word. */
export function isOverload(error: RpcError): boolean {
  return error.code === 429 || (OVERLOADED.test(error.message) && !isReverted(error));
}

/** The `Retry-After` of an answer, milliseconds, whole seconds or a date, which is taken by the clock that wrote the answer. */
function retryAfterOf(error: Error): number | null {
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : null;
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const milliseconds = Date.parse(text) - Date.parse(headers?.get('date') ?? '');
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null;
}

/** Whether a node refuses a transaction because it has that very one: it was sent before. */
export function isSentBefore(said: string): boolean {
  return /already ?known|already imported|already exists|\bknown transaction/i.test(said);
}

/** Whether a node refuses a transaction because another one, or this one itself, is mined with its nonce. */
export function isNonceUsed(said: string): boolean {
  return /nonce (?:is )?too low|old ?nonce/i.test(said);
}

/** Whether the node carried a call out and its contract failed, instead of refusing to carry it out. */
export function isReverted({ code, message }: RpcError): boolean {
  return code === 3 || REVERTED.test(message);
}

/** What a failed connection says about itself, found down the chain of causes. */
function silenceOf(error: unknown): NodeSilence {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    if (cause.name === 'TimeoutError') return silence('late', 'did not answer in time');
    if (cause.name === 'ResponseBodyTooLargeError')
      return silence('too_large', 'sent a larger answer than can be taken');
    if ('status' in cause && typeof cause.status === 'number') {
      const words =
        cause.status === 429 ? 'is asked too often for its limits (HTTP 429)' : `answered HTTP ${cause.status}`;
      const isPassing = cause.status === 429 || cause.status === 503;
      return silence('status', words, cause.status, isPassing ? retryAfterOf(cause) : null);
    }
    if ('code' in cause && typeof cause.code === 'string') {
      if (cause.code === 'ECONNREFUSED') return silence('no_connection', 'refuses connections');
      if (cause.code === 'ENOTFOUND' || cause.code === 'EAI_AGAIN')
        return silence('no_connection', 'has no known address');
      if (cause.code === 'ECONNRESET' || cause.code === 'UND_ERR_SOCKET')
        return silence('no_connection', 'closed the connection');
    }
  }
  return silence('no_connection', 'could not be reached');
}

/** The node did not answer at all. The cause is put into words and dropped: it would carry the whole URL. */
export function nodeUnreachable(rpcUrl: string, error: unknown): DeskError<'node_unreachable'> {
  const { words, ...fields } = silenceOf(error);
  return new DeskError('node_unreachable', `The node at ${nodeName(rpcUrl)} ${words}.`, {
    remedy: fields.overloaded ? ASK_LESS : CHECK_THE_NODE,
    fields,
  });
}

/** The node was asked too often, by its own word, and is asked nothing for so many milliseconds; null: not said. */
export function nodeLimited(
  rpcUrl: string,
  retryAfterMs: number | null,
  said: string | null,
): DeskError<'node_unreachable'> {
  const words = said === null ? '' : ` (${said.slice(0, 200).replaceAll(/\s+/g, ' ')})`;
  const until = retryAfterMs === null ? '' : `, and is asked nothing for ${Math.ceil(retryAfterMs / 1_000)} s`;
  return new DeskError(
    'node_unreachable',
    `The node at ${nodeName(rpcUrl)} is asked too often for its limits${words}${until}.`,
    { remedy: ASK_LESS, fields: { why: 'status', status: 429, overloaded: true, retryAfterMs, said } },
  );
}

/** The node is of another chain than the desk file says. */
export function wrongChain(rpcUrl: string, expected: number, actual: number): DeskError {
  return new DeskError(
    'node_wrong_chain',
    `The node at ${nodeName(rpcUrl)} is of chain ${actual}, not of chain ${expected}.`,
    { remedy: 'Name a node of this chain under Settings, Chains.' },
  );
}

/** The node answered with an error where a result was needed. */
export function nodeRefused(rpcUrl: string, method: string, code: number, message: string): DeskError {
  const said = message.slice(0, 200).replaceAll(/\s+/g, ' ');
  return new DeskError('node_refused', `The node at ${nodeName(rpcUrl)} refused ${method} (${code}: ${said}).`, {
    remedy: 'Look at the limits of the node or its provider, and at its log.',
    fields: { method, overloaded: isOverload({ code, message }) },
  });
}

/** The node answered something that is not what the method gives. */
export function nodeMalformed(rpcUrl: string, method: string, cause?: unknown): DeskError {
  return new DeskError(
    'node_malformed',
    `The node at ${nodeName(rpcUrl)} answered ${method} in a form that cannot be read.`,
    {
      remedy: 'Check that the address of the node under Settings, Chains is one of an EVM node.',
      fields: { method },
      cause,
    },
  );
}

/** What goes into `view.fault` where the second node fails, without which nothing is believed. */
export function secondFaultSentence(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return `The second node does not say what the first does. ${said} Only what both say is believed, so the chain closes once what they agreed on last is too old. Check the second node, or name another one, or none, under Settings, Chains.`;
}

/** The node answers, and has had no new block for a while. */
export function nodeLate(rpcUrl: string, block: number, seconds: number): DeskError {
  return new DeskError(
    'node_behind',
    `The node at ${nodeName(rpcUrl)} is at block ${block}, which is ${seconds} s old.`,
    {
      remedy: 'Wait until the node has caught up, or name another one.',
    },
  );
}

/** The node shows a block of a time that, by our clock, has not come yet. */
export function nodeEarly(rpcUrl: string, block: number, seconds: number): DeskError {
  return new DeskError(
    'node_malformed',
    `The node at ${nodeName(rpcUrl)} is at block ${block}, which is ${seconds} s ahead of this machine’s clock.`,
    {
      remedy: 'See whether this machine’s clock is right; if it is, name another node.',
      fields: { method: 'eth_getBlockByNumber' },
    },
  );
}

/** The block that was being read is not (or no longer) the node's block of that number. */
export function blockMoved(rpcUrl: string, block: number): DeskError {
  return new DeskError(
    'block_moved',
    `The node at ${nodeName(rpcUrl)} changed block ${block} while it was being read.`,
    {
      remedy: 'Nothing needs doing unless it stays: then the nodes behind this address do not agree with each other.',
    },
  );
}

/** The node does not have a fill or a cancel that the journal has in a block of its chain, and went on not having it. */
export function logLacking(
  rpcUrl: string,
  { kind, block, transactionHash }: { kind: 'fill' | 'cancel'; block: number; transactionHash: string },
  witnesses: number,
): DeskError {
  const remedy =
    witnesses === 0
      ? 'Name a spare or a second node, of another provider, under Settings, Chains: once that does not have it either for a while, it is taken back by itself.'
      : 'See in a block explorer who is right. Where another node of this chain does not have it either for a while, it is taken back by itself. Where one has it, name that one in place of the others under Settings, Chains.';
  return new DeskError(
    'block_moved',
    `The node at ${nodeName(rpcUrl)} does not have the ${kind} in block ${block} (transaction ${transactionHash}) that a node told before.`,
    { remedy },
  );
}

/** What happened and what to do about it. */
export function faultReason(error: unknown): string {
  if (error instanceof DeskError) return [error.message, error.remedy].filter((part) => part !== '').join(' ');
  const said = error instanceof Error ? error.message : String(error);
  return `Reading the chain failed (${said.slice(0, 200)}). Look at the log of the desk.`;
}

/** What goes into `view.fault`: what happened, what it means, what to do. */
export function faultSentence(error: unknown): string {
  const meaning = isDeskError(error, 'nodes_disagree')
    ? 'Only what both say is believed, so the chain is closed, and opens by itself when they agree. Fills and cancels since are not seen meanwhile.'
    : 'Its balances and fills are not known meanwhile, so the chain closes once those read last are too old.';
  if (!(error instanceof DeskError)) return `${faultReason(error)} ${meaning}`;
  return [error.message, meaning, error.remedy].filter((part) => part !== '').join(' ');
}
