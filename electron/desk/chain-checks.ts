import { randomBytes } from 'node:crypto';
import type { ChainBook } from '../book/chain-book.ts';
import type { ChainNodes } from '../book/url-seals.ts';
import type { ChainCheck } from '../chain/chain-check.ts';
import { checkChain } from '../chain/check-chain.ts';
import { checkHoldings } from '../chain/check-holdings.ts';
import { checkMaker, type MakerCheck } from '../chain/check-maker.ts';
import { faultReason } from '../chain/node-fault.ts';
import { proveSignature } from '../chain/signature-proof.ts';
import type { Scope } from '../contract/trading.ts';
import { paidTokens } from '../guard/chain-guard.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import type { Signable } from '../protocol/signable.ts';
import { inForm, type SigningForm } from '../protocol/signing-form.ts';
import type { Token } from '../protocol/wire.ts';
import type { Signer } from '../signer/signer.ts';
import { pause } from '../time/pause.ts';
import { isPracticeChain } from './practice-chain.ts';
import type { Rooms } from './rooms.ts';

/** How long until checks that did not pass are made again. */
const AGAIN_MS = 5_000;
/** How often a maker that is a contract is asked again whether it stands by our key: its owners may change that any time. */
const MAKER_EVERY_MS = 10_000;
/** How often tokens are asked again whether they are what the book says: a contract behind a proxy may become another one. */
const TOKENS_EVERY_MS = 120_000;
/** A node is not waited for longer where a person waits for the outcome. */
const PATIENCE_MS = 5_000;

/** The key as the checks find it; `unopened` where it is there, and nobody gave the passphrase. */
type CheckedKey = { signer: Signer } | { missing: string } | { unopened: string };

interface CheckedKeys {
  current(): CheckedKey | Promise<CheckedKey>;
  onChange(listener: () => void): void;
}

/**
 * What must hold before anything goes LIVE, and stays watched until it does: the signer is there and binds the maker, each
 * chain is the one the desk file means, each token what the book says of it. What failed closes its own scope: a token its
 * pairs, a chain itself; the desk is halted where nothing is left that could trade. A node that does not answer keeps
 * closed what was not proven, until it does.
 */
export class ChainChecks {
  readonly #rooms: Pick<Rooms, 'book' | 'guard' | 'log'>;
  readonly #keys: CheckedKeys;
  readonly #makerEveryMs: number;
  readonly #tokensEveryMs: number;
  readonly #practice: boolean;
  readonly #outcomes = new Map<number, readonly ChainCheck[]>();
  readonly #forms = new Map<string, SigningForm>();
  readonly #stop = new AbortController();
  #off: () => void = () => {};
  readonly #rounds = new SerialQueue();
  #watching: Promise<unknown> = Promise.resolve();
  #waiting = false;
  /** Chains whose round has not begun yet. */
  readonly #asking = new Set<number>();
  /** Counts what makes answers to earlier questions void: imports, other keys, and a chain that is set anew. */
  #configured = 0;
  readonly #set = new Map<number, number>();

  /** `practice`: beside a practice market, where any taker may be named as long as there is no list. */
  constructor(
    rooms: Pick<Rooms, 'book' | 'guard' | 'log'>,
    keys: CheckedKeys,
    { makerEveryMs = MAKER_EVERY_MS, tokensEveryMs = TOKENS_EVERY_MS, practice = false } = {},
  ) {
    this.#rooms = rooms;
    this.#keys = keys;
    this.#makerEveryMs = makerEveryMs;
    this.#tokensEveryMs = tokensEveryMs;
    this.#practice = practice;
  }

  /** Every check that did not pass, by chain. */
  faults(): { chainId: number; check: ChainCheck }[] {
    return [...this.#outcomes].flatMap(([chainId, checks]) =>
      checks.filter((check) => !isWell(check)).map((check) => ({ chainId, check })),
    );
  }

  /** Makes all checks: now, after each import, of a chain that is set anew, when the key changed, and of each token that is new. Resolves when the first round is through. */
  start(): Promise<void> {
    const offSettings = this.#rooms.book.onSettings((chainId) => {
      if (chainId === null) return;
      this.#set.set(chainId, (this.#set.get(chainId) ?? 0) + 1);
      this.#outcomes.delete(chainId);
      this.#rooms.guard.chainUnchecked(chainId);
      void this.#look([chainId]);
    });
    const offChanges = this.#rooms.book.onChange((chainId) => {
      if (chainId === null) void this.#begin();
      else if (!this.#waiting && !this.#asking.has(chainId) && this.#hasNewToken(chainId)) void this.#look([chainId]);
    });
    this.#off = () => {
      offSettings();
      offChanges();
    };
    this.#keys.onChange(() => void this.#begin());
    this.#watching = Promise.all([
      this.#watch(this.#makerEveryMs, () => this.#askMakers()),
      this.#watch(this.#tokensEveryMs, () => this.#askTokens()),
    ]);
    return this.#begin();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#off();
    await this.#watching;
    await this.#rounds.over();
  }

  /**
   * Makes the checks of these chains anew, now, and has their outcome in force: what fails is closed, what passes opens.
   * Resolves to what each chain was found to be.
   */
  async again(chainIds: readonly number[]): Promise<ReadonlyMap<number, readonly ChainCheck[]>> {
    await this.#look(chainIds);
    return new Map(chainIds.map((chainId) => [chainId, this.#outcomes.get(chainId) ?? []]));
  }

  /** Asks the chain about one token, as it is to be saved. One that passed may be traded as soon as the book has it. */
  async examineToken(chain: ChainBook, tokenId: string, token: Token): Promise<ChainCheck> {
    const { chainId, rfqContract, maker } = chain.config;
    const tokens = { [tokenId]: token };
    const checks = await checkChain({
      ...this.#nodesOf(chain),
      chainId,
      rfqContract,
      maker,
      tokens,
      timeoutMs: PATIENCE_MS,
    });
    const found = checks.find(({ scope }) => scope.kind === 'token');
    if (found === undefined) {
      const sentence = checks.find(({ outcome }) => outcome !== 'passed')?.sentence ?? 'The node did not answer.';
      return { name: `token ${tokenId}`, scope: { kind: 'token', tokenId }, outcome: 'unanswered', sentence };
    }
    if (found.outcome === 'passed') this.#rooms.guard.tokenChecked(chainId, token, null);
    return found;
  }

  /** What the maker holds and has approved on a chain, read now. What is resumed counts as switched on. */
  holdings(chain: ChainBook, resumed: Scope = {}): Promise<ChainCheck[]> {
    const { chainId, rfqContract, maker } = chain.config;
    const { guard } = this.#rooms;
    const needed = new Set([...chain.pairs.values()].flatMap(({ definition: { base, quote } }) => [base, quote]));
    const tokens = new Map([...chain.tokens].filter(([id]) => needed.has(id)));
    const paid = paidTokens(chain, (pair, side) => {
      const isResumed = resumed.pair === pair && (resumed.side ?? side) === side;
      return !isResumed && guard.isSwitchedOff({ chainId, pair, side });
    });
    return checkHoldings({
      ...this.#nodesOf(chain),
      chainId,
      rfqContract,
      maker,
      tokens,
      paid,
      timeoutMs: PATIENCE_MS,
    });
  }

  #nodesOf({ config }: Pick<ChainBook, 'config'>): ChainNodes {
    return this.#rooms.book.seals.nodes(config);
  }

  /**
   * What the key signs for the maker of a chain, as the maker's contract last said. Throws DeskError
   * `signing_form_unknown` where it has not said yet: such a chain is closed.
   */
  formOf({ config }: Pick<ChainBook, 'config'>): SigningForm {
    if (config.maker === config.signer) return 'raw';
    const form = this.#forms.get(formKey(config));
    if (form !== undefined) return form;
    throw new DeskError(
      'signing_form_unknown',
      `The maker contract ${config.maker} has not said what is to be signed.`,
    );
  }

  /** Everything begins anew: nothing that was found before says anything about the desk as it is now. */
  #begin(): Promise<void> {
    this.#configured += 1;
    this.#outcomes.clear();
    const { book, guard } = this.#rooms;
    const chainIds = book.chains().map(({ chainId }) => chainId);
    for (const chainId of chainIds) guard.chainUnchecked(chainId);
    return this.#look(chainIds);
  }

  #configuredOf(chainId: number): string {
    return `${this.#configured} ${this.#set.get(chainId) ?? 0}`;
  }

  #look(chainIds: readonly number[]): Promise<void> {
    for (const chainId of chainIds) this.#asking.add(chainId);
    return this.#inTurn(() => this.#checkAll(chainIds));
  }

  /** One round after another, so that an older answer never comes after a newer one. One that throws halts the desk, and the next goes on. */
  #inTurn(round: () => Promise<void>): Promise<void> {
    return this.#rounds.run(round).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#rooms.guard.trading.failed({}, error);
    });
  }

  async #checkAll(chainIds: readonly number[]): Promise<void> {
    if (this.#stop.signal.aborted) return;
    for (const chainId of chainIds) this.#asking.delete(chainId);
    const chains = this.#rooms.book.chains().filter(({ chainId }) => chainIds.includes(chainId));
    await Promise.all(chains.map((chain) => this.#check(chain)));
    this.#judge();
    if (this.faults().length > 0 && !this.#waiting) void this.#later();
  }

  async #later(): Promise<void> {
    this.#waiting = true;
    await pause(AGAIN_MS, this.#stop.signal, { ref: false });
    this.#waiting = false;
    const chains = this.#rooms.book.chains().map(({ chainId }) => chainId);
    const faulty = new Set(this.faults().map(({ chainId }) => chainId));
    // A token that came while this waited, on a chain that is well, has been asked about by nobody yet.
    await this.#look(chains.filter((chainId) => faulty.has(chainId) || this.#hasNewToken(chainId)));
  }

  async #check(chain: ChainBook): Promise<void> {
    const { chainId } = chain;
    const configured = this.#configuredOf(chainId);
    const before = this.#outcomes.get(chainId);
    const checks = await this.#examine(chain).catch((error: unknown) => [unmade(error)]);
    if (configured !== this.#configuredOf(chainId) || this.#stop.signal.aborted) return;
    this.#outcomes.set(chainId, checks);
    const { guard, log } = this.#rooms;
    for (const { scope, outcome, sentence } of checks) {
      const token = scope.kind === 'token' ? chain.tokens.get(scope.tokenId) : undefined;
      if (token === undefined || outcome === 'unanswered') continue;
      guard.tokenChecked(chainId, token, outcome === 'failed' ? sentence : null);
    }
    const ofChain = checks.filter(({ scope }) => scope.kind === 'desk' || scope.kind === 'chain');
    const failed = ofChain.filter(({ outcome }) => outcome === 'failed');
    if (failed.length > 0) guard.chainChecked(chainId, failed.map(({ sentence }) => sentence).join(' '));
    else if (ofChain.every(isWell)) guard.chainChecked(chainId, null);
    if (ofChain.every(isWell) && before === undefined) log.info('a chain passed its checks', { chainId });
  }

  /** The checks of a chain and its tokens; nothing follows from them here. */
  async #examine(chain: ChainBook): Promise<ChainCheck[]> {
    const { chainId, rfqContract, maker } = chain.config;
    const tokens = Object.fromEntries(chain.tokens);
    await this.#keys.current(); // a folder's sealed URLs are opened with its key
    const { secondRpcUrl } = chain.config;
    const second = secondRpcUrl && this.#rooms.book.seals.whole(secondRpcUrl);
    const ofChain = await checkChain({
      ...this.#nodesOf(chain),
      secondRpcUrl: second,
      chainId,
      rfqContract,
      maker,
      tokens,
    });
    const ofSigner = await this.#checkSigner(chain.config);
    return [
      ...ofChain,
      this.#checkTakers(chain),
      ...ofSigner,
      ...(await this.#proveSignature(chain, [...ofChain, ...ofSigner])),
    ];
  }

  /** Somebody has to have said whom the orders are for: whoever may name any taker can fill them himself. */
  #checkTakers({ config }: ChainBook): ChainCheck {
    const { takers } = config;
    const named = { name: 'takers', scope: { kind: 'chain' } } as const;
    const count = takers.length;
    if (count > 0) {
      const sentence = `Orders are signed for ${count} ${count === 1 ? 'taker' : 'takers'} only.`;
      return { ...named, outcome: 'passed', sentence };
    }
    if (this.#practice && isPracticeChain(config))
      return { ...named, outcome: 'warning', sentence: 'Any taker may be named.' };
    const sentence =
      'No taker is on the list, so anybody could have orders signed for a contract of their own. Take those that the ' +
      'service names (Service page, or "makerdesk takers"), or put them into the desk file.';
    return { ...named, outcome: 'failed', sentence };
  }

  async #watch(everyMs: number, ask: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await pause(everyMs, signal, { ref: false });
      await this.#inTurn(ask);
    }
  }

  /** Asks maker contracts that stood by our key whether they still do. One that is not answered for is left to the closures of its node. */
  async #askMakers(): Promise<void> {
    const contracts = this.#rooms.book
      .chains()
      .filter(({ chainId, config }) => config.maker !== config.signer && isProven(this.#outcomes.get(chainId)));
    await Promise.all(contracts.map((chain) => this.#askMaker(chain)));
  }

  async #askMaker(chain: ChainBook): Promise<void> {
    const { chainId, config } = chain;
    const asked = async () => {
      const ofSigner = await this.#checkSigner(config);
      return ofSigner.every(isWell) ? [...ofSigner, await this.#prove(config)] : ofSigner;
    };
    const checks = await asked().catch((error: unknown) => [unmade(error)]);
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    const before = this.#outcomes.get(chainId);
    if (failed.length === 0 || before === undefined || this.#stop.signal.aborted) return;
    const sentence = failed.map((check) => check.sentence).join(' ');
    this.#rooms.guard.chainChecked(chainId, sentence);
    this.#rooms.log.warn('a maker contract does not stand by the key any more', { chainId, error: sentence });
    this.#failedSince(chainId, before, failed);
  }

  /** Asks tokens again whether they are what the book says. One that is not answered for is left to the closures of its node. */
  async #askTokens(): Promise<void> {
    await Promise.all(this.#rooms.book.chains().map((chain) => this.#askTokensOf(chain)));
  }

  async #askTokensOf(chain: ChainBook): Promise<void> {
    const { chainId, rfqContract, maker } = chain.config;
    const configured = this.#configuredOf(chainId);
    const before = this.#outcomes.get(chainId);
    if (before === undefined) return;
    const tokens = Object.fromEntries(chain.tokens);
    const asked = { ...this.#nodesOf(chain), chainId, rfqContract, maker, tokens, timeoutMs: PATIENCE_MS };
    const checks = await checkChain(asked).catch(() => []);
    if (configured !== this.#configuredOf(chainId) || this.#stop.signal.aborted) return;
    const known = new Set(before.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name));
    const failed = checks.filter(({ name, outcome }) => outcome === 'failed' && !known.has(name));
    const ofTokens = failed.filter(({ scope }) => scope.kind === 'token');
    for (const { scope, sentence } of ofTokens) {
      const token = scope.kind === 'token' ? chain.tokens.get(scope.tokenId) : undefined;
      if (token === undefined) continue;
      this.#rooms.guard.tokenChecked(chainId, token, sentence);
      this.#rooms.log.warn('a token is not what the book says any more', { chainId, error: sentence });
    }
    if (ofTokens.length > 0) this.#failedSince(chainId, before, ofTokens);
  }

  /** What failed after a round that it passed is asked about again until it passes. */
  #failedSince(chainId: number, before: readonly ChainCheck[], failed: readonly ChainCheck[]): void {
    const names = new Set(failed.map(({ name }) => name));
    this.#outcomes.set(chainId, [...before.filter(({ name }) => !names.has(name)), ...failed]);
    if (!this.#waiting) void this.#later();
  }

  async #checkSigner(config: ChainBook['config']): Promise<ChainCheck[]> {
    const held = await this.#keys.current();
    const ofDesk = { name: 'signer', scope: { kind: 'desk' } } as const;
    if ('missing' in held) return [{ ...ofDesk, outcome: 'failed', sentence: held.missing }];
    if ('unopened' in held) return [{ ...ofDesk, outcome: 'unanswered', sentence: held.unopened }];
    const { signer } = held;
    const asked = checkMaker({
      ...config,
      ...this.#nodesOf({ config }),
      sign: (signable) => signer.sign(signable),
      randomHash: () => `0x${randomBytes(32).toString('hex')}`,
    });
    const { checks, form } = await asked.catch((error: unknown): MakerCheck => {
      if (!isDeskError(error, 'signer_silent') && !isDeskError(error, 'wrong_signature')) throw error;
      const outcome = error.code === 'signer_silent' ? 'unanswered' : 'failed';
      return { checks: [{ ...ofDesk, outcome, sentence: `${error.message} ${error.remedy}` }], form: null };
    });
    if (form !== null) this.#forms.set(formKey(config), form);
    return checks;
  }

  /** The RFQ contract takes what we sign: asked once what that rests on holds, for otherwise it would only say the same again. */
  async #proveSignature({ config }: ChainBook, before: readonly ChainCheck[]): Promise<ChainCheck[]> {
    const restsOn = ['chain_id', 'rfq_contract', 'signer', 'maker'];
    const holds = restsOn.every((name) => before.some((check) => check.name === name && check.outcome === 'passed'));
    return holds ? [await this.#prove(config)] : [];
  }

  #prove(config: ChainBook['config']): Promise<ChainCheck> {
    const sign = async (order: Signable) => {
      const held = await this.#keys.current();
      if (!('signer' in held)) throw new DeskError('no_keystore', 'unopened' in held ? held.unopened : held.missing);
      return held.signer.sign(inForm(this.formOf({ config }), config, order));
    };
    return proveSignature({ ...config, ...this.#nodesOf({ config }), sign, randomBytes });
  }

  #hasNewToken(chainId: number): boolean {
    const { book, guard } = this.#rooms;
    for (const token of book.chain(chainId)?.tokens.values() ?? []) {
      if (!guard.wasTokenChecked(chainId, token)) return true;
    }
    return false;
  }

  /** The desk may trade where at least one chain could; with none, it is halted until a person has mended it and resumes. */
  #judge(): void {
    const { guard, book } = this.#rooms;
    const failed = this.faults().filter(({ check }) => check.outcome === 'failed' && check.scope.kind !== 'token');
    const failedChains = new Set(failed.map(({ chainId }) => chainId));
    const chains = book.chains();
    if (failed.length === 0 || chains.some(({ chainId }) => !failedChains.has(chainId))) {
      guard.trading.checksPassed();
      return;
    }
    guard.trading.checksFailed(failed.map(({ chainId, check }) => `chain ${chainId}: ${check.sentence}`).join(' '));
  }
}

/** The same contract may be another wallet on another chain, and another key of it may sign in another form. */
function formKey({ chainId, maker, signer }: Pick<ChainBook['config'], 'chainId' | 'maker' | 'signer'>): string {
  return `${chainId}/${maker}/${signer}`;
}

/** A check that throws proves nothing: the chain is closed until one that does not. */
function unmade(error: unknown): ChainCheck {
  const sentence = `The self-check could not be made: ${faultReason(error)}`;
  return { name: 'self_check', scope: { kind: 'chain' }, outcome: 'failed', sentence };
}

/** Whether the chain itself passed everything; its tokens stand by themselves. */
function isProven(checks: readonly ChainCheck[] | undefined): boolean {
  return checks?.every((check) => check.scope.kind === 'token' || isWell(check)) ?? false;
}

function isWell({ outcome }: ChainCheck): boolean {
  return outcome === 'passed' || outcome === 'warning';
}
