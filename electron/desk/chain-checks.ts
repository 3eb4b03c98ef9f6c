import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainBook } from '../book/chain-book.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import { checkChain } from '../chain/check-chain.ts';
import { checkMaker } from '../chain/check-maker.ts';
import type { HeldSigner } from './held-signer.ts';
import type { Rooms } from './rooms.ts';

/** How long until checks that did not pass are made again. */
const AGAIN_MS = 5_000;

/**
 * What must hold before the desk may go LIVE, and stays watched until it does: the signer is there and binds the maker,
 * and each chain is the one the desk file means. A check that failed halts the desk; a node that does not answer keeps
 * only its own chain closed.
 */
export class ChainChecks {
  readonly #rooms: Rooms;
  readonly #signer: HeldSigner;
  readonly #outcomes = new Map<number, ChainCheck[]>();
  readonly #stop = new AbortController();
  #round: Promise<void> = Promise.resolve();
  #waiting = false;

  constructor(rooms: Rooms, signer: HeldSigner) {
    this.#rooms = rooms;
    this.#signer = signer;
  }

  /** Every check that did not pass, by chain. */
  faults(): { chainId: number; check: ChainCheck }[] {
    return [...this.#outcomes].flatMap(([chainId, checks]) =>
      checks.filter(({ outcome }) => outcome !== 'passed').map((check) => ({ chainId, check })),
    );
  }

  /** Makes all checks, now, after each import and when the key changed. Resolves when the first round is through. */
  start(): Promise<void> {
    this.#rooms.book.onChange((chainId) => {
      if (chainId === null) void this.#begin();
    });
    this.#signer.onChange(() => void this.#begin());
    return this.#begin();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#round;
  }

  /** Makes the checks of a chain and tells what they say; nothing follows from it. */
  async examine(chain: ChainBook): Promise<ChainCheck[]> {
    const { chainId, rpcUrl, rfqContract, maker, signer } = chain.config;
    const tokens = Object.fromEntries(chain.tokens);
    return [
      ...(await checkChain({ rpcUrl, chainId, rfqContract, tokens })),
      ...(await this.#checkSigner({ rpcUrl, maker, signer })),
    ];
  }

  #begin(): Promise<void> {
    this.#outcomes.clear();
    const { book, guard } = this.#rooms;
    for (const { chainId } of book.chains()) guard.report(chainId, 'starting', true);
    this.#round = this.#round.then(() => this.#checkAll());
    return this.#round;
  }

  async #checkAll(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const open = this.#rooms.book.chains().filter(({ chainId }) => !passed(this.#outcomes.get(chainId)));
    await Promise.all(open.map((chain) => this.#check(chain)));
    this.#judge();
    if (this.faults().length > 0 && !this.#waiting) void this.#again();
  }

  async #again(): Promise<void> {
    this.#waiting = true;
    await sleep(AGAIN_MS, null, { signal: this.#stop.signal, ref: false }).catch(() => {});
    this.#waiting = false;
    this.#round = this.#round.then(() => this.#checkAll());
  }

  async #check(chain: ChainBook): Promise<void> {
    const { chainId } = chain;
    const checks = await this.examine(chain);
    this.#outcomes.set(chainId, checks);
    if (!passed(checks)) return;
    this.#rooms.guard.report(chainId, 'starting', false);
    this.#rooms.log.info('a chain passed its checks', { chainId });
  }

  async #checkSigner(parts: Pick<ChainBook['config'], 'rpcUrl' | 'maker' | 'signer'>): Promise<ChainCheck[]> {
    const held = this.#signer.current();
    if ('missing' in held) return [{ name: 'signer', outcome: 'failed', sentence: held.missing }];
    const { signer } = held;
    return checkMaker({
      ...parts,
      sign: (hash) => signer.sign(hash),
      randomHash: () => `0x${randomBytes(32).toString('hex')}`,
    });
  }

  #judge(): void {
    const { guard } = this.#rooms;
    const failed = this.faults().filter(({ check }) => check.outcome === 'failed');
    const sentence = failed.map(({ chainId, check }) => `chain ${chainId}: ${check.sentence}`).join(' ');
    if (failed.length === 0) guard.trading.checksPassed();
    else guard.trading.checksFailed(sentence);
  }
}

function passed(checks: ChainCheck[] | undefined): boolean {
  return checks?.every(({ outcome }) => outcome === 'passed') ?? false;
}
