import type { ChainBook } from '../book/chain-book.ts';
import type { AutoHedgeRow } from '../contract/hedge.ts';
import type { AutoHedge } from '../contract/hedge-terms.ts';
import type { HedgeRecord } from '../journal/hedge-record.ts';
import type { StoredAutoHedge } from '../journal/read-hedges.ts';
import { fromRaw, toRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { HedgeEngine } from './hedge-engine.ts';
import { type HedgeParts, sentenceOf } from './hedge-parts.ts';
import { isHalted } from './hedge-run.ts';
import { hedgeToken } from './hedge-tokens.ts';

/** Positions are looked at this often beside every fill. */
const EVERY_MS = 5_000;
const AFTER_FILL_MS = 300;
/** After a hedge that came to nothing its pair is left alone for so long, twice as long after each further one, at most an hour. */
const AFTER_FAILURE_MS = 60_000;
const LONGEST_REST_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MOST_FILLS = 500;
const MOST_SENTENCE = 500;
const OFF: AutoHedge = { on: false, threshold: '0', capPerDay: '0', slippageBps: 50, mode: 'market', dryRun: true };

/**
 * Hedges pairs by itself: off until a person switches it on, from then on for fills after that, never while the desk is
 * halted, one hedge of a pair at a time, and no more a day than its cap. It runs beside the quoting and delays none of it.
 */
export class AutoHedger {
  readonly #parts: HedgeParts;
  readonly #engine: HedgeEngine;
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

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
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    await this.#turn;
  }

  /** Throws DeskError `unknown_pair`, `bad_terms`. */
  async set(chainId: number, pair: string, settings: AutoHedge, actor: string): Promise<void> {
    const { book, journal, now } = this.#parts;
    if (book.chain(chainId)?.pairs.get(pair) === undefined) {
      throw new DeskError('unknown_pair', `${pair} is not a pair of chain ${chainId}.`);
    }
    if (settings.on && [settings.threshold, settings.capPerDay].some((text) => /^[0.]*$/.test(text))) {
      throw new DeskError('bad_terms', 'Automatic hedging needs a threshold and a cap a day above zero.');
    }
    // A look that is under way ends first: after the answer nothing is placed by what was set before.
    const write = () =>
      journal.append({ time: now(), actor, kind: 'auto_hedge_set', body: { chainId, pair, settings } });
    const mine = this.#turn.then(write);
    this.#turn = mine.then(
      () => {},
      () => {},
    );
    await mine;
  }

  /** Every pair of the book. */
  async rows(): Promise<AutoHedgeRow[]> {
    const { book, journal } = this.#parts;
    const stored = new Map((await journal.read.autoHedges()).map((one) => [`${one.chainId} ${one.pair}`, one]));
    const rows = book.chains().flatMap((chain) =>
      [...chain.pairs.values()].map(async (pair): Promise<AutoHedgeRow> => {
        const { chainId } = chain;
        const known = stored.get(`${chainId} ${pair.id}`);
        const [unhedged, hedgedToday] = await Promise.all([
          this.#unhedged(chainId, pair.id, known?.sinceSeq ?? 0),
          this.#hedgedToday(chainId, pair.id),
        ]);
        const said = known?.said;
        return {
          ...{ chainId, pair: pair.id, base: hedgeToken(this.#parts, chainId, pair.base.address) },
          ...{ settings: known?.settings ?? OFF, since: known?.since ?? null },
          ...{ unhedged: `${unhedged.net}`, hedgedToday: `${hedgedToday}` },
          last: said ? { time: said.time, sentence: said.sentence, hedgeSeq: said.hedgeSeq } : null,
        };
      }),
    );
    return Promise.all(rows);
  }

  #lookSoon(): void {
    if (this.#stopped) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = null;
      this.#turn = this.#turn.then(() => this.#look());
    }, AFTER_FILL_MS).unref();
  }

  async #look(): Promise<void> {
    const { journal, book, log } = this.#parts;
    try {
      for (const auto of await journal.read.autoHedges()) {
        const chain = book.chain(auto.chainId);
        if (!auto.settings.on || chain === undefined || this.#stopped) continue;
        await this.#lookAt(chain, auto).catch((error: unknown) =>
          this.#sayOnce(auto, `Not hedged: ${sentenceOf(error)}`, 0n),
        );
      }
    } catch (error) {
      log.warn('automatic hedging could not look at the positions', { error: sentenceOf(error) });
    }
  }

  async #lookAt(chain: ChainBook, auto: StoredAutoHedge): Promise<void> {
    const { chainId, pair: id, settings, sinceSeq } = auto;
    const pair = chain.pairs.get(id);
    if (pair === undefined || pair.fault !== null || isHalted(this.#parts, chainId) || this.#runs(chainId, id)) return;
    const { decimals, symbol } = pair.base;
    const { net, fillSeqs } = await this.#unhedged(chainId, id, sinceSeq ?? 0);
    const size = net < 0n ? -net : net;
    if (size === 0n || size < toRaw(settings.threshold, decimals)) return;
    if (await this.#failedLately(chainId, id)) return;
    const left = toRaw(settings.capPerDay, decimals) - (await this.#hedgedToday(chainId, id));
    const amount = size < left ? size : left;
    const what = `${net > 0n ? 'sell' : 'buy'} ${fromRaw(amount, decimals)} ${symbol}`;
    if (amount <= 0n) {
      return this.#sayOnce(auto, `The cap of ${settings.capPerDay} ${symbol} a day is reached.`, net);
    }
    if (settings.dryRun) {
      return this.#sayOnce(auto, `It would ${what} (${settings.mode}); this is a dry run.`, net);
    }
    if (this.#parts.signerFor(chain.config.maker) === null) {
      return this.#sayOnce(auto, `It would ${what}, and this desk does not hold the key of the maker.`, net);
    }
    const [srcToken, destToken] = net > 0n ? [pair.base, pair.quote] : [pair.quote, pair.base];
    const side = net > 0n ? ('SELL' as const) : ('BUY' as const);
    const hedge = await this.#engine.place(
      {
        ask: {
          ...{
            chainId,
            srcToken: srcToken.address,
            destToken: destToken.address,
            side,
            slippageBps: settings.slippageBps,
          },
          amount: fromRaw(amount, decimals),
        },
        ...{ way: { mode: settings.mode }, deadlineSeconds: 600, approval: 'permit', fillSeqs },
      },
      { actor: 'desk', confirmed: false, automatic: true },
    );
    await this.#say(auto, `It began to ${what} (${settings.mode}).`, `${net}`, hedge.seq);
  }

  /** Nothing is written while it would be the same again. */
  async #sayOnce(auto: StoredAutoHedge, sentence: string, net: bigint): Promise<void> {
    if (auto.said?.sentence !== sentence.slice(0, MOST_SENTENCE)) await this.#say(auto, sentence, `${net}`);
  }

  async #say({ chainId, pair }: StoredAutoHedge, sentence: string, unhedged: string, hedgeSeq: number | null = null) {
    const { journal, now } = this.#parts;
    const body = { chainId, pair, sentence: sentence.slice(0, MOST_SENTENCE), unhedged, hedgeSeq };
    await journal.append({ time: now(), actor: 'desk', kind: 'auto_hedge_said', body });
  }

  #runs(chainId: number, pair: string): boolean {
    return this.#engine.log.all().some(({ opened }) => opened.chainId === chainId && opened.pair === pair);
  }

  async #unhedged(chainId: number, pair: string, after: number): Promise<{ net: bigint; fillSeqs: number[] }> {
    const fills = await this.#parts.journal.read.unhedgedFills({ chainId, pair, after, limit: MOST_FILLS });
    const net = fills.reduce((sum, { open }) => sum + BigInt(open), 0n);
    return { net, fillSeqs: fills.map(({ seq }) => seq) };
  }

  async #hedgedToday(chainId: number, pair: string): Promise<bigint> {
    const hedges = await this.#automatic(chainId, pair, Math.floor(this.#parts.now() / DAY_MS) * DAY_MS);
    return hedges.reduce((sum, hedge) => sum + baseOf(hedge), 0n);
  }

  /** It failed, or a person gave it up: what is tried again and again may cost gas each time. */
  async #failedLately(chainId: number, pair: string): Promise<boolean> {
    const now = this.#parts.now();
    const ended = (await this.#automatic(chainId, pair, now - DAY_MS)).sort((a, b) => b.seq - a.seq);
    const good = ended.findIndex(({ state }) => state === 'done');
    const failures = good < 0 ? ended.length : good;
    const last = ended[0]?.endedAt ?? 0;
    return failures > 0 && now - last < Math.min(AFTER_FAILURE_MS * 2 ** (failures - 1), LONGEST_REST_MS);
  }

  async #automatic(chainId: number, pair: string, since: number): Promise<HedgeRecord[]> {
    const hedges = await this.#parts.journal.read.automaticHedges(since);
    return hedges.filter(({ opened }) => opened.chainId === chainId && opened.pair === pair);
  }
}

/** Base that counts against the cap: all that was placed while it runs, afterwards what was traded. */
function baseOf({ opened, endedAt, spent, received }: HedgeRecord): bigint {
  if (endedAt === null) return BigInt(opened.amount);
  return BigInt(opened.side === 'SELL' ? spent : received);
}
