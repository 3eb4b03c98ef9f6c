import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Book } from '../../electron/book/book.ts';
import { BranchFollower } from '../../electron/chain/branch-follower.ts';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import { ChunkSize } from '../../electron/chain/chunk-size.ts';
import { TokensApart } from '../../electron/chain/holdings.ts';
import { OrderLedger } from '../../electron/chain/order-ledger.ts';
import { settleBranch } from '../../electron/chain/settle-branch.ts';
import type { AgreedNode } from '../../electron/chain/two-nodes.ts';
import { Guard } from '../../electron/guard/guard.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import type { Hex } from '../../electron/protocol/address.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { openQuoter, type Quoter } from '../../electron/quoting/quoter.ts';
import { Latch } from '../../electron/signer/latch.ts';
import { address, CHAIN, chain, deskFile, USDC, USER, WETH } from '../book/fixture.ts';
import type { LiedTo } from '../chain-steps.ts';
import { ETHER, person, signer } from '../quoting/open-desk.ts';
import { type GivenOrder, type Lie, LyingNode, type Pick, START, TrueChain } from '../true-chain.ts';

const MAKER = signer.address;
const CONTRACT = address('e');
/** What the maker has at the beginning. */
export const BALANCE = 10n * ETHER;
/** Where Linux keeps files in memory: what a sequence commits by the hundred need outlive nothing but its desks. */
const MEMORY = '/dev/shm';
/** A folder's files that one process holds and no copy takes along. */
const NOT_COPIED = /^(lock\.db|desk\.(sock|pid))|-shm$/;

/** What somebody did to the folder of a desk that is off. */
export interface Damage {
  /** What comes back as it was kept, or how many rows are cut off the end of the journal. */
  what: 'nothing' | 'folder' | 'journal' | number;
  /** What is missing after that. */
  without: readonly ('journal.head' | 'witness')[];
}

interface Desk {
  journal: Journal;
  book: Book;
  guard: Guard;
  quoter: Quoter;
  ledger: OrderLedger;
  follower: BranchFollower;
  view: ChainView | undefined;
}

/**
 * A chain that is what it is, takers who fill what they were given whenever they can, a node that may lie, and a desk on
 * its real journal, guard and firm path that knows only the node. The world alone knows the truth. Time is its own.
 */
export class SolvencyWorld implements LiedTo {
  /** Every order that ever left the desk. */
  readonly orders: GivenOrder[] = [];
  /** Requests that were refused, by code. */
  readonly refused: string[] = [];
  readonly #home = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'makerdesk-truth-'));
  readonly #folder = join(this.#home, 'desk');
  /** Where the desk's witness lies. */
  readonly #state = join(this.#home, 'state');
  readonly #kept = join(this.#home, 'kept');
  /** How many orders had left when the folder was kept. */
  #signedThen = 0;
  #desk: Desk | null = null;
  #time = START;
  #skew = 0;
  readonly #truth = new TrueChain<GivenOrder>(BALANCE, 100);
  readonly #node = new LyingNode(this.#truth, { contract: CONTRACT, maker: MAKER });

  static async begin(): Promise<SolvencyWorld> {
    const world = new SolvencyWorld();
    await world.#open();
    await world.resume();
    await world.look();
    world.keep();
    return world;
  }

  async end(): Promise<void> {
    await this.#close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** Asks for a firm quote of so much WETH. */
  async sign(amount: bigint): Promise<void> {
    const desk = this.#desk;
    if (desk === null) return;
    const before = new Set(desk.guard.orders.liveHashes(CHAIN));
    const body = {
      makerAsset: WETH,
      takerAsset: USDC,
      makerAmount: `${amount}`,
      userAddress: USER,
      takerAddress: address('2'),
    };
    const answer = await new Promise<{ order?: { makerAmount: string; expiry: string | number }; code?: string }>(
      (resolve) =>
        desk.quoter.firm(
          {
            chainId: CHAIN,
            body: Buffer.from(JSON.stringify(body)),
            counterparty: null,
            receivedAt: this.#now(),
            receivedMonotonic: this.#monotonic(),
          },
          (given) => resolve(JSON.parse(given.body)),
        ),
    );
    const { order, code } = answer;
    if (code !== undefined) this.refused.push(code);
    if (order === undefined) return;
    const hash = desk.guard.orders.liveHashes(CHAIN).find((live) => !before.has(live));
    if (hash === undefined) throw new Error('An order left that does not count as live.');
    this.orders.push({ hash: hash as Hex, amount: BigInt(order.makerAmount), expiry: Number(order.expiry) });
  }

  /** So many blocks, one a second; takers fill or the maker cancels in the last of them. */
  mine(blocks: number, picks: readonly Pick[] = []): void {
    for (let left = blocks; left > 0; left--) {
      this.#time += 1;
      this.#truth.mine(this.#time);
    }
    this.#truth.take(picks, this.orders);
  }

  lie(lie: Lie): void {
    this.#node.lie = lie;
  }

  /** The desk's clock is set so many seconds ahead of the right time. */
  setClock(skew: number): void {
    this.#skew = skew;
  }

  get clockIsRight(): boolean {
    return this.#skew === 0;
  }

  /** A person looks and goes on, whatever the node says; where the desk refuses, they cannot. */
  async resume(): Promise<void> {
    const trading = this.#desk?.guard.trading;
    for (const scope of [{}, { chainId: CHAIN }]) await trading?.resume(scope, person).catch(() => {});
  }

  /** What the watcher does in one look, and what time brings. */
  async look(): Promise<void> {
    const desk = this.#desk;
    if (desk === null) return;
    const { guard, ledger, follower } = desk;
    const log = { info: () => {}, warn: () => {} };
    try {
      const at = this.#now();
      const latest = await settleBranch(this.#node, follower, {
        chainId: CHAIN,
        now: () => this.#now(),
        log,
        isBegunAnew: () => false,
        startAnew: async () => {},
      });
      const { held, unreadable } = await follower.follow(latest, [WETH, USDC]);
      for (const event of ledger.takeUntold()) guard.orders.orderEvent(event);
      const block = { number: latest.number, hash: latest.hash, timestamp: latest.timestamp };
      desk.view = { block, seenAt: at, balances: held, unreadable, fault: null };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (error.code === 'chain_replaced' || error.code === 'fork_unknown') {
        await guard.trading.halt({ chainId: CHAIN }, { actor: 'desk', cause: error.message });
      }
    }
    desk.quoter.tick();
  }

  /** The desk ends as it should, or by kill -9, and starts again. */
  async restart(how: 'closed' | 'killed'): Promise<void> {
    const left = join(this.#home, 'left');
    if (how === 'killed') {
      copy(this.#folder, join(left, 'desk'));
      copy(this.#state, join(left, 'state'));
    }
    await this.#close();
    if (how === 'killed') {
      copy(join(left, 'desk'), this.#folder);
      copy(join(left, 'state'), this.#state);
    }
    await this.#open();
  }

  /** A copy of the folder as it is. */
  keep(): void {
    copy(this.#folder, this.#kept);
    this.#signedThen = this.orders.length;
  }

  /** Somebody has their hands in the folder while the desk is off. Where it refuses to start on that, all is put back as it was. */
  async damage({ what, without }: Damage): Promise<void> {
    // From before the first order, and no witness: it is a new desk, as far as anybody could tell.
    if (what === 'folder' && this.#signedThen === 0 && without.includes('witness')) return;
    await this.#close();
    const newest = join(this.#home, 'newest');
    copy(this.#folder, newest);
    if (what === 'folder') copy(this.#kept, this.#folder);
    if (what === 'journal') {
      const journal = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('journal.db'));
      for (const name of journal(this.#folder)) rmSync(join(this.#folder, name));
      for (const name of journal(this.#kept)) cpSync(join(this.#kept, name), join(this.#folder, name));
    }
    if (typeof what === 'number') cutOff(join(this.#folder, 'journal.db'), what);
    if (without.includes('journal.head')) rmSync(join(this.#folder, 'journal.head'), { force: true });
    if (without.includes('witness')) rmSync(this.#state, { recursive: true, force: true });
    try {
      await this.#open();
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      copy(newest, this.#folder);
      await this.#open();
    }
  }

  /** What the maker has left when everything that can really be filled is. */
  leftAtWorst(): bigint {
    return this.#truth.leftAtWorst(this.orders);
  }

  /** What the desk counts as live. */
  get live(): bigint {
    return this.#desk?.guard.orders.of(CHAIN).exposure.live(WETH) ?? 0n;
  }

  get state(): { desk: string; closed: string | null } {
    const desk = this.#desk;
    if (desk === null) throw new Error('The desk is off.');
    const [only] = desk.guard.status().chains;
    return { desk: only?.state ?? 'gone', closed: only?.closed ?? null };
  }

  async #open(): Promise<void> {
    const now = () => this.#now();
    const monotonic = () => this.#monotonic();
    const journal = await openJournal({ folder: this.#folder, now, witness: this.#state });
    try {
      const book = await Book.open({ journal, now });
      if (!book.desk().configured) {
        const own = chain({ maker: MAKER, signer: MAKER, prices: { 'WETH/USDC': { asks: [['3413', '1000000']] } } });
        const file = { ...deskFile(), chains: [own] };
        await book.importDesk(file, { actor: 'mara', keepSecrets: () => ({}) });
      }
      const latch = new Latch(monotonic);
      const after = () => () => {};
      const views = () => this.#desk?.view;
      const guard = await Guard.open({ folder: this.#folder, journal, book, latch, views, now, monotonic: now, after });
      for (const token of book.chain(CHAIN)?.tokens.values() ?? []) guard.tokenChecked(CHAIN, token, null);
      guard.trading.checksPassed();
      const quoter = openQuoter({
        book,
        guard,
        journal,
        latch,
        now,
        monotonic,
        randomBytes,
        after,
        checks: { isOwn: async () => true },
        signerFor: () => signer,
        formOf: () => 'raw',
      });
      const ledger = new OrderLedger({ journal, chainId: CHAIN, now });
      const config = { chainId: CHAIN, rfqContract: CONTRACT, maker: MAKER };
      const alone = { first: this.#node, ahead: () => null, isOfSecond: () => false, elsewhere: async () => [] };
      const node: AgreedNode = Object.assign(this.#node, alone);
      const tokens = new TokensApart({ ...config, node, now });
      const [chunk, onNeverThere, onUngot] = [new ChunkSize(30, 60), () => {}, () => {}];
      const follower = new BranchFollower({ node, config, journal, ledger, tokens, chunk, onNeverThere, onUngot });
      this.#desk = { journal, book, guard, quoter, ledger, follower, view: undefined };
      await follower.resume();
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  async #close(): Promise<void> {
    const desk = this.#desk;
    this.#desk = null;
    desk?.quoter.close();
    desk?.guard.close();
    await desk?.journal.close();
  }

  /** Unix milliseconds, as the desk's clock has it. */
  #now(): number {
    return (this.#time + this.#skew) * 1_000;
  }

  #monotonic(): number {
    return (this.#time - START) * 1_000;
  }
}

/** The copy is in place of whatever was there. A file that the desk takes away meanwhile has it made once more. */
function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  if (!existsSync(from)) return; // a witness that somebody removed
  try {
    cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.test(path.split('/').at(-1) ?? '') });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    copy(from, to);
  }
}

/** Takes the last rows out of a journal, but for the first, and leaves its tables as they are. */
function cutOff(file: string, rows: number): void {
  const db = new Database(file);
  db.prepare('DELETE FROM journal WHERE seq > max(1, (SELECT max(seq) FROM journal) - ?)').run(rows);
  db.close();
}
