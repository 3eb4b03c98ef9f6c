import { z } from 'zod';
import type { Journal } from '../journal/journal.ts';
import type { Address } from '../protocol/address.ts';
import { inTime } from '../time/in-time.ts';
import { emergencyCallSchema, KEPT_MS, WRITTEN_WITHIN_MS } from './emergency-calls.ts';

/** Under which name they are kept beside the journal. */
const KEY = 'open-calls';

const openCallSchema = emergencyCallSchema
  .pick({ chainId: true, account: true, purpose: true, nonce: true, raw: true, at: true })
  .extend({ hash: emergencyCallSchema.shape.raw });

/** A call of the maker that is no emergency, signed, and not known to be mined or replaced. */
export type OpenCall = z.infer<typeof openCallSchema>;

/**
 * What was signed for the maker beside hedges and emergencies, such as an approval, until it is mined or replaced: a node may have it
 * that did not say so, and nobody else takes its nonce. Each is written down before it is sent, so that this holds for a desk that was
 * killed meanwhile.
 */
export class OpenCalls {
  readonly #journal: Pick<Journal, 'put'> | null;
  readonly #now: () => number;
  #calls: readonly OpenCall[];

  constructor(
    journal: Pick<Journal, 'put'> | null = null,
    now: () => number = Date.now,
    calls: readonly OpenCall[] = [],
  ) {
    this.#journal = journal;
    this.#now = now;
    this.#calls = calls;
  }

  /** Takes up what the desk before had signed; what cannot be read is as if nothing was. */
  static async open(journal: Pick<Journal, 'put' | 'read'>, now: () => number): Promise<OpenCalls> {
    const { data = [] } = z.array(openCallSchema).safeParse((await journal.read.setting(KEY)) ?? []);
    return new OpenCalls(journal, now, data);
  }

  all(): readonly OpenCall[] {
    const now = this.#now();
    return this.#calls.filter(({ at }) => now - at < KEPT_MS);
  }

  has(hash: string): boolean {
    return this.all().some((call) => call.hash === hash);
  }

  nonces(chainId: number, account: Address): number[] {
    return this.all().flatMap((call) => (call.chainId === chainId && call.account === account ? [call.nonce] : []));
  }

  /** To be called before it is sent. Resolves when it is written down, or the disk does not answer; throws where it refuses. */
  async signed(call: Omit<OpenCall, 'at'>): Promise<void> {
    const written = this.#keep([...this.all(), { ...call, at: this.#now() }]);
    await inTime(written, WRITTEN_WITHIN_MS, () => {});
  }

  /** It was mined, its nonce is used by another transaction, or a node refused it and none can have it. */
  ended(hash: string): void {
    this.#keepOnly((call) => call.hash !== hash);
  }

  /** An emergency takes their places: none of them is to happen behind it, and nobody hands them to a node any more. */
  replaced(chainId: number, account: Address): void {
    this.#keepOnly((call) => call.chainId !== chainId || call.account !== account);
  }

  /** The chain was begun anew: what was signed for the one before is none of it. */
  begunAnew(chainId: number): void {
    this.#keepOnly((call) => call.chainId !== chainId);
  }

  #keepOnly(isLeft: (call: OpenCall) => boolean): void {
    const left = this.#calls.filter(isLeft);
    if (left.length < this.#calls.length) this.#keep(left).catch(() => {}); // it counts a while longer in the next desk
  }

  async #keep(calls: readonly OpenCall[]): Promise<void> {
    this.#calls = calls;
    await this.#journal?.put({ table: 'settings', key: KEY, value: [...calls] });
  }
}
