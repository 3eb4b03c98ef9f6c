import { DeskError } from '../../../protocol/desk-error.ts';
import { CANCELLABLE_STATUSES } from '../../../protocol/intent-order-record.ts';
import { buildIntentCancellation, cancelIntentOrders } from '../../../service/intent-orders.ts';
import { nonsense } from '../../../service/service-connection.ts';
import { sentenceOf } from '../../hedge-parts.ts';
import type { HedgeRun } from '../../hedge-run.ts';
import { isContractMaker, signForMaker } from '../../maker-signature.ts';
import type { VenueRun } from '../venue.ts';

/** An order that does not end although its cancellation was taken is asked about again this often at first, then half as often. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Asks the service once to cancel the order of a hedge: the cancellation is built and signed where it is not yet. Only an answer
 * that names the order counts as one. Throws ServiceFault, DeskError `built_otherwise`, `no_key`.
 */
export async function askForCancellation({ parts, log, seq, node }: VenueRun): Promise<void> {
  const { orderId, opened } = log.running(seq);
  if (orderId === null) throw new DeskError('not_cancellable', 'The service has no order of this hedge yet.');
  const service = parts.service(opened.chainId);
  const signed = await log.last(seq, 'cancel_signed');
  // One that was signed for others as well may be refused for what became of them.
  let signature = signed?.orderIds === undefined ? signed?.signature : undefined;
  if (signature === undefined) {
    const toSign = await buildIntentCancellation(service, opened.chainId, [orderId]);
    signature = await signForMaker({ parts, node }, opened, toSign);
    await log.step(seq, { step: 'cancel_signed', signature });
  }
  const cancelled = await cancelIntentOrders(service, [orderId], signature, isContractMaker(parts, opened.maker));
  if (!cancelled.includes(orderId)) throw nonsense(`a cancellation of ${cancelled.join(', ') || 'nothing'}`);
  if (log.isRunning(seq) && log.running(seq).cancel !== 'asked') await log.step(seq, { step: 'cancel_asked' });
}

/**
 * A cancellation that a person wants is asked for until the order's own status shows it, whatever the service answers meanwhile:
 * a refusal may be of the moment (too many calls, a key, a gateway), and one that was taken may be lost on the other side.
 */
export class WantedCancellation {
  /** When it was asked last, Unix milliseconds; null before. */
  #asked: number | null = null;
  #pause = FIRST_PAUSE_MS;
  #said: string | null = null;

  /** What keeps it from being asked, once it was tried; null when nothing does. */
  async pursue(run: HedgeRun): Promise<string | null> {
    const { cancel, orderStatus } = run.log.running(run.seq);
    if (cancel === 'no' || !CANCELLABLE_STATUSES.has(orderStatus ?? '')) return null;
    const now = run.parts.now();
    // One that the service took just now, maybe with others, has a moment to show.
    if (cancel === 'asked') this.#asked ??= now;
    const waited = this.#asked === null ? null : now - this.#asked;
    // A moment to come is of before our clock was set back: it is asked for at once, rather than that much later.
    if (waited !== null && waited >= 0 && waited < this.#pause) return this.#said;
    if (waited !== null) this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    this.#asked = now;
    try {
      await askForCancellation(run);
      this.#said = null;
    } catch (error) {
      run.signal.throwIfAborted();
      this.#said = `It is not cancelled yet, and is asked for again: ${sentenceOf(error)}`;
    }
    return this.#said;
  }
}
