import { z } from 'zod';
import type { ChainConfig } from '../contract/desk-file.ts';
import { createEmitter } from '../contract/emitter.ts';
import { timeSchema } from '../contract/names.ts';
import type { StandingOrderEvent } from '../journal/fills/read.ts';
import type { Journal } from '../journal/journal.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import { BalanceDrift, type Taken } from './balance-drift.ts';
import { BranchFollower } from './branch-follower.ts';
import { type ChainView, unseenView } from './chain-view.ts';
import { ChunkSize } from './chunk-size.ts';
import type { KnownBlock } from './forks.ts';
import { type Holdings, TokensApart } from './holdings.ts';
import type { BlockHeader } from './node-answers.ts';
import { faultReason, faultSentence, nodeEarly, nodeLate, secondFaultSentence } from './node-fault.ts';
import { type OrderEvent, OrderLedger } from './order-ledger.ts';
import { settleBranch } from './settle-branch.ts';
import { type AgreedNode, noMoreThanAhead, openAgreedNode } from './two-nodes.ts';

/** The chain the desk knew was begun anew, and somebody who may say so has said it. */
export interface ChainReset {
  chainId: number;
  /** The hash of the first block of the chain that is there now. */
  genesis: Hex;
  /** The newest block the desk knew. */
  known: KnownBlock;
  /** The newest block of the chain that is there now. */
  latest: KnownBlock;
}

export interface WatcherOptions {
  config: Pick<ChainConfig, 'chainId' | 'rpcUrl' | 'secondRpcUrl' | 'rfqContract' | 'maker'> & {
    spareRpcUrls?: readonly string[] | undefined;
    /** What the solvers of hedges take goes through it. */
    intentContract?: Address | null | undefined;
  };
  /** How far apart in time the newest blocks of two nodes may be, seconds; 30 unless given. */
  maxLagSeconds?: () => number;
  /** An amount of a token as a person reads it; raw units unless given. */
  amountText?: (token: Address, raw: bigint) => string;
  /** The listed tokens as they are now. */
  tokens: () => readonly Address[];
  journal: Journal;
  /** Unix milliseconds. */
  now: () => number;
  log: { info(line: string): void; warn(line: string): void; error(line: string): void };
  /** Whether a chain whose first block has this hash is the same chain begun anew, by the word of somebody who may give it. */
  isBegunAnew: (genesis: Hex) => boolean;
  /** The node's chain cannot be brought together with the one the desk knew: nothing may be signed until a person has looked. */
  onChainLost: (sentence: string) => void;
  /** Awaited before the chain is watched anew: the place to end the open quotes of the chain that is gone. */
  onChainReset: (reset: ChainReset) => Promise<void> | void;
  /** What a token may come to drift by in a day before it is told, raw units; every unit unless given. */
  driftPerDay?: (token: Address) => bigint;
  /** Milliseconds between two looks at the node; one at a time. */
  pollIntervalMs?: number;
  /** The longest wait after failures, which doubles from the poll interval on. */
  retryMaxMs?: number;
  /** How long one request may take. */
  timeoutMs?: number;
  /** Blocks of logs asked for at once, to begin with and at most. */
  logChunk?: { first: number; most: number };
}

export interface ChainWatcher {
  start(): void;
  /** Resolves when nothing is on its way any more; the chain is unseen then. May be started again. */
  stop(): Promise<void>;
  view(): ChainView;
  /** The first block of the chain the node has in place of ours; null while it has ours. */
  otherGenesis(): Hex | null;
  /** Called when the view has changed, not for every good answer. Returns what ends that. */
  onView(listener: (view: ChainView) => void): () => void;
  /**
   * Called for each fill, cancel and reverted once it is durable. What the listener was told and what `view` shows change
   * in one synchronous step, events first: nobody ever sees balances without the events they come from, or the reverse.
   */
  onOrderEvent(listener: (event: OrderEvent) => void): () => void;
}

/** What settles by itself in a moment, unless it stays. */
const PASSING = new Set(['block_moved', 'node_behind', 'nodes_disagree']);
const PASSING_FAILURES = 3;
/** What another node of the chain may say better. */
const OF_THE_NODE = new Set(['node_behind', 'node_malformed', 'node_refused', 'node_wrong_chain']);
/** After a silence this long the view is told again although nothing in it changed. */
const SILENCE_MS = 5_000;

/** For so long a person is told that what a node told was never there. */
const NEVER_THERE_TOLD_MS = 86_400_000;
const neverThereSchema = z.array(z.object({ sentence: z.string(), at: timeSchema }));
/** How many of these are told one by one. */
const MOST_NEVER_THERE = 3;

/** Watches the maker's balances, allowances, fills and cancels on one chain. Nothing is asked before `start`. */
export function openChainWatcher(options: WatcherOptions): ChainWatcher {
  const { config, journal, now, log, pollIntervalMs = 500, retryMaxMs = 5_000, maxLagSeconds = () => 30 } = options;
  const { first, most } = options.logChunk ?? { first: 2_000, most: 10_000 };
  const complain = (error: unknown) => log.error(`A listener of chain ${config.chainId} failed: ${String(error)}`);
  const views = createEmitter<ChainView>(complain);
  const orderEvents = createEmitter<OrderEvent>(complain);
  const ledger = new OrderLedger({ journal, chainId: config.chainId, now });
  const chunk = new ChunkSize(first, most);
  let view = unseenView(null);
  let otherGenesis: Hex | null = null;
  let lost = false;
  /** Which spare node is asked, and why; undefined while the first is. */
  let spare: string | undefined;
  /** Transactions that took tokens of the maker and were told of. */
  const taken = new Set<Hex>();
  /** What was taken back last since it was never there, and when. */
  let neverThere: z.infer<typeof neverThereSchema> = [];
  /** Under which name that is kept beside the journal. */
  const neverThereKey = `never-there-${config.chainId}`;
  /** When a node was passed over for the time of its newest block. */
  let passedAt = 0;
  /** What was last read at the block in view. */
  let read: Holdings = { held: new Map(), unreadable: [] };
  let running: { stopped: AbortController; ended: Promise<void> } | null = null;

  function show(next: ChainView): void {
    const { seenAt: before } = view;
    const silent = before === null || next.seenAt === null || next.seenAt - before >= SILENCE_MS;
    const same =
      next.block?.hash === view.block?.hash &&
      next.balances === view.balances &&
      next.fault === view.fault &&
      next.spare === view.spare &&
      next.neverThere === view.neverThere;
    if (next.fault !== view.fault && next.fault !== null) log.warn(`Chain ${config.chainId}: ${next.fault}`);
    else if (next.fault !== view.fault && next.block !== null) log.info(`Chain ${config.chainId} is seen again.`);
    view = next;
    if (!same || (silent && next.seenAt !== before)) views.emit(view);
  }

  /** What was read, with the events that led there. */
  function publish(next: ChainView): OrderEvent[] {
    const events = ledger.takeUntold();
    for (const event of events) orderEvents.emit(event);
    show(next);
    return events;
  }

  async function startAnew(known: KnownBlock, { number, hash }: KnownBlock, genesis: Hex): Promise<void> {
    publish(unseenView(null));
    await options.onChainReset({ chainId: config.chainId, genesis, known, latest: { number, hash } });
  }

  async function poll(node: AgreedNode, follower: BranchFollower, drift: BalanceDrift): Promise<void> {
    const at = now();
    const latest = await settleBranch(node, follower, {
      chainId: config.chainId,
      now,
      log,
      isBegunAnew: (genesis) => {
        otherGenesis = genesis;
        return options.isBegunAnew(genesis);
      },
      startAnew,
    });
    const tookMs = Math.max(0, Math.round(now() - at));
    otherGenesis = null;
    lost = false;
    const missed = latest.number - (follower.newest?.number ?? latest.number);
    if (missed > chunk.blocks) {
      show({
        ...view,
        unconfirmed: undefined,
        fault: `The desk reads ${missed} blocks it has missed; until it has, this chain is not quoted.`,
      });
    }
    const tokens = options.tokens();
    const known = new Set([...read.held.keys(), ...read.unreadable]);
    const unchanged =
      view.block?.hash === latest.hash &&
      follower.newest?.hash === latest.hash &&
      tokens.length === known.size &&
      tokens.every((token) => known.has(token));
    const holdings = unchanged ? read : await follower.follow(latest, tokens);
    const { held: balances, unreadable } = await noMoreThanAhead(node, config, holdings);
    read = holdings;
    const events = publish({
      block: { number: latest.number, hash: latest.hash, timestamp: latest.timestamp },
      seenAt: at,
      tookMs,
      balances,
      unreadable,
      fault: null,
      spare,
      neverThere: neverThereText(),
    });
    if (!unchanged) drift.seen(latest, holdings.held, events);
    passIfApart(node, latest);
  }

  function tellTaken(follower: BranchFollower, { transactionHash, block, isFill }: Taken): void {
    if (isFill) follower.logsLack(transactionHash, block);
    if (taken.has(transactionHash)) return;
    taken.add(transactionHash);
    const what = `Chain ${config.chainId}: transaction ${transactionHash} in block ${block}`;
    if (isFill) log.warn(`${what} filled an order, and the node’s logs did not have that fill: they are read again.`);
    else log.error(`${what} took tokens from the maker, which did not send it.`);
  }

  function tellNeverThere(events: readonly StandingOrderEvent[]): void {
    for (const { kind, orderHash, block, transactionHash } of events) {
      const sentence = `A ${kind} of order ${orderHash} in block ${block} (transaction ${transactionHash}), which a node had told, is on no chain. Two other nodes looked again and again, and it is taken back.`;
      log.error(`Chain ${config.chainId}: ${sentence}`);
      neverThere.push({ sentence, at: now() });
    }
    // It is a notice: where it cannot be kept, only the log has it after the next start.
    void journal.put({ table: 'settings', key: neverThereKey, value: [...neverThere] }).catch(() => {});
  }

  /** Also what was told before the desk was started, or another node was asked. */
  async function recallNeverThere(): Promise<void> {
    neverThere = neverThereSchema.safeParse(await journal.read.setting(neverThereKey)).data ?? [];
  }

  /** The newest of what was told in the last day and never happened. */
  function neverThereText(): string | undefined {
    neverThere = neverThere.filter(({ at }) => now() - at < NEVER_THERE_TOLD_MS);
    const named = neverThere.slice(-MOST_NEVER_THERE).map(({ sentence }) => sentence);
    const more = neverThere.length - named.length;
    if (named.length === 0) return undefined;
    return more === 0 ? named.join(' ') : `${named.join(' ')} So were ${more} before, which are in the log.`;
  }

  /**
   * A node that stands still, or is ahead of our clock, is not asked on while another may say better; a chain that does is looked for
   * once in a while.
   */
  function passIfApart(node: AgreedNode, { number, timestamp }: BlockHeader): void {
    const most = maxLagSeconds() * 1_000;
    const at = now();
    const lateMs = at - timestamp * 1_000;
    if (Math.abs(lateMs) <= most || at - passedAt <= most) return;
    passedAt = at;
    const { rpcUrl } = node.first;
    const seconds = Math.floor(Math.abs(lateMs) / 1_000);
    node.pass(lateMs > 0 ? nodeLate(rpcUrl, number, seconds) : nodeEarly(rpcUrl, number, seconds));
  }

  function loseChain(error: DeskError): void {
    if (lost) return;
    lost = true;
    log.error(`Chain ${config.chainId}: ${error.message}`);
    options.onChainLost(error.message);
  }

  function fail(node: AgreedNode, error: unknown, failures: number): number {
    const code = error instanceof DeskError ? error.code : null;
    const passing = code !== null && PASSING.has(code);
    if (code !== null && OF_THE_NODE.has(code) && (!passing || failures >= PASSING_FAILURES)) node.pass(error);
    if (code === 'chain_replaced' || code === 'fork_unknown') loseChain(error as DeskError);
    if (code === 'node_wrong_chain') publish(unseenView(faultSentence(error)));
    else if (!passing || failures >= PASSING_FAILURES) {
      const unconfirmed = code === 'nodes_disagree' ? 'disagree' : node.isOfSecond(error) ? 'silent' : undefined;
      const fault = unconfirmed === 'silent' ? secondFaultSentence(error) : faultSentence(error);
      show({ ...view, fault, unconfirmed });
    }
    return passing ? pollIntervalMs : Math.min(retryMaxMs, pollIntervalMs * 2 ** Math.min(failures - 1, 16));
  }

  async function run(stopped: AbortSignal): Promise<void> {
    const { rpcUrl, spareRpcUrls, secondRpcUrl = null, chainId } = config;
    const { timeoutMs, amountText = (token, raw) => `${raw} of ${token}` } = options;
    spare = undefined;
    const node = openAgreedNode({
      rpcUrl,
      spareRpcUrls,
      secondRpcUrl,
      chainId,
      maxLagSeconds,
      amountText,
      timeoutMs,
      onChange: (sentence, isSpare) => {
        if (stopped.aborted) return;
        log.warn(`Chain ${chainId}: ${sentence}`);
        spare = isSpare ? sentence : undefined;
        show({ ...view, spare });
      },
    });
    stopped.addEventListener('abort', () => node.close(), { once: true });
    const tokens = new TokensApart({ ...config, node, now });
    const follower = new BranchFollower({
      node,
      config,
      journal,
      ledger,
      chunk,
      tokens,
      onNeverThere: tellNeverThere,
      onUngot: (block, error) => {
        if (stopped.aborted) return;
        const what = `Chain ${chainId}: the logs of block ${block}, which lack a fill, cannot be got.`;
        log.warn(`${what} ${faultReason(error)} They are asked for again; all other blocks are read.`);
      },
    });
    const drift = new BalanceDrift({
      node: node.first,
      chainId: config.chainId,
      maker: config.maker,
      rfqContract: config.rfqContract,
      intentContract: config.intentContract ?? null,
      journal,
      now,
      hashAt: (block) => follower.blocks.find(({ number }) => number === block)?.hash,
      perDay: options.driftPerDay ?? (() => 0n),
      onTaken: (taken) => {
        if (!stopped.aborted) tellTaken(follower, taken);
      },
      // The chain was seen all the same.
      onFault: (error) => {
        if (stopped.aborted) return;
        log.info(`Chain ${config.chainId}: balances could not be compared with transfers. ${faultReason(error)}`);
      },
    });
    let resumed = false;
    let failures = 0;
    while (!stopped.aborted) {
      let wait = pollIntervalMs;
      try {
        if (!resumed) {
          await recallNeverThere();
          await follower.resume();
        }
        resumed = true;
        await poll(node, follower, drift);
        failures = 0;
      } catch (error) {
        if (stopped.aborted) break;
        failures += 1;
        wait = fail(node, error, failures);
      }
      await pause(wait, stopped);
    }
    await drift.stop();
    await follower.save().catch((error: unknown) => log.warn(`Chain ${config.chainId}: ${faultSentence(error)}`));
    publish(unseenView(null));
  }

  return {
    start() {
      if (running !== null) return;
      const stopped = new AbortController();
      running = { stopped, ended: run(stopped.signal) };
    },
    async stop() {
      const ending = running;
      if (ending === null) return;
      ending.stopped.abort();
      await ending.ended;
      running = null;
    },
    view: () => view,
    otherGenesis: () => otherGenesis,
    onView: views.subscribe,
    onOrderEvent: orderEvents.subscribe,
  };
}
