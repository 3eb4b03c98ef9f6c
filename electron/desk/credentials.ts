import { randomBytes } from 'node:crypto';
import { FaultyInput } from '../book/faults.ts';
import type { CounterpartySecrets } from '../book/parse-desk.ts';
import type { CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import { fingerprint, readSecrets, type Secrets, writeSecrets } from '../signer/secrets.ts';

/** The passphrase of the keystore; asked for when it is needed, and only then. */
export type Passphrase = () => Promise<string>;

/** The credentials of the counterparties, and the keys to services: sealed in `secrets.json`, in memory while the desk runs, and nowhere else. */
export class Credentials {
  readonly #folder: string;
  readonly #passphrase: Passphrase;
  #secrets: Secrets | null = null;
  /** One change after another, since each writes the whole file. */
  #turn: Promise<unknown> = Promise.resolve();

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
   * Keeps the secrets that came with a desk file and gives the fingerprint of each: a counterparty's by domain, a service's
   * key by origin. What came without keeps what is known. Throws FaultyInput `desk_file_faulty` when nothing is known of a
   * counterparty.
   */
  keep(
    given: readonly CounterpartySecrets[],
    desk: DeskFile,
    serviceKeys: Secrets['serviceKeys'],
  ): Promise<Record<string, string>> {
    return this.#inTurn(() => this.#keep(given, desk, serviceKeys));
  }

  async #keep(given: readonly CounterpartySecrets[], desk: DeskFile, serviceKeys: Secrets['serviceKeys']) {
    const newKeys = Object.entries(serviceKeys);
    if (desk.counterparties.length === 0 && newKeys.length === 0) return {};
    const known = await this.load();
    const added = given.map(({ domain, ...keys }) => [domain, keys] as const);
    const counterparties = { ...known.counterparties, ...Object.fromEntries(added) };
    const faults = desk.counterparties.flatMap(({ domain }, index) => {
      if (Object.hasOwn(counterparties, domain)) return [];
      return [{ path: `counterparties[${index}].secretKey`, message: 'is missing, and none is kept for this domain' }];
    });
    if (faults.length > 0) throw new FaultyInput('desk_file_faulty', 'The desk file', faults);
    if (added.length + newKeys.length > 0) {
      await this.#write({ counterparties, serviceKeys: { ...known.serviceKeys, ...serviceKeys } });
    }
    const parties = desk.counterparties.map(({ domain }) => [domain, counterparties[domain]?.secretKey ?? '']);
    return Object.fromEntries([...parties, ...newKeys].map(([of = '', secret = '']) => [of, fingerprint(secret)]));
  }

  /** Seals what goes out as `X-API-KEY` to this origin from now on, and gives its fingerprint; null: nothing does any more. */
  setServiceKey(origin: string, key: string | null): Promise<string | null> {
    return this.#inTurn(async () => {
      const known = await this.load();
      const { [origin]: _before, ...serviceKeys } = known.serviceKeys;
      await this.#write({ ...known, serviceKeys: key === null ? serviceKeys : { ...serviceKeys, [origin]: key } });
      return key === null ? null : fingerprint(key);
    });
  }

  /** The key to the service at this address; none while the sealed file was not opened. */
  serviceKeyOf(url: string): string | undefined {
    return this.#secrets?.serviceKeys[new URL(url).origin];
  }

  /** The fingerprint of each key to a service, by origin. */
  serviceKeyPrints(): Map<string, string> {
    const keys = Object.entries(this.#secrets?.serviceKeys ?? {});
    return new Map(keys.map(([origin, key]) => [origin, fingerprint(key)]));
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
    const { counterparties, serviceKeys } = await this.load();
    return {
      ...desk,
      ...(Object.keys(serviceKeys).length > 0 && { serviceKeys }),
      counterparties: desk.counterparties.map((open) => ({ ...open, ...counterparties[open.domain] })),
    };
  }

  async #write(secrets: Secrets): Promise<void> {
    await writeSecrets(this.#folder, await this.#passphrase(), secrets);
    this.#secrets = secrets;
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(change);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
