import { z } from 'zod';
import { timeSchema } from '../contract/names.ts';
import type { Journal } from '../journal/journal.ts';
import { type Address, addressSchema, type Hex } from '../protocol/address.ts';
import { inTime } from '../time/in-time.ts';
import type { MakerCall } from './maker-calls.ts';

/** Under which name they are kept beside the journal. */
const KEY = 'emergency-calls';
/** What no chain took for so long is not carried along any more. */
const KEPT_MS = 86_400_000;
/** An emergency waits no longer for a disk. */
const WRITTEN_WITHIN_MS = 500;

const hexSchema = z.string().regex(/^0x[0-9a-f]*$/i) as unknown as z.ZodType<Hex>;
const emergencyCallSchema = z.object({
  chainId: z.int(),
  account: addressSchema,
  purpose: z.string(),
  to: addressSchema,
  data: hexSchema,
  /** The nonce it was last signed with, and the transaction itself. */
  nonce: z.int(),
  raw: hexSchema,
  /** Every hash it was ever signed as. */
  hashes: z.array(hexSchema),
  /** When it was last signed, Unix milliseconds. */
  at: timeSchema,
  /** The node refused all that was signed: it is still to be done, and holds no nonce. */
  refused: z.boolean().optional(),
});

/** A call of an emergency that is not known to be mined. */
export type EmergencyCall = z.infer<typeof emergencyCallSchema>;

/** Takes the place of what waits with a nonce, and does nothing itself. */
export function emptyCall(account: Address, nonce: number): MakerCall {
  return { purpose: `keep what waits with nonce ${nonce} from being mined`, to: account, data: '0x' };
}

/** Whether it is an empty one, which is over with whatever takes its nonce, and which no later emergency needs. */
export function isEmptyCall({ data }: Pick<MakerCall, 'data'>): boolean {
  return data === '0x';
}

/**
 * What was signed in an emergency in place of whatever waited, until it is mined: nobody takes its nonces back, and a later
 * emergency sends it along. Each is written down before it is sent, so that this holds for a desk that was killed meanwhile.
 */
export class EmergencyCalls {
  readonly #journal: Pick<Journal, 'put'> | null;
  readonly #now: () => number;
  #calls: readonly EmergencyCall[];

  constructor(
    journal: Pick<Journal, 'put'> | null = null,
    now: () => number = Date.now,
    calls: readonly EmergencyCall[] = [],
  ) {
    this.#journal = journal;
    this.#now = now;
    this.#calls = calls;
  }

  /** Takes up what the desk before had signed; what cannot be read is as if nothing was. */
  static async open(journal: Pick<Journal, 'put' | 'read'>, now: () => number): Promise<EmergencyCalls> {
    const { data = [] } = z.array(emergencyCallSchema).safeParse((await journal.read.setting(KEY)) ?? []);
    return new EmergencyCalls(
      journal,
      now,
      data.filter(({ at }) => now() - at < KEPT_MS),
    );
  }

  /** What is carried along still. */
  all(): readonly EmergencyCall[] {
    const now = this.#now();
    return this.#calls.filter(({ at }) => now - at < KEPT_MS);
  }

  of(chainId: number, account: Address): EmergencyCall[] {
    return this.all().filter((call) => call.chainId === chainId && call.account === account);
  }

  /** The nonces of what a node has, or may have. */
  nonces(chainId: number, account: Address): number[] {
    return this.of(chainId, account).flatMap(({ nonce, refused }) => (refused ? [] : [nonce]));
  }

  holds(chainId: number, account: Address, nonce: number): boolean {
    return this.nonces(chainId, account).includes(nonce);
  }

  /** To be called before it is sent. Resolves when it is written down; a disk that does not answer keeps no emergency. */
  async signed(
    by: { chainId: number; account: Address; nonce: number },
    { purpose, to, data }: MakerCall,
    { hash, raw }: { hash: Hex; raw: Hex },
  ): Promise<void> {
    const { chainId, account, nonce } = by;
    const isIt = (call: EmergencyCall) =>
      call.chainId === chainId &&
      call.account === account &&
      call.to === to &&
      call.data === data &&
      (!isEmptyCall(call) || call.nonce === nonce);
    const hashes = [...(this.#calls.find(isIt)?.hashes ?? []), hash];
    const call = { chainId, account, purpose, to, data, nonce, raw, hashes, at: this.#now() };
    const written = this.#keep([...this.#calls.filter((one) => !isIt(one)), call]);
    await inTime(written, WRITTEN_WITHIN_MS, () => {});
  }

  /** The node refused all that was signed of a call since it was `before`; with null it was never signed before. */
  refused(hash: Hex, before: EmergencyCall | null): void {
    const known = this.#calls.find(({ hashes }) => hashes.includes(hash));
    if (known === undefined) return;
    void this.#keep(this.#calls.map((call) => (call === known ? (before ?? { ...call, refused: true }) : call)));
  }

  /** A call ended on the chain, as the transaction of this hash. */
  ended(hash: string): void {
    const left = this.#calls.filter(({ hashes }) => hashes.every((one) => one !== hash));
    if (left.length < this.#calls.length) void this.#keep(left);
  }

  /** The account is at this nonce: empty ones before it are over. */
  passed(chainId: number, account: Address, nonce: number): void {
    const left = this.#calls.filter(
      (call) => call.chainId !== chainId || call.account !== account || !isEmptyCall(call) || call.nonce >= nonce,
    );
    if (left.length < this.#calls.length) void this.#keep(left);
  }

  /** A person allows a contract something again: no emergency takes that away any more. */
  allowedAgain(chainId: number, account: Address, { to, data }: MakerCall): void {
    const left = this.#calls.filter(
      (call) =>
        call.chainId !== chainId || call.account !== account || call.to !== to || !isSameAllowance(call.data, data),
    );
    if (left.length < this.#calls.length) void this.#keep(left);
  }

  /** The chain was begun anew: what was signed for the one before is none of it. */
  begunAnew(chainId: number): void {
    const left = this.#calls.filter((call) => call.chainId !== chainId);
    if (left.length < this.#calls.length) void this.#keep(left);
  }

  async #keep(calls: readonly EmergencyCall[]): Promise<void> {
    this.#calls = calls;
    await this.#journal?.put({ table: 'settings', key: KEY, value: [...calls] }).catch(() => {});
  }
}

/** Whether both are `approve` for one spender: the selector and the first word are the same. */
function isSameAllowance(one: Hex, other: Hex): boolean {
  return one.startsWith('0x095ea7b3') && one.slice(0, 74) === other.slice(0, 74);
}
