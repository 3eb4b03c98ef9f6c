import { readHead, readHeaders } from '../chain/chain-head.ts';
import { loadMemory } from '../chain/chain-memory.ts';
import { MAX_REORG_BLOCKS } from '../chain/forks.ts';
import type { BlockHeader } from '../chain/node-answers.ts';
import { feeOf } from '../chain/transaction-fee.ts';
import type { HedgeReceipt } from '../journal/hedges/receipts.ts';
import type { Hex } from '../protocol/address.ts';
import type { HedgeLog } from './hedge-log.ts';
import { anyReceipt, type HedgeNode } from './hedge-node.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';

const EVERY_MS = 3_000;

export interface ReceiptWatchOptions {
  log: HedgeLog;
  node: (chainId: number) => HedgeNode;
  /** A hedge that had ended runs again. */
  runAgain: (seq: number) => void;
  everyMs?: number;
}

/**
 * Looks after the transactions of hedges until no reorganisation can take them back, as deep as the desk follows its fills: one
 * that leaves its block counts no more, and its hedge runs again until it is known what became of it.
 */
export class ReceiptWatch {
  readonly #parts: HedgeParts;
  readonly #options: ReceiptWatchOptions;
  #timer: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(parts: HedgeParts, options: ReceiptWatchOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  start(): void {
    const { everyMs = EVERY_MS } = this.#options;
    let looking = false;
    this.#timer = setInterval(() => {
      if (looking) return;
      looking = true;
      this.#turn = this.#look().finally(() => {
        looking = false;
      });
    }, everyMs);
    this.#timer.unref();
  }

  /** Lets go; what waits for an answer of a node writes nothing more. */
  stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    return this.#turn;
  }

  async #look(): Promise<void> {
    const { journal, book, log } = this.#parts;
    const chains = new Map<number, HedgeReceipt[]>();
    for (const receipt of await journal.read.hedgeReceipts().catch(() => [])) {
      chains.set(receipt.chainId, [...(chains.get(receipt.chainId) ?? []), receipt]);
    }
    for (const [chainId, receipts] of chains) {
      if (this.#stopped || book.chain(chainId) === undefined) continue;
      await this.#lookAt(chainId, receipts).catch((error: unknown) => {
        if (!this.#stopped)
          log.warn('hedges could not be looked after on a chain', { chainId, error: sentenceOf(error) });
      });
    }
  }

  async #lookAt(chainId: number, receipts: readonly HedgeReceipt[]): Promise<void> {
    const chain = this.#options.node(chainId);
    const known = (await loadMemory(this.#parts.journal, chainId))?.blocks.at(-1);
    const { latest, atOurs } = await readHead(chain.node, chainId, known);
    // The desk has not settled yet on which branch, or on which chain altogether, the node is.
    if (known !== undefined && atOurs?.hash !== known.hash) return;
    const blocks = receipts.filter(({ block, blockHash }) => blockHash !== null && block <= latest.number);
    const headers = await readHeaders(chain.node, latest, [...new Set(blocks.map(({ block }) => block))]);
    for (const receipt of receipts) {
      if (this.#stopped) return;
      if (receipt.blockHash === null) await this.#lookFor(chain, receipt, latest);
      else if (receipt.block <= latest.number) await this.#compare(receipt, headers.get(receipt.block)?.hash, latest);
    }
  }

  /** One that was in a block: is that block on the branch still? */
  async #compare(receipt: HedgeReceipt, now: Hex | undefined, latest: BlockHeader): Promise<void> {
    if (now === undefined) return; // the node does not say
    if (now !== receipt.blockHash) await this.#takeBack(receipt);
    else if (latest.number - receipt.block >= MAX_REORG_BLOCKS) await this.#final(receipt);
  }

  /** One that is in no block: a swap that lost its nonce, or an approval that was taken back. */
  async #lookFor(chain: HedgeNode, receipt: HedgeReceipt, latest: BlockHeader): Promise<void> {
    const { hedgeSeq, chainId, hash, purpose, block } = receipt;
    const found = await anyReceipt(chain, purpose === 'swap' ? await this.#withItsNonce(receipt) : [hash]);
    if (this.#stopped) return;
    if (found === null) {
      const isDeep = latest.number - block >= MAX_REORG_BLOCKS;
      if (purpose === 'approval') await this.#sendAgain(chain, receipt, isDeep);
      else if (isDeep) await this.#final(receipt);
    } else if (purpose === 'approval') {
      const { blockNumber, blockHash, status } = found;
      await this.#options.log.restate(hedgeSeq, {
        step: 'mined_again',
        chainId,
        hash,
        purpose,
        block: Number(blockNumber),
        blockHash,
        succeeded: status === 'success',
        feeWei: `${feeOf(found)}`,
      });
    } else await this.#takeBack(receipt);
  }

  /** Whatever the hedge signed with the nonce of a swap: a block may have any of it. */
  async #withItsNonce({ hedgeSeq, hash, purpose }: HedgeReceipt): Promise<string[]> {
    const { transactions = [] } = (await this.#parts.journal.read.hedge(hedgeSeq)) ?? {};
    const swaps = transactions.filter((one) => one.purpose === purpose);
    const nonce = swaps.find((one) => one.hash === hash)?.nonce ?? null;
    const others = swaps.filter((one) => nonce !== null && one.nonce === nonce && one.hash !== hash);
    return [hash, ...others.map((one) => one.hash)];
  }

  async #takeBack({ hedgeSeq, chainId, hash, purpose, feeWei }: HedgeReceipt): Promise<void> {
    const { log, runAgain } = this.#options;
    // What a hedge that runs waits for, it looks at itself.
    if (purpose !== 'approval' && log.isRunning(hedgeSeq)) return;
    this.#parts.log.warn('a reorganisation took a transaction of a hedge back', { chainId, hash, hedgeSeq });
    const hedge = await log.restate(hedgeSeq, { step: 'taken_back', chainId, hash, purpose, feeWei });
    if (purpose !== 'approval') runAgain(hedge.seq);
  }

  /** The same bytes once more, unless another transaction used their nonce for good. */
  async #sendAgain(chain: HedgeNode, receipt: HedgeReceipt, isDeep: boolean): Promise<void> {
    const { hedgeSeq, chainId, hash } = receipt;
    const steps = await this.#parts.journal.read.hedgeSteps(hedgeSeq);
    const signed = steps.flatMap(({ step }) =>
      (step.step === 'transaction_signed' || step.step === 'transaction_replaced') && step.hash === hash ? [step] : [],
    )[0];
    const hedge = await this.#parts.journal.read.hedge(hedgeSeq);
    if (signed === undefined || hedge === null) return;
    const { maker } = hedge.opened;
    const count = await chain.client.getTransactionCount({ address: maker, blockTag: 'latest' });
    if (count > signed.nonce) {
      if (isDeep && !this.#stopped) await this.#final(receipt);
      return;
    }
    if (isHalted(this.#parts, chainId)) return;
    const { accounts } = this.#parts;
    await accounts.run(chainId, maker, async () => {
      // An emergency took its place.
      if (accounts.emergencies.holds(chainId, maker, signed.nonce)) return;
      // The chain is what counts, and it is looked at again.
      await chain.client.sendRawTransaction({ serializedTransaction: signed.raw }).catch(() => null);
    });
  }

  async #final({ hedgeSeq, chainId, hash, purpose }: HedgeReceipt): Promise<void> {
    await this.#options.log.restate(hedgeSeq, { step: 'final', chainId, hash, purpose });
  }
}
