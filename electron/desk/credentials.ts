import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expectSeen } from '../book/changed-meanwhile.ts';
import { FaultyInput } from '../book/faults.ts';
import type { CounterpartySecrets } from '../book/parse-desk.ts';
import { UrlSeals } from '../book/url-seals.ts';
import { type CounterpartyConfig, type DeskFile, earlierOf } from '../contract/desk-file.ts';
import { createEmitter } from '../contract/emitter.ts';
import { asRead } from '../contract/names.ts';
import { consoleRights, type Right } from '../contract/rights.ts';
import { markOf, partsOf, urlsOf, type WithUrls, withUrls } from '../contract/sealed-url.ts';
import type { Token } from '../contract/tokens.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import {
  type CounterpartyKeys,
  fingerprint,
  readSecrets,
  type Secrets,
  sealSecrets,
  type WaySecret,
} from '../signer/secrets.ts';

/** Whoever came with a token. */
export interface TokenHolder {
  name: string;
  /** As they are written down. */
  rights: string;
  /** What they may do with a console at this moment: nothing any more once their token was revoked. */
  may(): readonly Right[];
}

/** The passphrase of the keystore; asked for when it is needed, and only then. */
export type Passphrase = () => Promise<string>;

/** The credentials of the counterparties, the keys to services, the URLs that have a key in them, the hashes of tokens that were handed out, and what is secret of the ways of alerts: sealed in `secrets.json`, in memory while the desk runs, and nowhere else. */
export class Credentials {
  readonly #folder: string;
  readonly #passphrase: Passphrase;
  readonly #seals: UrlSeals;
  #secrets: Secrets | null = null;
  /** On their way for the next who asks. */
  #soon: Promise<Secrets> | null = null;
  readonly #changed = createEmitter<void>((error) => {
    throw error;
  });
  /** One change after another, since each writes the whole file. */
  readonly #changes = new SerialQueue();
  /** Tokens that are being revoked. */
  readonly #revoked = new Set<string>();

  /** `seals` learns the URLs that the sealed file has. */
  constructor(folder: string, passphrase: Passphrase, seals = new UrlSeals()) {
    this.#folder = folder;
    this.#passphrase = passphrase;
    this.#seals = seals;
  }

  /** Resolves once no change is on its way to the disk. Never rejects. */
  close(): Promise<void> {
    return this.#changes.over();
  }

  /** Begins to open the sealed file for a `load` that comes, which throws what this finds: deriving its key takes as long as opening a journal. */
  loadSoon(): void {
    this.#soon = this.#read();
    this.#soon.catch(() => {});
  }

  async #read(): Promise<Secrets> {
    return readSecrets(this.#folder, await this.#passphrase());
  }

  /** Opens the sealed file. Throws DeskError `wrong_passphrase`, `bad_seal` or `secrets_unreadable`. */
  async load(): Promise<Secrets> {
    if (this.#secrets === null) {
      const soon = this.#soon;
      this.#soon = null;
      this.#secrets = await (soon ?? this.#read());
      this.#seals.learn(this.#secrets.urls ?? {});
    }
    return this.#secrets;
  }

  /** Opens the sealed file where a chain's URL needs it, so that whoever is asked for no key need not give the passphrase. Throws as `load` does. */
  async openUrls(chains: readonly WithUrls[]): Promise<void> {
    const isShut = ({ url }: { url: string }) => markOf(this.#seals.whole(url)) !== null;
    if (chains.some((chain) => urlsOf(chain).some(isShut))) await this.load();
  }

  /**
   * Seals the whole URLs that were found elsewhere, in a journal from before they were sealed. Gives their origins. Throws as
   * `load` does, and when the file cannot be written.
   */
  sealFound(): Promise<string[]> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const found = unkept(known, Object.entries(this.#seals.known()));
      if (found.length > 0) await this.#write(withKept(known, found));
      return [...new Set(found.map(([, url]) => new URL(url).origin))];
    });
  }

  /**
   * Keeps the secrets that came with a desk file and gives the fingerprint of each: a counterparty's by domain, that of earlier keys
   * which are still taken as `earlierOf` names it, a service's key by origin. What came without keeps what is known. New keys end all
   * others of their counterparty, unless `earlier` says that those they take the place of go on being taken; it can also end those
   * alone. `ways` has what is secret of ways of alerts, as `keepWaySecrets` takes it. Throws FaultyInput `desk_file_faulty` when nothing is known of a counterparty, or of a sealed URL.
   */
  keep(
    given: readonly CounterpartySecrets[],
    desk: DeskFile,
    serviceKeys: Secrets['serviceKeys'],
    urls: Readonly<Record<string, string>> = {},
    earlier: EarlierKeys | null = null,
    ways: WaySecrets = new Map(),
  ): Promise<Record<string, string>> {
    const kept = this.keepUnless(() => {}, given, desk, serviceKeys, urls, earlier, ways);
    return kept.then(({ fingerprints }) => fingerprints);
  }

  /**
   * Keeps them as `keep` does for something that may be refused until it is done: `refuse` throws where it is already, and is called when
   * the turn of these secrets has come and they are sealed, before they are written: nothing but the disk refuses them any more.
   */
  keepUnless(
    refuse: () => void | Promise<void>,
    ...[given, desk, serviceKeys, urls = {}, earlier = null, ways = new Map()]: Given
  ): Promise<KeptSecrets> {
    return this.#changes.run(() => this.#keep(refuse, [given, desk, serviceKeys, urls, earlier, ways]));
  }

  async #keep(
    refuse: () => void | Promise<void>,
    [given, desk, serviceKeys, givenUrls, earlier, ways]: Required<Given>,
  ): Promise<KeptSecrets> {
    const newKeys = Object.entries(serviceKeys);
    const marked = markedUrls(desk);
    if (desk.counterparties.length + newKeys.length + marked.length + ways.size === 0) {
      await refuse();
      return { fingerprints: {}, takeBack: async () => {}, takeBackWays: async () => {} };
    }
    const known = await this.load();
    const added = given.map(({ domain, ...keys }) => {
      const isKept = earlier?.domain === domain && earlier.keys === 'keep';
      return [domain, renewed(known.counterparties[domain], keys, isKept)] as const;
    });
    const ended = Object.entries(known.counterparties).flatMap(([domain, { earlier: before, ...keys }]) =>
      before !== undefined && earlier?.domain === domain && earlier.keys === 'end' ? [[domain, keys] as const] : [],
    );
    const counterparties = { ...known.counterparties, ...Object.fromEntries([...ended, ...added]) };
    const faults = desk.counterparties.flatMap(({ domain }, index) => {
      if (Object.hasOwn(counterparties, domain)) return [];
      return [{ path: `counterparties[${index}].secretKey`, message: 'is missing, and none is kept for this domain' }];
    });
    const kept = { ...this.#seals.known(), ...known.urls, ...givenUrls };
    const urls = marked.flatMap(({ path, origin, mark }) => {
      const { [mark]: whole } = kept;
      if (whole !== undefined && new URL(whole).origin === origin) return [[mark, whole] as const];
      const why =
        whole === undefined ? 'and nothing is kept for it here' : 'and what is kept for it is of another host';
      faults.push({ path, message: `is sealed, ${why}: give the whole address` });
      return [];
    });
    if (faults.length > 0) throw new FaultyInput('desk_file_faulty', 'The desk file', faults);
    const newUrls = unkept(known, urls);
    const alertWays = withWays(known, ways);
    const keys = { ...known, counterparties, serviceKeys: { ...known.serviceKeys, ...serviceKeys }, alertWays };
    const isAnother =
      added.length + ended.length + newKeys.length + newUrls.length > 0 || alertWays !== known.alertWays;
    const write = isAnother ? await this.#sealed(withKept(keys, newUrls)) : null;
    await refuse();
    await write?.();
    const parties = desk.counterparties.flatMap(({ domain }) => {
      const keys: CounterpartyKeys | undefined = counterparties[domain];
      const before = keys?.earlier;
      return [
        [domain, keys?.secretKey ?? ''],
        ...(before === undefined ? [] : [[earlierOf(domain), before.secretKey]]),
      ];
    });
    const prints = [...parties, ...newKeys].map(([of = '', secret = '']) => [of, fingerprint(secret)]);
    const takeBackWays = () => this.#takeBack({ ...keys, alertWays: known.alertWays }, keys);
    return { fingerprints: Object.fromEntries(prints), takeBack: () => this.#takeBack(known, keys), takeBackWays };
  }

  /** Keys that were kept are those of before again, where nobody has given others since. */
  #takeBack(before: Secrets, kept: Secrets): Promise<void> {
    return this.#changes.run(async () => {
      const now = await this.load();
      const counterparties = takenBack(before.counterparties, kept.counterparties, now.counterparties);
      const serviceKeys = takenBack(before.serviceKeys, kept.serviceKeys, now.serviceKeys);
      const alertWays = takenBack(before.alertWays ?? {}, kept.alertWays ?? {}, now.alertWays ?? {});
      const back = [counterparties, serviceKeys, alertWays];
      if (isDeepStrictEqual(back, [now.counterparties, now.serviceKeys, now.alertWays ?? {}])) return;
      await this.#write({ ...now, counterparties, serviceKeys, alertWays }).catch((cause: unknown) => {
        const sentence =
          'The change was not made, but the secrets that came with it are kept: those of before could not be put back.';
        throw new DeskError('keys_replaced', sentence, { remedy: 'Give those of before once more.', cause });
      });
    });
  }

  /** Seals what goes out as `X-API-KEY` to this origin from now on, and gives its fingerprint; null: nothing does any more. */
  setServiceKey(origin: string, key: string | null): Promise<string | null> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const { [origin]: _before, ...serviceKeys } = known.serviceKeys;
      await this.#write({ ...known, serviceKeys: key === null ? serviceKeys : { ...serviceKeys, [origin]: key } });
      return key === null ? null : fingerprint(key);
    });
  }

  /** Makes a token: given here, and only its hash is kept. Throws DeskError `token_exists`, and as `load` does. */
  makeToken(of: Omit<Token, 'by'> & { by: string }): Promise<{ token: string; hash: string }> {
    const { name, rights, since, by } = of;
    return this.#changes.run(async () => {
      const known = await this.load();
      const alike = Object.keys(known.tokens ?? {}).find((other) => asRead(other) === asRead(name));
      if (alike !== undefined) {
        throw new DeskError('token_exists', `There is a token ${alike} already.`, {
          remedy: 'Choose another name, or revoke that one first: makerdesk token revoke NAME.',
        });
      }
      const token = randomBytes(32).toString('base64url');
      const hash = hashOf(token).toString('hex');
      await this.#write({ ...known, tokens: { ...known.tokens, [name]: { rights, since, by, hash } } });
      return { token, hash };
    });
  }

  /** From now on the token is for something else, if it is still for what was `seen`. Throws DeskError `no_such_token`, `changed_meanwhile`. */
  setRights(name: string, rights: string, seen?: string): Promise<void> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const { [name]: token } = known.tokens ?? {};
      if (token === undefined) throw noSuchToken(name);
      const inView = seen === undefined ? undefined : { rights: seen };
      expectSeen(`The token of ${name}`, { seen: inView, now: { rights: token.rights }, by: null });
      await this.#write({ ...known, tokens: { ...known.tokens, [name]: { ...token, rights } } });
    });
  }

  /**
   * The token counts no more, from this moment on. Resolves with the fingerprint of its hash: `forgetTokens` is told it at each start, for
   * the sealed file of a locked desk still has the token. Throws DeskError `no_such_token`.
   */
  revokeToken(name: string): Promise<string> {
    this.#revoked.add(name);
    return this.#changes.run(async () => {
      const known = await this.load();
      const { [name]: revoked, ...tokens } = known.tokens ?? {};
      if (revoked === undefined) {
        this.#revoked.delete(name);
        throw noSuchToken(name);
      }
      const print = fingerprint(revoked.hash);
      const isSealed = await this.#write({ ...known, tokens }).then(
        () => true,
        (error: unknown) => {
          if (isDeskError(error, 'key_locked')) return false;
          throw error;
        },
      );
      if (isSealed) this.#revoked.delete(name);
      return print;
    });
  }

  /**
   * Tokens that were revoked, by the fingerprints of their hashes, count no more, and are taken out of the sealed file; where that cannot be
   * written now, another time. Throws as `load` does.
   */
  forgetTokens(revoked: readonly string[]): Promise<void> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const tokens = Object.entries(known.tokens ?? {});
      const kept = tokens.filter(([, { hash }]) => !revoked.includes(fingerprint(hash)));
      if (kept.length === tokens.length) return;
      const gone = tokens.flatMap(([name]) => (kept.some(([other]) => other === name) ? [] : [name]));
      for (const name of gone) this.#revoked.add(name);
      try {
        await this.#write({ ...known, tokens: Object.fromEntries(kept) });
      } catch {
        return;
      }
      for (const name of gone) this.#revoked.delete(name);
    });
  }

  /** Every token that counts, while the sealed file is open. */
  tokens(): Token[] {
    const kept = Object.entries(this.#secrets?.tokens ?? {});
    return kept.flatMap(([name, { hash: _kept, ...told }]) => (this.#revoked.has(name) ? [] : [{ name, ...told }]));
  }

  /** Whose a token is that was handed in, or null where it is none. Takes as long whatever it is. */
  holderOf(token: string): TokenHolder | null {
    const given = hashOf(token);
    let found: TokenHolder | null = null;
    for (const [name, { hash, rights }] of Object.entries(this.#secrets?.tokens ?? {})) {
      const isIt = timingSafeEqual(given, Buffer.from(hash, 'hex'));
      const now = () => {
        const kept = this.#revoked.has(name) ? undefined : this.#secrets?.tokens?.[name];
        return kept?.hash === hash ? kept : null;
      };
      if (isIt && now() !== null) found = { name, rights, may: () => consoleRights(now()?.rights ?? '') };
    }
    return found;
  }

  /**
   * Seals what is secret of ways of alerts, by name, each for one server alone; null takes it away. Returns what puts that of before back,
   * which throws DeskError `keys_replaced`. Throws as `load` does.
   */
  keepWaySecrets(changes: WaySecrets): Promise<KeptSecrets['takeBackWays']> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const kept = { ...known, alertWays: withWays(known, changes) };
      if (kept.alertWays !== known.alertWays) await this.#write(kept);
      return () => this.#takeBack(known, kept);
    });
  }

  /** Seals what somebody gave with something that waits for a second person. Throws as `load` does, and `key_locked`. */
  keepAsked(id: string, given: string): Promise<void> {
    return this.#changes.run(async () => {
      const known = await this.load();
      await this.#write({ ...known, asked: { ...known.asked, [id]: given } });
    });
  }

  /** What was given with it; null where nothing is kept. */
  asked(id: string): string | null {
    return this.#secrets?.asked?.[id] ?? null;
  }

  /** Forgets what was given with all but these, as they are once its turn comes. Throws as `keepAsked` does. */
  keepOnlyAsked(wanted: () => readonly string[]): Promise<void> {
    return this.#changes.run(async () => {
      const known = await this.load();
      const ids = wanted();
      const kept = Object.entries(known.asked ?? {}).filter(([id]) => ids.includes(id));
      if (kept.length === Object.keys(known.asked ?? {}).length) return;
      await this.#write({ ...known, asked: Object.fromEntries(kept) });
    });
  }

  /** What is secret of a way of alerts; null where none is kept for this server, or the sealed file was not opened. */
  waySecret(name: string, server: string): string | null {
    const kept = this.#secrets?.alertWays?.[name];
    return kept?.server === server ? kept.secret : null;
  }

  /** The key to the service at this address; none while the sealed file was not opened. */
  serviceKeyOf(url: string): string | undefined {
    return this.#secrets?.serviceKeys[new URL(url).origin];
  }

  /** Every word of these that must not be told. */
  secrets(): string[] {
    const { counterparties = {}, serviceKeys = {}, alertWays = {} } = this.#secrets ?? {};
    const ofWays = Object.values(alertWays).map(({ secret }) => secret);
    const urls = [...Object.values(this.#seals.known()), ...ofWays.filter((secret) => URL.canParse(secret))].map(
      partsOf,
    );
    return [
      ...ofWays,
      ...Object.values(counterparties)
        .flatMap((keys) => [keys, ...(keys.earlier === undefined ? [] : [keys.earlier])])
        .flatMap(({ accessKey, secretKey }) => [accessKey, secretKey]),
      ...Object.values(serviceKeys),
      ...urls.flatMap(({ login, path, query }) => [...login, ...path, ...query]),
    ];
  }

  /** The fingerprint of each key to a service, by origin. */
  serviceKeyPrints(): Map<string, string> {
    const keys = Object.entries(this.#secrets?.serviceKeys ?? {});
    return new Map(keys.map(([origin, key]) => [origin, fingerprint(key)]));
  }

  /** Who may call, by domain. */
  counterparties(configured: readonly CounterpartyConfig[]): Map<string, Counterparty> {
    return counterpartiesOf(configured, this.#secrets?.counterparties ?? {});
  }

  /** The credentials of the counterparties as they are kept, by domain. */
  get kept(): Readonly<Record<string, CounterpartyKeys>> {
    return this.#secrets?.counterparties ?? {};
  }

  /** Calls the listener when something that is sealed is another. */
  onChange(listener: () => void): void {
    this.#changed.subscribe(listener);
  }

  /** Whether a counterparty's keys are these very two. */
  has({ domain, accessKey, secretKey }: CounterpartySecrets): boolean {
    const kept = this.#secrets?.counterparties[domain];
    return kept?.accessKey === accessKey && kept.secretKey === secretKey;
  }

  /** Tells two secrets apart without showing any; null when none is kept for the domain. */
  fingerprintOf(domain: string): string | null {
    const kept = this.#secrets?.counterparties[domain];
    return kept === undefined ? null : fingerprint(kept.secretKey);
  }

  /** The same of its access key. */
  accessPrintOf(domain: string): string | null {
    const kept = this.#secrets?.counterparties[domain];
    return kept === undefined ? null : fingerprint(kept.accessKey);
  }

  /** The same of the earlier keys that are still taken; null where there are none. */
  earlierFingerprintOf(domain: string): string | null {
    const kept = this.#secrets?.counterparties[domain]?.earlier;
    return kept === undefined ? null : fingerprint(kept.secretKey);
  }

  /** The desk file with its secrets; earlier keys are no part of it. Throws as `load` does. */
  async withSecrets(desk: DeskFile): Promise<DeskFile> {
    const { counterparties, serviceKeys } = await this.load();
    return {
      ...desk,
      chains: desk.chains.map((chain) => withUrls(chain, (url) => this.#seals.whole(url))),
      ...(Object.keys(serviceKeys).length > 0 && { serviceKeys }),
      counterparties: desk.counterparties.map((open) => {
        const { accessKey, secretKey } = counterparties[open.domain] ?? {};
        return { ...open, accessKey, secretKey };
      }),
    };
  }

  async #write(secrets: Secrets): Promise<void> {
    const write = await this.#sealed(secrets);
    await write();
  }

  /** Seals them. Returns what writes them; then they count. */
  async #sealed(secrets: Secrets): Promise<() => Promise<void>> {
    const write = await sealSecrets(this.#folder, await this.#passphrase(), secrets);
    return async () => {
      await write();
      this.#secrets = secrets;
      this.#changed.emit();
    };
  }
}

/**
 * Who may call, by domain. A counterparty whose secret is not among `keys` stays in the list with keys that nobody knows, so
 * that a lost file never opens the surface to unsigned requests.
 */
export function counterpartiesOf(
  configured: readonly CounterpartyConfig[],
  keys: Readonly<Record<string, CounterpartyKeys>>,
): Map<string, Counterparty> {
  const unknown = () => randomBytes(32).toString('hex');
  const entries = configured.map(({ domain, signedPath, oneOrderPerSignature, addresses, proxies }) => {
    const kept = Object.hasOwn(keys, domain) ? keys[domain] : undefined;
    return [
      domain,
      {
        accessKey: kept?.accessKey ?? unknown(),
        secretKey: kept?.secretKey ?? unknown(),
        earlier: kept?.earlier,
        signedPath,
        oneOrderPerSignature,
        addresses,
        proxies,
      },
    ] as const;
  });
  return new Map(entries);
}

/** What becomes of the keys of a counterparty that newer ones take the place of, or took it before. */
export type EarlierKeys = { readonly domain: string; readonly keys: 'keep' | 'end' };

/** What is secret of ways of alerts, by name; null takes it away. */
type WaySecrets = ReadonlyMap<string, WaySecret | null>;

/** What is to be kept, and whose earlier keys are. */
type Given = Parameters<Credentials['keep']>;

/** Secrets that were kept: the fingerprint of each, and what puts those of before back. Throws DeskError `keys_replaced`. */
export interface KeptSecrets {
  readonly fingerprints: Record<string, string>;
  readonly takeBack: () => Promise<void>;
  /** The same of the ways of alerts alone, where all else was changed. */
  readonly takeBackWays: () => Promise<void>;
}

/** `now` with what stands in `before` in the place of what `kept` has other than that, or no more, where it still is so. */
function takenBack<V>(before: Record<string, V>, kept: Record<string, V>, now: Record<string, V>): Record<string, V> {
  const was = new Map(Object.entries(before));
  const given = new Map(Object.entries(kept));
  const is = new Map(Object.entries(now));
  const names = new Set([...was.keys(), ...is.keys()]);
  const back = [...names].flatMap((name) => {
    const value = isDeepStrictEqual(is.get(name), given.get(name)) ? was.get(name) : is.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(back);
}

/** What is secret of the ways with these changes; the very same where nothing is another. */
function withWays({ alertWays }: Secrets, changes: WaySecrets): Secrets['alertWays'] {
  const kept = new Map(Object.entries(alertWays ?? {}));
  for (const [name, secret] of changes) {
    if (secret === null) kept.delete(name);
    else kept.set(name, secret);
  }
  const changed = Object.fromEntries(kept);
  return isDeepStrictEqual(changed, alertWays ?? {}) ? alertWays : changed;
}

/** New keys beside those that they take the place of, where those go on being taken; the same keys once more change nothing. */
function renewed(known: CounterpartyKeys | undefined, keys: CounterpartyKeys, isKept: boolean): CounterpartyKeys {
  if (known === undefined) return keys;
  const { accessKey, secretKey } = known;
  if (accessKey === keys.accessKey && secretKey === keys.secretKey) return known;
  return isKept ? { ...keys, earlier: { accessKey, secretKey } } : keys;
}

function noSuchToken(name: string): DeskError {
  return new DeskError('no_such_token', `There is no token ${name}.`, { remedy: 'See makerdesk token list.' });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type KeptUrl = readonly [mark: string, url: string];

function unkept({ urls = {} }: Secrets, found: readonly KeptUrl[]): KeptUrl[] {
  return found.filter(([mark]) => urls[mark] === undefined);
}

function withKept(secrets: Secrets, added: readonly KeptUrl[]): Secrets {
  return added.length === 0 ? secrets : { ...secrets, urls: { ...secrets.urls, ...Object.fromEntries(added) } };
}

/** The sealed URLs of a desk file, each with its place. */
function markedUrls({ chains }: DeskFile): { path: string; origin: string; mark: string }[] {
  return chains.flatMap((chain, index) =>
    urlsOf(chain).flatMap(({ path, url }) => {
      const mark = markOf(url);
      return mark === null ? [] : [{ path: `chains[${index}].${path}`, origin: new URL(url).origin, mark }];
    }),
  );
}
