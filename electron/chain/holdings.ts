import { encodeFunctionData } from 'viem';
import type { Address } from '../protocol/address.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import { inTime } from '../time/in-time.ts';
import { ERC20_ABI } from './erc20-abi.ts';
import type { KnownBlock } from './forks.ts';
import { bytesSchema, toQuantity } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, resultOf } from './node-client.ts';
import { nodeMalformed, nodeUnreachable } from './node-fault.ts';
import { readPinned } from './pinned-read.ts';
import { revertReason } from './revert.ts';

/** What the maker has of a token and lets the RFQ contract take of it, raw units. */
export interface Holding {
  balance: bigint;
  allowance: bigint;
}

export interface Holdings {
  held: ReadonlyMap<Address, Holding>;
  /** Tokens whose contract does not answer like an ERC-20, tells a balance that cannot be, or does not answer at all. */
  unreadable: readonly Address[];
}

/** Holdings as one answer of the node has them, with what it said instead of some. */
export interface AnsweredHoldings {
  held: Map<Address, Holding>;
  unreadable: Address[];
  refused: Map<Address, unknown>;
}

/** No token has as many raw units: a balance from here on is an answer that means nothing. */
export const INSANE_BALANCE = 1n << 224n;
const CALLS_PER_TOKEN = 2;
/** Characters of an amount and what tokens add to it; one that answers more has another purpose than to be read. */
const LONGEST_ANSWER = 2_048;
/** How long a token that is asked alone may take. */
const ALONE_MS = 3_000;
/** How long a token that did not answer is not asked again, doubled each time; forgiven when all was well for the last of these. */
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 600_000;

/** Two calls a token, in the order of `tokens`. */
export function holdingCalls(
  tokens: readonly Address[],
  maker: Address,
  spender: Address,
  block: number | 'latest',
): NodeCall[] {
  const balance = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [maker] });
  const allowance = encodeFunctionData({ abi: ERC20_ABI, functionName: 'allowance', args: [maker, spender] });
  const at = block === 'latest' ? block : toQuantity(block);
  return tokens.flatMap((to) => [
    { method: 'eth_call', params: [{ to, data: balance }, at] },
    { method: 'eth_call', params: [{ to, data: allowance }, at] },
  ]);
}

/** The amount a contract answered, or null when it does not answer with one. Throws when the node refused the call. */
export function amountOf(node: NodeClient, answer: NodeAnswer | undefined): bigint | null {
  if (revertReason(answer) !== null) return null;
  if (answer?.ok && typeof answer.result === 'string' && answer.result.length > LONGEST_ANSWER) {
    throw nodeMalformed(node.rpcUrl, 'eth_call');
  }
  const data = resultOf(node, 'eth_call', answer, bytesSchema);
  return data.length < 66 ? null : BigInt(data.slice(0, 66));
}

/** Takes the answers to `holdingCalls`. One token that cannot be read removes only itself. */
export function readHoldings(
  node: NodeClient,
  tokens: readonly Address[],
  answers: readonly NodeAnswer[],
): AnsweredHoldings {
  const held = new Map<Address, Holding>();
  const unreadable: Address[] = [];
  const refused = new Map<Address, unknown>();
  tokens.forEach((token, index) => {
    try {
      const balance = amountOf(node, answers[CALLS_PER_TOKEN * index]);
      const allowance = amountOf(node, answers[CALLS_PER_TOKEN * index + 1]);
      if (balance === null || balance >= INSANE_BALANCE || allowance === null) unreadable.push(token);
      else held.set(token, { balance, allowance });
    } catch (error) {
      refused.set(token, error);
    }
  });
  return { held, unreadable, refused };
}

/** Whether the node itself has enough of our questions: then no token is to blame. */
function isNodeTired(error: unknown): boolean {
  return isDeskError(error, 'node_refused', 'node_unreachable') && error.fields.overloaded;
}

/**
 * Asks each of these tokens by itself, so that it can be told which of them keeps the node from answering. Throws what the
 * node said where none of them was answered: then it is not for a token that it does not answer.
 */
export async function askEach(
  node: NodeClient,
  tokens: readonly Address[],
  ask: (token: Address) => Promise<NodeAnswer[]>,
): Promise<AnsweredHoldings> {
  const all: AnsweredHoldings = { held: new Map(), unreadable: [], refused: new Map() };
  const answers = await Promise.allSettled(tokens.map((token) => alone(node, ask(token))));
  answers.forEach((answer, index) => {
    const asked = tokens.slice(index, index + 1);
    const one =
      answer.status === 'fulfilled'
        ? readHoldings(node, asked, answer.value)
        : { held: [], unreadable: [], refused: asked.map((token) => [token, answer.reason] as const) };
    for (const [token, holding] of one.held) all.held.set(token, holding);
    for (const [token, error] of one.refused) all.refused.set(token, error);
    all.unreadable.push(...one.unreadable);
  });
  for (const error of all.refused.values()) {
    if (all.refused.size === tokens.length || isNodeTired(error) || isMoved(error)) throw error;
  }
  return all;
}

function isMoved(error: unknown): boolean {
  return isDeskError(error, 'block_moved');
}

function alone<T>(node: NodeClient, answer: Promise<T>): Promise<T> {
  return inTime(answer, ALONE_MS, () => {
    throw nodeUnreachable(node.rpcUrl, Object.assign(new Error('no answer'), { name: 'TimeoutError' }));
  });
}

interface HoldingsParts {
  node: NodeClient;
  maker: Address;
  rfqContract: Address;
  /** Unix milliseconds. */
  now: () => number;
}

/**
 * Remembers which tokens keep a node from answering: one that times out, wants more gas than the node gives or answers with
 * megabytes is asked apart from then on, and holds up nothing else.
 */
export class TokensApart {
  readonly #parts: HoldingsParts;
  readonly #apart = new Map<Address, { pauseMs: number; until: number; asking: boolean }>();
  /** What a token's last pause was, and when: one that does it again waits for longer. */
  readonly #before = new Map<Address, { pauseMs: number; at: number }>();

  constructor(parts: HoldingsParts) {
    this.#parts = parts;
  }

  /** Those that are asked together with everything else. */
  together(tokens: readonly Address[]): Address[] {
    return tokens.filter((token) => !this.#apart.has(token));
  }

  /** Whether what went wrong with a question may be the fault of a token in it. */
  mayBeOfToken(error: unknown): boolean {
    if (isDeskError(error, 'node_unreachable')) return !error.fields.overloaded;
    if (!isDeskError(error, 'node_malformed', 'node_refused') || isNodeTired(error)) return false;
    return error.fields.method !== 'eth_getLogs';
  }

  /**
   * What the maker holds at a block of all these tokens, `answered` being what the node said of some of them; the others of
   * those that are asked together are asked each by itself. Throws what the node said where it answers none.
   */
  async complete(block: KnownBlock, tokens: readonly Address[], answered: AnsweredHoldings): Promise<Holdings> {
    const open = this.together(tokens).filter(
      (token) => !answered.held.has(token) && !answered.unreadable.includes(token),
    );
    const rest = open.length === 0 ? null : await this.#askRest(block, open, answered);
    for (const token of rest?.refused.keys() ?? []) this.#keepApart(token);
    for (const token of tokens) this.#tryAgain(block, token);
    for (const token of [...this.#apart.keys()]) if (!tokens.includes(token)) this.#apart.delete(token);
    const held = new Map([...answered.held, ...(rest?.held ?? [])]);
    return { held, unreadable: tokens.filter((token) => !held.has(token)) };
  }

  /** Where the node has answered others just now, it is for the token that it does not answer. */
  async #askRest(
    block: KnownBlock,
    tokens: Address[],
    { held, unreadable }: AnsweredHoldings,
  ): Promise<AnsweredHoldings> {
    const ask = (token: Address) => this.#ask(block, token);
    try {
      return await askEach(this.#parts.node, tokens, ask);
    } catch (error) {
      if (held.size + unreadable.length === 0 || isNodeTired(error) || isMoved(error)) throw error;
      return { held: new Map(), unreadable: [], refused: new Map(tokens.map((token) => [token, error])) };
    }
  }

  #ask(block: KnownBlock, token: Address): Promise<NodeAnswer[]> {
    const { node, maker, rfqContract } = this.#parts;
    return readPinned(node, block, holdingCalls([token], maker, rfqContract, block.number));
  }

  #keepApart(token: Address): void {
    const now = this.#parts.now();
    const before = this.#before.get(token);
    const recent = before !== undefined && now - before.at < before.pauseMs + LAST_PAUSE_MS;
    const pauseMs = recent ? Math.min(LAST_PAUSE_MS, 2 * before.pauseMs) : FIRST_PAUSE_MS;
    this.#before.set(token, { pauseMs, at: now });
    this.#apart.set(token, { pauseMs, until: now + pauseMs, asking: false });
  }

  /** Asks a token that is kept apart when its pause is over; nobody waits for it. */
  #tryAgain(block: KnownBlock, token: Address): void {
    const { node, now } = this.#parts;
    const apart = this.#apart.get(token);
    if (apart === undefined || apart.asking || (now() < apart.until && now() >= apart.until - apart.pauseMs)) return;
    apart.asking = true;
    askEach(node, [token], (one) => this.#ask(block, one)).then(
      () => this.#apart.delete(token),
      (error: unknown) => {
        apart.asking = false;
        if (!isMoved(error) && !isNodeTired(error)) this.#keepApart(token);
      },
    );
  }
}
