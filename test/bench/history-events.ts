import { randomBytes, randomInt } from 'node:crypto';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { RefusalCode } from '../../electron/contract/refusal.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import type { Hex } from '../../electron/protocol/address.ts';

/** What becomes of 1,000 quotes: most expire unused. */
const FILLED = 150;
const CANCELLED = 20;
const WITHHELD = 5;
const REFUSED = 120;
const REFUSAL_CODES: RefusalCode[] = ['insufficient_depth', 'user_rate', 'taker_not_allowed', 'insufficient_balance'];

const LIFETIME_S = 150;
/** An early block, so that no reorganisation can reach it. */
const BLOCK = { block: 1, blockHash: `0x${'b1'.repeat(32)}` };

export type Fate = 'filled' | 'cancelled' | 'withheld' | 'refused' | 'expired';

export interface MadeQuote {
  event: Extract<NewEvent, { kind: 'quote' }>;
  fate: Fate;
}

/** Makes quotes as the desk of this file would have journaled them. Hashes and signatures are random bytes. */
export class HistoryEvents {
  readonly users = Array.from({ length: 5_000 }, () => hex(20));
  readonly #chain: DeskFile['chains'][number];
  readonly #pairs: { pair: string; base: Hex; quote: Hex }[];

  constructor({ chains: [chain] }: DeskFile) {
    if (chain === undefined) throw new Error('a desk file without a chain');
    this.#chain = chain;
    this.#pairs = Object.entries(chain.pairs).map(([pair, { base, quote }]) => {
      const address = (id: string): Hex => chain.tokens[id]?.address ?? '0x';
      return { pair, base: address(base), quote: address(quote) };
    });
  }

  quote(time: number): MadeQuote {
    const fate = fateOf(randomInt(1_000));
    // Some users and pairs ask far more often than others.
    const user = this.users[Math.floor(this.users.length * Math.random() ** 3)] ?? '0x';
    const { pair, base, quote } = this.#pairs[Math.floor(this.#pairs.length * Math.random() ** 2)] ?? this.#noPair();
    const side = randomInt(2) === 0 ? 'bids' : 'asks';
    const [makerAsset, takerAsset] = side === 'asks' ? [base, quote] : [quote, base];
    const [baseAmount, quoteAmount] = [`${randomInt(1e6, 1e10)}000000000`, `${randomInt(1e6, 1e10)}`];
    const [makerAmount, takerAmount] = side === 'asks' ? [baseAmount, quoteAmount] : [quoteAmount, baseAmount];
    const asked = { makerAsset, takerAsset, makerAmount, userAddress: user, takerAddress: this.#chain.takers[0] };
    const code = REFUSAL_CODES[randomInt(REFUSAL_CODES.length)] ?? 'internal';
    const body: QuoteBody = {
      chainId: this.#chain.chainId,
      pair,
      side,
      given: 'makerAmount',
      userAddress: user,
      takerAddress: this.#chain.takers[0] ?? '0x',
      maker: this.#chain.maker,
      makerAsset,
      takerAsset,
      makerAmount,
      takerAmount,
      ladderRevision: 1,
      balance: `${10n ** 33n}`,
      allowance: `${2n ** 256n - 1n}`,
      exposure: `${randomInt(1e12)}`,
      counterparty: 'test',
      receivedAt: time,
      latencyMs: randomInt(500, 9_000) / 1_000,
      requestBody: JSON.stringify({ ...asked, special: false }),
      ...(fate === 'refused' ? { ...UNSIGNED, code } : { ...signed(time), code: null }),
    };
    return { event: { time, actor: 'desk', kind: 'quote', body }, fate };
  }

  /** What follows a quote at once, given its row; nothing for one that expires later or was refused. */
  after({ event: { time, body }, fate }: MadeQuote, quoteSeq: number): NewEvent | null {
    const { chainId } = this.#chain;
    if (fate === 'withheld') {
      return { time, actor: 'desk', kind: 'quote_withheld', body: { chainId, quoteSeq, code: 'halted' } };
    }
    if (fate !== 'filled' && fate !== 'cancelled') return null;
    const { takerAddress: taker, makerAsset, takerAsset } = body;
    const orderHash = body.orderHash ?? '';
    const place = { chainId, orderHash, ...BLOCK, blockTime: time, transactionHash: hex(32), logIndex: 0 };
    if (fate === 'cancelled') return { time, actor: 'chain', kind: 'cancel', body: place };
    const amounts = { makerAmount: body.makerAmount ?? '0', takerAmount: body.takerAmount ?? '0' };
    return { time, actor: 'chain', kind: 'fill', body: { ...place, taker, makerAsset, takerAsset, ...amounts } };
  }

  expired(time: number, quoteSeqs: number[]): NewEvent {
    return { time, actor: 'desk', kind: 'quotes_expired', body: { chainId: this.#chain.chainId, quoteSeqs } };
  }

  #noPair(): never {
    throw new Error('a desk file without pairs');
  }
}

const UNSIGNED = { orderHash: null, nonceAndMeta: null, expiry: null, signature: null };

function signed(time: number) {
  const bytes = randomBytes(129).toString('hex');
  return {
    orderHash: `0x${bytes.slice(0, 64)}`,
    nonceAndMeta: `${BigInt(`0x${bytes.slice(64, 128)}`)}`,
    expiry: Math.floor(time / 1_000) + LIFETIME_S,
    signature: `0x${bytes.slice(128)}`,
  };
}

function fateOf(number: number): Fate {
  if (number < FILLED) return 'filled';
  if (number < FILLED + CANCELLED) return 'cancelled';
  if (number < FILLED + CANCELLED + WITHHELD) return 'withheld';
  return number < FILLED + CANCELLED + WITHHELD + REFUSED ? 'refused' : 'expired';
}

function hex(bytes: number): Hex {
  return `0x${randomBytes(bytes).toString('hex')}`;
}
