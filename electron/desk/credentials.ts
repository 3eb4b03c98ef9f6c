import { randomBytes } from 'node:crypto';
import { FaultyInput } from '../book/faults.ts';
import type { CounterpartySecrets } from '../book/parse-desk.ts';
import type { CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import { fingerprint, readSecrets, type Secrets, writeSecrets } from '../signer/secrets.ts';

/** The passphrase of the keystore; asked for when it is needed, and only then. */
export type Passphrase = () => Promise<string>;

/** The credentials of the counterparties: sealed in `secrets.json`, in memory while the desk runs, and nowhere else. */
export class Credentials {
  readonly #folder: string;
  readonly #passphrase: Passphrase;
  #secrets: Secrets | null = null;

  constructor(folder: string, passphrase: Passphrase) {
    this.#folder = folder;
    this.#passphrase = passphrase;
  }

  /** Opens the sealed file. Throws DeskError `wrong_passphrase`, `bad_seal` or `secrets_unreadable`. */
  async load(): Promise<Secrets> {
    this.#secrets ??= await readSecrets(this.#folder, await this.#passphrase());
    return this.#secrets;
  }

  /**
   * Keeps the secrets that came with a desk file and gives the fingerprint of each counterparty's. One that came without
   * keeps what is known of its domain. Throws FaultyInput `desk_file_faulty` when nothing is known of it.
   */
  async keep(given: readonly CounterpartySecrets[], desk: DeskFile): Promise<Record<string, string>> {
    if (desk.counterparties.length === 0) return {};
    const known = await this.load();
    const added = given.map(({ domain, ...keys }) => [domain, keys] as const);
    const counterparties = { ...known.counterparties, ...Object.fromEntries(added) };
    const faults = desk.counterparties.flatMap(({ domain }, index) => {
      if (Object.hasOwn(counterparties, domain)) return [];
      return [{ path: `counterparties[${index}].secretKey`, message: 'is missing, and none is kept for this domain' }];
    });
    if (faults.length > 0) throw new FaultyInput('desk_file_faulty', 'The desk file', faults);
    if (added.length > 0) {
      await writeSecrets(this.#folder, await this.#passphrase(), { counterparties });
      this.#secrets = { counterparties };
    }
    const print = ({ domain }: CounterpartyConfig) => fingerprint(counterparties[domain]?.secretKey ?? '');
    return Object.fromEntries(desk.counterparties.map((counterparty) => [counterparty.domain, print(counterparty)]));
  }

  /**
   * Who may call, by domain. A counterparty whose secret is not here stays in the list with keys that nobody knows, so
   * that a lost file never opens the surface to unsigned requests.
   */
  counterparties(configured: readonly CounterpartyConfig[]): Map<string, Counterparty> {
    const entries = configured.map(({ domain, signedPath }) => {
      const keys = this.#secrets?.counterparties[domain];
      const unknown = () => randomBytes(32).toString('hex');
      return [
        domain,
        { accessKey: keys?.accessKey ?? unknown(), secretKey: keys?.secretKey ?? unknown(), signedPath },
      ] as const;
    });
    return new Map(entries);
  }

  /** Tells two secrets apart without showing any; null when none is kept for the domain. */
  fingerprintOf(domain: string): string | null {
    const kept = this.#secrets?.counterparties[domain];
    return kept === undefined ? null : fingerprint(kept.secretKey);
  }

  /** The desk file with its secrets. Throws as `load` does. */
  async withSecrets(desk: DeskFile): Promise<DeskFile> {
    if (desk.counterparties.length === 0) return desk;
    const { counterparties } = await this.load();
    return {
      ...desk,
      counterparties: desk.counterparties.map((open) => ({ ...open, ...counterparties[open.domain] })),
    };
  }
}
