import { createEmitter } from '../contract/emitter.ts';
import type { HedgeStep } from '../contract/hedge-steps.ts';
import { utcText } from '../contract/names.ts';
import type { HedgeOpened } from '../journal/hedges/events.ts';
import { type HedgeRecord, isEnded, openedHedge, steppedHedge } from '../journal/hedges/fold.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueues } from '../protocol/serial-queue.ts';
import type { HedgeParts } from './hedge-parts.ts';
import { type Built, lastStep, type SignedLeft } from './hedge-steps.ts';

type StepOf<N extends HedgeStep['step']> = Extract<HedgeStep, { step: N }>;

/** What was said last may be said again only when it differs. */
const MOST_SENTENCE = 1_000;

/** What the venues say of what a hedge built and signed. */
export interface VenueWords {
  builtOf(hedge: HedgeRecord, steps: readonly HedgeStep[]): Built | null;
  leftOf(hedge: HedgeRecord, steps: readonly HedgeStep[]): SignedLeft | null;
}

/** The hedges that run, as the journal has them: what is here is durable. */
export class HedgeLog {
  readonly #parts: Pick<HedgeParts, 'journal' | 'now'>;
  readonly #running = new Map<number, HedgeRecord>();
  readonly #changed = createEmitter<{ hedge: HedgeRecord; block: number | null }>((error) => {
    throw error;
  });
  /** One step of a hedge after the other: each is made of what the one before it left. */
  readonly #writing = new SerialQueues();

  readonly #venues: VenueWords;

  constructor(parts: Pick<HedgeParts, 'journal' | 'now'>, venues: VenueWords) {
    this.#parts = parts;
    this.#venues = venues;
  }

  /** Takes up what ran when the desk ended, oldest first. */
  async load(): Promise<HedgeRecord[]> {
    const open = await this.#parts.journal.read.openHedges();
    for (const hedge of open) this.#running.set(hedge.seq, hedge);
    return open;
  }

  /** `block`: where it is known in which block of its own chain the step that changed it moved something. */
  onChange(listener: (change: { hedge: HedgeRecord; block: number | null }) => void): void {
    this.#changed.subscribe(listener);
  }

  /** A hedge that runs. Throws DeskError `hedge_ended`. */
  running(seq: number): HedgeRecord {
    const hedge = this.#running.get(seq);
    if (hedge !== undefined) return hedge;
    throw new DeskError('hedge_ended', 'This hedge does not run any more.');
  }

  isRunning(seq: number): boolean {
    return this.#running.has(seq);
  }

  all(): HedgeRecord[] {
    return [...this.#running.values()];
  }

  /** Resolves once it is durable. */
  async open(opened: HedgeOpened, actor: string): Promise<HedgeRecord> {
    const time = this.#parts.now();
    const seq = await this.#parts.journal.append({ time, actor, kind: 'hedge_opened', body: opened });
    return this.#keep(openedHedge(seq, time, actor, opened), null);
  }

  /** Writes a step and gives the hedge after it; resolves once it is durable, so that its effect may follow. */
  step(seq: number, step: HedgeStep, actor = 'desk'): Promise<HedgeRecord> {
    return this.#writing.run(`${seq}`, async () => this.#write(this.running(seq), step, actor));
  }

  /** Writes a step that may follow the end: what a chain did with a transaction, after which it may run again, or a correction. */
  restate(seq: number, step: HedgeStep, actor = 'desk'): Promise<HedgeRecord> {
    return this.#writing.run(`${seq}`, async () => {
      const hedge = this.#running.get(seq) ?? (await this.#parts.journal.read.hedge(seq));
      if (hedge === null) throw new DeskError('unknown_hedge', `Row ${seq} of the journal opened no hedge.`);
      return this.#write(hedge, step, actor);
    });
  }

  /** Says why it does not go on, once for each sentence. */
  async wait(seq: number, sentence: string, held = false): Promise<void> {
    const text = sentence.slice(0, MOST_SENTENCE);
    const { note, held: was } = this.running(seq);
    if (note !== text || was !== held) await this.step(seq, { step: 'waiting', sentence: text, held });
  }

  async end(
    seq: number,
    outcome: StepOf<'ended'>['outcome'],
    sentence: string | null,
    actor = 'desk',
  ): Promise<HedgeRecord> {
    const said = sentence === null ? null : await this.#withGoodUntil(seq, sentence);
    return this.step(seq, { step: 'ended', outcome, sentence: said }, actor);
  }

  /** The end by a person's word, with their reason. */
  async giveUp(seq: number, reason: string, actor: string): Promise<HedgeRecord> {
    const sentence = await this.#withGoodUntil(seq, `${actor} gave it up: ${reason.replace(/\.$/, '')}.`);
    return this.step(seq, { step: 'ended', outcome: 'failed', sentence, givenUp: reason }, actor);
  }

  /** The last step of this name. */
  async last<N extends HedgeStep['step']>(seq: number, name: N): Promise<StepOf<N> | null> {
    return lastStep(await this.#steps(seq), name);
  }

  /** What was built last of a hedge that runs; null where nothing was. Throws DeskError `hedge_ended`. */
  async built(seq: number): Promise<Built | null> {
    const hedge = this.running(seq);
    return this.#venues.builtOf(hedge, await this.#steps(seq));
  }

  async #steps(seq: number): Promise<HedgeStep[]> {
    return (await this.#parts.journal.read.hedgeSteps(seq)).map(({ step }) => step);
  }

  /** The end of a hedge, and until when what it signed is good all the same. */
  async #withGoodUntil(seq: number, sentence: string): Promise<string> {
    const steps = await this.#steps(seq);
    const hedge = this.running(seq);
    const words = goodUntilWords(hedge, this.#venues.leftOf(hedge, steps), this.#parts.now());
    return `${sentence.slice(0, MOST_SENTENCE - words.length)}${words}`;
  }

  async #write(hedge: HedgeRecord, step: HedgeStep, actor: string): Promise<HedgeRecord> {
    const time = this.#parts.now();
    const after = steppedHedge(hedge, time, step);
    const { chainId } = hedge.opened;
    await this.#parts.journal.append({ time, actor, kind: 'hedge_step', body: { chainId, hedgeSeq: hedge.seq, step } });
    return this.#keep(after, blockOf(chainId, step));
  }

  #keep(hedge: HedgeRecord, block: number | null): HedgeRecord {
    if (isEnded(hedge)) this.#running.delete(hedge.seq);
    else this.#running.set(hedge.seq, hedge);
    this.#changed.emit({ hedge, block });
    return hedge;
  }
}

/** The newest block of this chain in which a step says that something moved. */
function blockOf(chainId: number, step: HedgeStep): number | null {
  if (step.step === 'transaction_mined' || step.step === 'wallet_mined') return step.block;
  if (step.step !== 'order_status' && step.step !== 'filled_late') return null;
  const blocks = step.transactions.flatMap((one) =>
    one.chainId === chainId && one.block !== undefined ? [one.block] : [],
  );
  return blocks.length === 0 ? null : Math.max(...blocks);
}

/** What is added to the end of a hedge while its chain may still take what it signed, by our clock; nothing where it cannot. */
function goodUntilWords({ opened }: HedgeRecord, signed: SignedLeft | null, now: number): string {
  const until = opened.deadline * 1_000;
  if (signed === null || signed.left === 0n || until < now) return '';
  return ` Its signature is good until ${utcText(until)}, and counts until then.`;
}
