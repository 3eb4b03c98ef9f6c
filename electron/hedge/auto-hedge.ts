import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { expectSeen } from '../book/changed-meanwhile.ts';
import type { AutoHedgeRow } from '../contract/hedge.ts';
import type { AutoHedge } from '../contract/hedge-terms.ts';
import { isDollarToken } from '../journal/book/listed-tokens.ts';
import type { StoredAutoHedge } from '../journal/hedges/fold.ts';
import { type HedgeRecord, hedgeGasUsd } from '../journal/hedges/fold.ts';
import type { ReadAutoHedge } from '../journal/hedges/read.ts';
import type { OpenFill } from '../journal/hedges/share-hedge.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { ceil, fromRaw, toRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { coveredWords } from './closes-position.ts';
import { coveringHedges, type FillToHedge, fillsMakingUp, MOST_FILLS, openFills } from './fills-to-hedge.ts';
import type { HedgeEngine } from './hedge-engine.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';
import { hedgeToken } from './hedge-tokens.ts';
import { promisedWords } from './most-taken.ts';
import { boundOfMid, freshMid, lostAgainst, USUAL_DISTANCE_BPS } from './reference-distance.ts';
import { FIRST_AUTOMATIC, kindOf } from './venues/venues.ts';

/** Positions are looked at this often beside every fill. */
const EVERY_MS = 5_000;
const AFTER_FILL_MS = 300;
/** After a hedge that came to nothing its pair is left alone for so long, twice as long after each further one, at most an hour. */
const AFTER_FAILURE_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MOST_SENTENCE = 500;
const OFF: AutoHedge = {
  on: false,
  threshold: '0',
  capPerDay: '0',
  slippageBps: 50,
  maxDistanceBps: USUAL_DISTANCE_BPS,
  lossCapPerDay: '0',
  mode: FIRST_AUTOMATIC,
  dryRun: true,
};

/** An alert as the journal has it. */
type WrittenAlert = NonNullable<NonNullable<StoredAutoHedge['said']>['alert']>;

/** What is open of a pair, raw base units with sign, and beside it what hedges that are under way may still close. */
interface Unhedged {
  net: bigint;
  open: OpenFill[];
  /** Fills of another token, which is the base of the pair no more: they are left out. */
  others: FillToHedge[];
  closing: { net: bigint; hedges: HedgeRecord[] };
}

/** Something about a pair that is hedged by itself which a person has to look at. `in_parts`: it is hedged, and not all of it at once. */
export interface AutoHedgeAlert {
  chainId: number;
  pair: string;
  kind: 'stopped' | 'refused' | 'in_parts';
  sentence: string;
}

/**
 * Hedges pairs by itself: off until a person switches it on, from then on for fills after that, never while the desk is
 * halted, one of its hedges of a pair at a time, no more a day than its cap, nothing that signed quotes or other hedges promise, no fill
 * that an order may still close whose hedge has ended, and never without a fresh reference or further from it than its pair allows. What it loses against the reference switches it off. It runs beside the quoting and delays none of it.
 */
export class AutoHedger {
  readonly #parts: HedgeParts;
  readonly #engine: HedgeEngine;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  readonly #turns = new SerialQueue();
  #stopped = false;
  /** Who set a pair last, since this desk started. */
  readonly #setBy = new Map<string, string>();
  #alerts: AutoHedgeAlert[] = [];

  constructor(parts: HedgeParts, engine: HedgeEngine) {
    this.#parts = parts;
    this.#engine = engine;
  }

  start(): void {
    this.#parts.journal.onAppended((events) => {
      if (events.some(({ kind }) => kind === 'fill' || kind === 'auto_hedge_set')) this.#lookSoon();
    });
    this.#timer = setInterval(() => this.#lookSoon(), EVERY_MS);
    this.#timer.unref();
    this.#lookSoon();
  }

  /** What a person has to look at, as it was a moment ago. */
  alerts(): readonly AutoHedgeAlert[] {
    return this.#alerts;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    await this.#turns.over();
  }

  /** `seen`: how whoever sets it anew saw it set. Throws DeskError `unknown_pair`, `bad_terms`, FaultyInput `changed_meanwhile`. */
  async set(chainId: number, pair: string, settings: AutoHedge, actor: string, seen?: AutoHedge): Promise<void> {
    const { book, journal, now } = this.#parts;
    if (book.chain(chainId)?.pairs.get(pair) === undefined) {
      throw new DeskError('unknown_pair', `${pair} is not a pair of chain ${chainId}.`);
    }
    if (kindOf(settings.mode)?.automatic == null) {
      throw new DeskError('bad_terms', `Nothing is hedged by ${settings.mode} without a person.`);
    }
    if (settings.on && [settings.threshold, settings.capPerDay].some((text) => /^[0.]*$/.test(text))) {
      throw new DeskError('bad_terms', 'Automatic hedging needs a threshold and a cap a day above zero.');
    }
    // A look that is under way ends first: after the answer nothing is placed by what was set before.
    await this.#turns.run(async () => {
      const known = (await journal.read.autoHedges()).find((one) => one.chainId === chainId && one.pair === pair);
      const by = this.#setBy.get(`${chainId} ${pair}`) ?? null;
      expectSeen(`Automatic hedging of ${pair}`, { seen, now: known?.settings ?? OFF, by });
      const stood = this.#alerts.some((alert) => alert.chainId === chainId && alert.pair === pair);
      await journal.append({ time: now(), actor, kind: 'auto_hedge_set', body: { chainId, pair, settings } });
      this.#setBy.set(`${chainId} ${pair}`, actor);
      // A person has seen why it stopped.
      if (stood) await this.#say({ chainId, pair }, `${actor} set it again.`, '0');
    });
  }

  /** Every pair of the book; with `set` only those that are hedged automatically, or would be in a dry run. */
  async rows({ set = false }: { set?: boolean | undefined } = {}): Promise<AutoHedgeRow[]> {
    const { book, journal } = this.#parts;
    const stored = new Map((await journal.read.autoHedges()).map((one) => [`${one.chainId} ${one.pair}`, one]));
    const rows = book.chains().flatMap((chain) =>
      [...chain.pairs.values()].flatMap((pair) => {
        const known = stored.get(`${chain.chainId} ${pair.id}`);
        return set && known?.settings?.on !== true ? [] : [this.#row(chain, pair, known)];
      }),
    );
    return Promise.all(rows);
  }

  async #row({ chainId }: ChainBook, pair: BookPair, known: ReadAutoHedge | undefined): Promise<AutoHedgeRow> {
    const [unhedged, hedgedToday, lost] = await Promise.all([
      this.#unhedged(chainId, pair, known?.sinceSeq ?? 0),
      this.#hedgedToday(chainId, pair),
      this.#lostToday(chainId, pair),
    ]);
    const said = known?.said;
    return {
      chainId,
      pair: pair.id,
      base: hedgeToken(this.#parts, chainId, pair.base.address),
      settings: known?.settings ?? OFF,
      since: known?.since ?? null,
      unhedged: `${unhedged.net}`,
      hedgedToday: `${hedgedToday}`,
      quote: hedgeToken(this.#parts, chainId, pair.quote.address),
      lostToday: boundedSigned(lost),
      stopped: known?.settings === null || (known?.settings.on === false && said?.alert === 'stopped'),
      last: said ? { time: said.time, sentence: said.sentence, hedgeSeq: said.hedgeSeq } : null,
    };
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      void this.#turns.run(() => this.#look());
    }, AFTER_FILL_MS).unref();
  }

  async #look(): Promise<void> {
    const { journal, book, log } = this.#parts;
    try {
      const autos = await journal.read.autoHedges();
      this.#alerts = autos.flatMap(alertOf);
      for (const auto of autos) {
        const chain = book.chain(auto.chainId);
        const { settings } = auto;
        if (settings?.on !== true || chain === undefined || this.#stopped) continue;
        const readable = { ...auto, settings };
        await this.#lookAt(chain, readable).catch((error: unknown) =>
          this.#sayOnce(readable, `Not hedged: ${sentenceOf(error)}`, 0n, 'refused'),
        );
      }
      if (!this.#stopped) this.#alerts = (await journal.read.autoHedges()).flatMap(alertOf);
    } catch (error) {
      log.warn('automatic hedging could not look at the positions', { error: sentenceOf(error) });
    }
  }

  async #lookAt(chain: ChainBook, auto: StoredAutoHedge): Promise<void> {
    const { chainId, pair: id, settings, sinceSeq } = auto;
    const pair = chain.pairs.get(id);
    if (pair === undefined || pair.fault !== null || isHalted(this.#parts, chainId)) return;
    const { decimals, symbol } = pair.base;
    const [cap, lost] = [toRaw(settings.lossCapPerDay, pair.quote.decimals), await this.#lostToday(chainId, pair)];
    if (cap > 0n && lost >= cap) return this.#switchOff(auto, pair, lost);
    const { net, open, others, closing } = await this.#unhedged(chainId, pair, sinceSeq ?? 0);
    const leftOut = leftOutWords(pair, others);
    const say = (sentence: string, alert?: WrittenAlert) =>
      this.#sayOnce(auto, `${leftOut}${sentence}`, net, leftOut === '' ? alert : 'refused');
    const size = sizeOf(net);
    const threshold = toRaw(settings.threshold, decimals);
    const isEnough = (raw: bigint) => raw !== 0n && raw >= threshold;
    const wordsOf = (sells: boolean, raw: bigint) => `${sells ? 'sell' : 'buy'} ${fromRaw(raw, decimals)} ${symbol}`;
    // A person's hedge keeps its own fills alone.
    const isOurs = ({ opened }: HedgeRecord) => opened.automatic && opened.chainId === chainId && opened.pair === id;
    const running = this.#engine.log.all().find(isOurs);
    if (running !== undefined) {
      const why = this.#whyLong(running);
      // Of one that is on its way it was said that it began.
      return isEnough(size) && why !== null
        ? say(`It waits for hedge ${running.seq}, which ${why}.`, 'refused')
        : undefined;
    }
    if (!isEnough(size)) {
      const all = net + closing.net;
      if (closing.hedges.length > 0 && isEnough(sizeOf(all))) {
        const covered = coveredWords(closing.hedges, this.#parts.now());
        return say(`It waits to ${wordsOf(all > 0n, sizeOf(all))}. ${covered}`, 'refused');
      }
      if (leftOut !== '') return say('There is nothing else to hedge.');
      return auto.said?.alert === 'refused' ? say('There is nothing left to hedge.') : undefined;
    }
    const failed = await this.#failedLately(chainId, pair);
    if (failed !== null) return say(`Not hedged: the last one failed. ${failed}`, 'refused');
    const left = toRaw(settings.capPerDay, decimals) - (await this.#hedgedToday(chainId, pair));
    const allowed = size < left ? size : left;
    if (allowed <= 0n) return say(`The cap of ${settings.capPerDay} ${symbol} a day is reached.`);
    const { fillSeqs, amount: wanted } = fillsMakingUp(open, net, allowed);
    const whatOf = (raw: bigint) => wordsOf(net > 0n, raw);
    const what = whatOf(wanted);
    if (settings.dryRun) return say(`It would ${what} (${settings.mode}); this is a dry run.`);
    if (this.#parts.signerFor(chain.config.maker) === null) {
      return say(`It would ${what}, and this desk does not hold the key of the maker.`);
    }
    const mid = freshMid(this.#parts, chainId, id);
    const [srcToken, destToken] = net > 0n ? [pair.base, pair.quote] : [pair.quote, pair.base];
    const side = net > 0n ? ('SELL' as const) : ('BUY' as const);
    const free = this.#parts.guard.orders.of(chainId).hedgeable(chain, srcToken.address);
    if (free === null) return say(`Not hedged: how much ${srcToken.symbol} the maker has is not known now.`, 'refused');
    // Of what signed quotes and other hedges promise nothing is taken.
    const bound = { pair, sellsBase: net > 0n };
    const most = net > 0n ? wanted : boundOfMid(bound, { side, amount: `${wanted}` }, mid, settings.maxDistanceBps);
    const amount = most <= free ? wanted : net > 0n ? free : (wanted * free) / (most + 1n);
    if (amount < wanted && amount < threshold) {
      return say(`It waits to ${what}. ${promisedWords(srcToken.symbol)}`, 'refused');
    }
    const hedge = await this.#engine.place(
      {
        ask: {
          chainId,
          srcToken: srcToken.address,
          destToken: destToken.address,
          side,
          slippageBps: settings.slippageBps,
          amount: fromRaw(amount, decimals),
        },
        way: { mode: settings.mode },
        deadlineSeconds: 600,
        approval: 'permit',
        fillSeqs,
      },
      { actor: 'desk', confirmed: false, automatic: true },
    );
    const inParts =
      wanted === allowed
        ? leftOut
        : `${leftOut}Not everything is hedged at once: one hedge is for at most ${MOST_FILLS} fills, and ${open.length} are open. `;
    const began = `${inParts}It began to ${whatOf(amount)} (${settings.mode}).`;
    await this.#say(auto, began, `${net}`, { hedgeSeq: hedge.seq, alert: inParts === '' ? undefined : 'refused' });
  }

  /** Nothing is written while it would be the same again. */
  async #sayOnce(auto: StoredAutoHedge, sentence: string, net: bigint, alert?: WrittenAlert): Promise<void> {
    if (auto.said?.sentence !== sentence.slice(0, MOST_SENTENCE)) await this.#say(auto, sentence, `${net}`, { alert });
  }

  /** Off until a person switches it on again: what it lost is said with it. */
  async #switchOff(auto: StoredAutoHedge, { quote }: BookPair, lost: bigint): Promise<void> {
    const { journal, now } = this.#parts;
    const { chainId, pair, settings } = auto;
    const body = { chainId, pair, settings: { ...settings, on: false } };
    await journal.append({ time: now(), actor: 'desk', kind: 'auto_hedge_set', body });
    this.#setBy.set(`${chainId} ${pair}`, 'the desk');
    const sentence = `It is switched off: it lost ${fromRaw(lost, quote.decimals)} ${quote.symbol} against the reference today, and the limit is ${settings.lossCapPerDay}.`;
    await this.#say(auto, sentence, '0', { alert: 'stopped' });
  }

  async #say(
    { chainId, pair }: Pick<StoredAutoHedge, 'chainId' | 'pair'>,
    sentence: string,
    unhedged: string,
    { hedgeSeq = null, alert }: { hedgeSeq?: number | null; alert?: WrittenAlert | undefined } = {},
  ) {
    const { journal, now } = this.#parts;
    const about = { chainId, pair, sentence: sentence.slice(0, MOST_SENTENCE), unhedged, hedgeSeq };
    const body = { ...about, ...(alert !== undefined && { alert }) };
    await journal.append({ time: now(), actor: 'desk', kind: 'auto_hedge_said', body });
  }

  /** Why a hedge may run on for long; null where nothing says so. */
  #whyLong({ note, opened }: HedgeRecord): string | null {
    if (note !== null) return 'waits itself and says for what';
    return this.#parts.now() / 1_000 > opened.deadline ? 'is past its deadline' : null;
  }

  /** What is open of a pair; what is under way may still close the fills that are `closing`, which are left alone meanwhile. */
  async #unhedged(chainId: number, pair: BookPair, after: number): Promise<Unhedged> {
    const fills: FillToHedge[] = [];
    const others: FillToHedge[] = [];
    for await (const fill of openFills(this.#parts.journal, { chainId, pair: pair.id, after })) {
      (fill.asset === pair.base.address ? fills : others).push(fill);
    }
    // Asked after the fills were read: a hedge that ended meanwhile is among these.
    const hedges = coveringHedges(await this.#engine.underWay(), fills);
    const isClosing = (fill: FillToHedge) => coveringHedges(hedges, [fill]).length > 0;
    const closing = fills.filter(isClosing);
    const open = fills.filter((fill) => !isClosing(fill));
    return { net: netOf(open), open, others, closing: { net: netOf(closing), hedges } };
  }

  async #hedgedToday(chainId: number, pair: BookPair): Promise<bigint> {
    const hedges = await this.#ofBase(chainId, pair, this.#today());
    const live = new Set((await this.#engine.underWay()).map(({ seq }) => seq));
    return hedges.reduce((sum, hedge) => sum + baseOf(hedge, live.has(hedge.seq)), 0n);
  }

  /**
   * Raw quote units lost today against the reference, gas included where the quote token is a dollar. What was traded while the tokens of
   * the pair had other addresses or decimals counts by whole tokens, and as a loss alone: what was gained in others is no room to lose here.
   */
  async #lostToday(chainId: number, pair: BookPair): Promise<bigint> {
    const sums = new Map<string, bigint>();
    for (const hedge of await this.#automatic(chainId, pair.id, this.#today())) {
      const traded = tradedBy(hedge);
      const tokens = tokensText(traded);
      sums.set(tokens, (sums.get(tokens) ?? 0n) + lossOf(hedge, traded, pair.quote.decimals));
    }
    const own = tokensText(pair);
    return [...sums].reduce((sum, [tokens, lost]) => (tokens === own || lost > 0n ? sum + lost : sum), 0n);
  }

  /** When this day began, Unix milliseconds. */
  #today(): number {
    return Math.floor(this.#parts.now() / DAY_MS) * DAY_MS;
  }

  /** Why the last one came to nothing; null when it did not, or long enough ago. It failed, or a person gave it up: what is tried again and again may cost gas each time. */
  async #failedLately(chainId: number, pair: BookPair): Promise<string | null> {
    const now = this.#parts.now();
    const ended = (await this.#ofBase(chainId, pair, now - DAY_MS)).sort((a, b) => b.seq - a.seq);
    const good = ended.findIndex(({ state }) => state === 'done');
    const failures = good < 0 ? ended.length : good;
    const last = ended[0]?.endedAt ?? 0;
    const rests = failures > 0 && now - last < Math.min(AFTER_FAILURE_MS * 2 ** (failures - 1), LONGEST_REST_MS);
    return rests ? (ended[0]?.note ?? '') : null;
  }

  /** Those of the base token that the pair has now: amounts of another one are no part of its cap. */
  async #ofBase(chainId: number, { id, base }: BookPair, since: number): Promise<HedgeRecord[]> {
    const hedges = await this.#automatic(chainId, id, since);
    return hedges.filter((hedge) => tradedBy(hedge).base.address === base.address);
  }

  async #automatic(chainId: number, pair: string, since: number): Promise<HedgeRecord[]> {
    const hedges = await this.#parts.journal.read.automaticHedges(since);
    return hedges.filter(({ opened }) => opened.chainId === chainId && opened.pair === pair);
  }
}

/** What a person is told of fills that are hedged by hand alone; nothing where there are none. */
function leftOutWords({ id }: BookPair, others: readonly FillToHedge[]): string {
  const [first] = others;
  if (first === undefined) return '';
  const [fills, are] = others.length === 1 ? ['fill', 'is'] : ['fills', 'are'];
  return `${others.length} open ${fills} of ${id} ${are} of ${first.asset}, which is no longer its base token, so left out: hedge by hand. `;
}

function netOf(fills: readonly OpenFill[]): bigint {
  return fills.reduce((sum, { open }) => sum + open, 0n);
}

function sizeOf(net: bigint): bigint {
  return net < 0n ? -net : net;
}

/** Base that counts against the cap: all that was placed while it is under way, afterwards what was traded. */
function baseOf({ opened, endedAt, spent, received }: HedgeRecord, isUnderWay: boolean): bigint {
  if (isUnderWay || endedAt === null) return BigInt(opened.amount);
  return BigInt(opened.side === 'SELL' ? spent : received);
}

/** What a reader is given: no reference, however wrong, makes the row too long to be shown. */
function boundedSigned(raw: bigint): string {
  return raw < 0n ? `-${boundedAmount(-raw)}` : boundedAmount(raw);
}

function alertOf({ chainId, pair, settings, said }: ReadAutoHedge): AutoHedgeAlert[] {
  if (settings === null) return [{ chainId, pair, kind: 'stopped', sentence: 'Its settings cannot be read.' }];
  if (said?.alert === undefined || settings.on !== (said.alert === 'refused')) return [];
  // What placed a hedge refused a part alone.
  const kind = said.hedgeSeq === null ? said.alert : 'in_parts';
  return [{ chainId, pair, kind, sentence: said.sentence }];
}

/** The two tokens of an automatic hedge, as they were listed when it was placed: its amount is one of the base. */
function tradedBy({ opened: { side, src, dest } }: HedgeRecord) {
  return side === 'SELL' ? { base: src, quote: dest } : { base: dest, quote: src };
}

/** What tells tokens of one name apart: amounts of theirs do not add up. */
function tokensText({ base, quote }: ReturnType<typeof tradedBy> | BookPair): string {
  return [base, quote].map(({ address, decimals }) => `${address} ${decimals}`).join(' ');
}

/**
 * What one automatic hedge lost of its quote token, in units of so many decimals. One that has given and not got yet is not counted
 * before its end.
 */
function lossOf(hedge: HedgeRecord, traded: ReturnType<typeof tradedBy>, decimals: number): bigint {
  const { opened, endedAt } = hedge;
  const [spent, received] = [BigInt(hedge.spent), BigInt(hedge.received)];
  const usd = isDollarToken(traded.quote.symbol) ? hedgeGasUsd(hedge) : null;
  const unit = 10n ** BigInt(decimals);
  const gas = usd === null ? 0n : ceil({ n: usd.n * unit, d: usd.d });
  if (opened.referenceMid === undefined || (endedAt === null && (spent === 0n || received === 0n))) return gas;
  const { address: src } = opened.src;
  const lost = lostAgainst({ src, spent, received, mid: opened.referenceMid, pair: traded });
  return gas + ceil({ n: lost * unit, d: 10n ** BigInt(traded.quote.decimals) });
}
