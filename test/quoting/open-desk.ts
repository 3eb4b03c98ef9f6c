import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Book } from '../../electron/book/book.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { Guard, type GuardOptions } from '../../electron/guard/guard.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import type { Address } from '../../electron/protocol/address.ts';
import type { SignedOrder } from '../../electron/protocol/wire.ts';
import { openQuoter, type Quoter, type QuoterOptions } from '../../electron/quoting/quoter.ts';
import { Latch } from '../../electron/signer/latch.ts';
import { SignatureRecovery } from '../../electron/signer/recover-signatures.ts';
import { openSigner } from '../../electron/signer/signer.ts';
import { type After, afterTimeout } from '../../electron/time/after.ts';
import { CHAIN, chain, DAI, deskFile, USDC, USER, WETH } from '../book/fixture.ts';

export const signer = openSigner(`0x${'4c'.repeat(32)}`);
/** One thread for all the desks of a test file. */
const checks = new SignatureRecovery((line) => process.stderr.write(`${line}\n`));
export const TAKER: Address = `0x${'2'.repeat(40)}`;
export const ETHER = 10n ** 18n;
export const DOLLAR = 10n ** 6n;
export const person = { actor: 'mara', reason: 'because the test says so' };

export interface OpenDesk {
  folder: string;
  journal: Journal;
  book: Book;
  guard: Guard;
  latch: Latch;
  quoter: Quoter;
  /** Time stands still until a test moves it, whatever the machine does meanwhile: milliseconds since the desk was opened. */
  clock: { ahead: number };
  /** The desk's clock, Unix milliseconds. */
  now: () => number;
  /** What the chain looks like; tests change it. */
  chain: { view: ChainView | undefined };
  /** Stamps of the orders handed over. */
  released: number[];
  close(): Promise<void>;
}

export interface DeskChanges {
  folder?: string;
  /** Where the desk's witness lies; without, it has none. */
  witness?: string;
  /** How far the clock is ahead from the start, milliseconds. */
  ahead?: number;
  /** The desk's clock goes on with the machine's, as where a real chain dates its blocks; deadlines still come only when a test says so. */
  timePasses?: boolean;
  chain?: Record<string, unknown>;
  desk?: Record<string, unknown>;
  /** False leaves the checks of the start pending. */
  checked?: boolean;
  /** False leaves a new desk halted. */
  live?: boolean;
  /** Puts something in the journal's place. */
  journal?: (journal: Journal) => Journal;
  quoter?: Partial<QuoterOptions>;
  guard?: Partial<GuardOptions>;
  /** Who ends it; without, the test that opened it, which then also takes its folder away. */
  ends?: (close: () => Promise<void>) => void;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For a desk that asks no service. */
export function noService(): never {
  throw new Error('This desk has no service.');
}

/** A desk without doors on its real journal, LIVE unless told otherwise, with plenty of balance. */
export async function openDesk(changes: DeskChanges = {}): Promise<OpenDesk> {
  const folder = changes.folder ?? newFolder();
  const clock = { ahead: changes.ahead ?? 0 };
  const begun = Date.now();
  const now = () => (changes.timePasses === true ? Date.now() : begun) + clock.ahead;
  const opened = await openJournal({ folder, now, witness: changes.witness });
  const journal = changes.journal?.(opened) ?? opened;
  const book = await Book.open({ journal, now });
  const isNew = !book.desk().configured;
  if (isNew) {
    const own = chain({ maker: signer.address, signer: signer.address, ...changes.chain });
    const desk = { ...deskFile(), chains: [own], ...changes.desk };
    await book.importDesk(desk, { actor: 'mara', keepSecrets: () => ({}) });
  }
  const latch = new Latch(() => performance.now() + clock.ahead);
  const world: OpenDesk['chain'] = { view: seen(now()) };
  const views = () => world.view;
  const monotonic = () => clock.ahead;
  const guard = await Guard.open({
    folder,
    journal,
    book,
    latch,
    views,
    now,
    monotonic,
    after: ofShortWaits,
    ...changes.guard,
  });
  for (const { chainId, tokens } of book.chains()) {
    for (const token of tokens.values()) guard.tokenChecked(chainId, token, null);
  }
  if (changes.checked !== false) guard.trading.checksPassed();
  if (isNew && changes.live !== false && changes.checked !== false) await guard.trading.resume({}, person);
  const released: number[] = [];
  const quoter = openQuoter({
    book,
    guard,
    journal,
    latch,
    now,
    monotonic,
    randomBytes,
    checks,
    signerFor: () => signer,
    formOf: () => 'raw',
    onReleased: (stamp) => released.push(stamp),
    ...changes.quoter,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    quoter.close();
    guard.close();
    closing ??= opened.close();
    return closing;
  };
  (changes.ends ?? onTestFinished)(close);
  return { folder, journal, book, guard, latch, quoter, clock, now, chain: world, released, close };
}

/** What a desk waits for longer than a second does not end by the clock: a busy machine's disk is not a dead one. */
const ofShortWaits: After = (milliseconds, run) => (milliseconds > 1_000 ? () => {} : afterTimeout(milliseconds, run));

/** A view of the chain in which the maker has a lot, unless said otherwise. */
export function seen(at: number, amounts: Partial<Record<Address, bigint>> = {}, block = 1): ChainView {
  const held = (token: Address, amount: bigint) => {
    const balance = amounts[token] ?? amount;
    return [token, { balance, allowance: balance }] as const;
  };
  return {
    block: { number: block, hash: `0x${block.toString(16).padStart(64, '0')}`, timestamp: Math.floor(at / 1_000) },
    seenAt: at,
    balances: new Map([held(WETH, 1_000n * ETHER), held(USDC, 10_000_000n * DOLLAR), held(DAI, 1_000_000n * ETHER)]),
    unreadable: [],
    fault: null,
  };
}

export interface Answered {
  status: number;
  order: SignedOrder | undefined;
  code: string | undefined;
  body: Record<string, unknown>;
}

/** A request for 0.1 WETH against USDC, unless said otherwise. */
export function request(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    makerAsset: WETH,
    takerAsset: USDC,
    makerAmount: `${ETHER / 10n}`,
    userAddress: USER,
    takerAddress: TAKER,
    ...changes,
  };
}

/** Asks for a firm quote as the surface does. */
export function firm(
  { quoter, clock, now }: OpenDesk,
  body: unknown = request(),
  counterparty: string | null = 'practice',
): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    let answers = 0;
    quoter.firm(
      {
        chainId: CHAIN,
        body: Buffer.from(text),
        counterparty,
        receivedAt: now(),
        receivedMonotonic: clock.ahead,
      },
      (answer) => {
        answers += 1;
        if (answers > 1) reject(new Error('answered twice'));
        const parsed = JSON.parse(answer.body);
        resolve({ status: answer.status, order: parsed.order, code: parsed.code, body: parsed });
      },
    );
  });
}

/** Every row of the quote log, oldest first. */
export async function quotes({ journal }: Pick<OpenDesk, 'journal'>) {
  const { rows } = await journal.read.logPage({ filter: {}, limit: 500, order: 'oldest' });
  return rows;
}

/** Hands an order event to the journal and then to the guard, as the chain's watcher does. */
export async function happens(
  desk: OpenDesk,
  event: Extract<NewEvent, { kind: 'fill' | 'cancel' | 'reverted' }>,
): Promise<number> {
  const seq = await desk.journal.append(event);
  desk.guard.orders.orderEvent({ ...event, seq, hash: '' } as OrderEvent);
  return seq;
}
