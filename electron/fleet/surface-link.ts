import { gunzipSync } from 'node:zlib';
import type { KvEntry } from '@nats-io/kv';
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { z } from 'zod';
import { createEmitter } from '../contract/emitter.ts';
import type { SurfaceSwitch } from '../contract/fleet.ts';
import { type DeskError, isDeskError } from '../protocol/desk-error.ts';
import { type CounterpartyKeys, counterpartiesSchema } from '../signer/secrets.ts';
import { pause } from '../time/pause.ts';
import { type FleetServer, onRefusedRight, rightsError, whyOf } from './fleet-server.ts';
import { isDeskLost, LEASE_MS } from './lease.ts';
import {
  DESK_KEY,
  type FarAnswer,
  type FirmAsk,
  firmAskBytes,
  gridKey,
  type Here,
  heardSchema,
  isBefore,
  MOST_TOLD,
  type Moment,
  type RefusedAddress,
  readFirmAnswer,
  SERVED_KEYS,
  type ServedDesk,
  sayingSchema,
  servedDeskSchema,
  servedGridSchema,
  stopSchema,
  subjectsOf,
} from './surface-messages.ts';
import { isSwitchKey, readSwitch, switchKey, tellSurface } from './surface-rows.ts';

/** How often the desk is told that this surface is there, and how long it has to say that it heard that. Milliseconds. */
const HERE_MS = 250;
const ANSWER_MS = 1_000;
const AGAIN_MS = 250;
/** How often it says in the bucket that it is there, for whoever asks without a desk. Milliseconds. */
const ROW_MS = 1_000;
/** Of so many milliseconds it is kept how many requests there were, and of so many requests how long each took. */
const LATELY_MS = 10_000;
const TIMED_AT_MOST = 1_000;
/** A grid that is compressed to nothing must not fill the memory: no desk serves so much. Bytes. */
const MOST_TEXT = 64 * 1_024 * 1_024;

/** What one chain serves, as the desk last put it. */
export type FarGrid = z.infer<typeof servedGridSchema>['grid'] & Pick<z.infer<typeof servedGridSchema>, 'closed'>;

export interface SurfaceLinkOptions {
  server: FleetServer;
  /** What this surface is called in the fleet, where it listens, and its version. */
  name: string;
  url: () => string;
  version: string;
  /** Connections that listen to prices here, by chain. */
  feeds: () => { chainId: number; open: number }[];
  /** Opens what the desk sealed for its surfaces. Throws DeskError `wrong_passphrase`. */
  open: (sealed: string) => Promise<string>;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: {
    info(line: string, facts?: Record<string, unknown>): void;
    warn(line: string, facts?: Record<string, unknown>): void;
  };
}

/** The desk as it last said, with the credentials of its counterparties by domain. */
export type FarDesk = Omit<ServedDesk, 'secrets'> & { keys: Readonly<Record<string, CounterpartyKeys>> };

/** Something from the bucket with its revision there, and the turn of the desk that put it. */
type Held<T> = { revision: number; turn: number; value: T };

/**
 * A surface's line to its desk. It has a lease: only while the desk has answered a question that was asked within the last two seconds is
 * anything of it served, or handed over, and only what that desk itself has put there.
 */
export class SurfaceLink {
  readonly #options: SurfaceLinkOptions;
  readonly #subjects: ReturnType<typeof subjectsOf>;
  readonly #closed = new AbortController();
  readonly #changed = createEmitter<void>((error) =>
    this.#options.log.warn('a listener failed', { error: String(error) }),
  );
  readonly #said = createEmitter<{ chainId: number | null; line: string }>(() => {});
  readonly #subscriptions: Subscription[];
  readonly #loops: Promise<void>[];
  readonly #id = crypto.randomUUID();
  readonly #startedAt: number;
  /** Requests that the desk has not answered yet, by their number. */
  readonly #asked = new Map<string, (answer: FarAnswer | null) => void>();
  readonly #inbox: string;
  #number = 0;
  #beats = new Map<string, Here['beats'][number]>();
  readonly #earlierUses = new Set<string>();
  readonly #refusedAddresses: RefusedAddress[] = [];
  #counts = { asked: 0, unanswered: 0 };
  /** When the newest question that the desk answered had been asked: by a clock that never jumps, and by ours, which counts also while a machine is suspended. */
  #heardSince = { monotonic: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };
  /** The newest moment of the desk that is known here: nothing from before is handed over. */
  #moment: Moment = { turn: 0, stops: 0 };
  /** What the desk's clock says beyond ours, or less than that. Milliseconds. */
  #ahead = 0;
  /** The revisions that the desk has put there, and since when which of them are missing here. */
  #revisions: Record<string, number> = {};
  readonly #behindSince = new Map<string, number>();
  /** Since when what the desk puts there is watched, and what ends that, so that it begins anew. */
  #watchedSince = Number.NEGATIVE_INFINITY;
  #stopWatch: () => void = () => {};
  #desk: Held<FarDesk> | null = null;
  #refused: DeskError | null = null;
  readonly #grids = new Map<string, Held<FarGrid>>();
  #switched: SurfaceSwitch = 'on';
  /** What the fleet server said where this surface's user lacks a right. */
  #lacking: Error | null = null;
  /** When each of the newest requests came, and how long those took that the desk answered. */
  readonly #times: { at: number; tookMs: number | null }[] = [];

  constructor(options: SurfaceLinkOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#subjects = subjectsOf(options.server);
    const { connection } = options.server;
    onRefusedRight(options.server, (why) => {
      this.#lacking = why;
      options.log.warn('the fleet server refuses this surface a right', { error: whyOf(why) });
    });
    this.#inbox = `${this.#subjects.firm}.${options.name}.${crypto.randomUUID()}`;
    const take = (subject: string, act: (message: Msg) => void) =>
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) this.#guarded(subject, () => act(message));
        },
      });
    // All of these come over one connection in the order in which the desk sent them: behind a stop no order is left.
    this.#subscriptions = [
      take(`${this.#inbox}.*`, (message) => this.#answered(message)),
      take(this.#subjects.stop, (message) => {
        this.#heardOf(stopSchema.parse(message.json()));
        message.respond(this.#id);
      }),
      take(this.#subjects.say, (message) => this.#said.emit(sayingSchema.parse(message.json()))),
    ];
    const { signal } = this.#closed;
    this.#loops = [this.#tell(signal), this.#tellRow(signal), this.#watch(signal)];
  }

  /** Whether the desk was heard within the lease, and what it itself has said last of who may ask is here. */
  get isHeard(): boolean {
    const { monotonic, now } = this.#options;
    const isLost = isDeskLost(this.#heardSince, { monotonic: monotonic(), now: now() });
    const isOfDesk = this.#desk !== null && this.#desk.turn === this.#moment.turn;
    return !isLost && isOfDesk && !this.#isBehind(DESK_KEY);
  }

  /** Whether the desk is heard, and what it has put there last of this chain is here: one that does not come takes no other with it. */
  serves(chainId: number): boolean {
    return this.isHeard && !this.#isBehind(gridKey(chainId));
  }

  #isBehind(key: string): boolean {
    return this.#options.monotonic() - (this.#behindSince.get(key) ?? Number.POSITIVE_INFINITY) > LEASE_MS;
  }

  /** The desk as it was last heard of; null before that. It stays while the desk is not heard: who may ask does not change by that. */
  desk(): FarDesk | null {
    return this.#desk?.value ?? null;
  }

  /** Why the newest that the desk sealed for its surfaces cannot be opened here; null while it can. */
  get refused(): DeskError | null {
    return this.#refused;
  }

  /** What a chain serves, as a desk has put it there last; null where none has yet. Its lists stay, whoever writes and is heard. */
  grid(chainId: number): FarGrid | null {
    return this.#grids.get(gridKey(chainId))?.value ?? null;
  }

  /** Whether that is the word of the desk that writes. */
  hasGridOfDesk(chainId: number): boolean {
    return this.#grids.get(gridKey(chainId))?.turn === this.#moment.turn;
  }

  /** Reads how this surface is switched, before anything is served. Throws DeskError `fleet_refused` where its user lacks a right that it needs. */
  async readSwitch(): Promise<void> {
    const { server, name } = this.#options;
    // Nobody takes these, and each needs a right that is missed only later: without the last one prices stop under load.
    const { firm, stop } = this.#subjects;
    for (const subject of [firm, `${stop}.${this.#id}`, `$JS.FC.KV_${server.names.bucket}.${this.#id}`])
      server.connection.publish(subject);
    await server.connection.flush();
    this.expectRights();
    const entry = await server.bucket.get(switchKey(name));
    // What cannot be read may have been anything: whoever wants it on says so once more.
    if (entry?.operation === 'PUT') this.#switched = readSwitch(entry.string()) ?? 'off';
  }

  /** Throws DeskError `fleet_refused` where its user was found to lack a right that it needs. */
  expectRights(): void {
    if (this.#lacking !== null) throw rightsError(this.#lacking);
  }

  /** How somebody has switched this surface. */
  get switched(): SurfaceSwitch {
    return this.#switched;
  }

  /** Calls the listener when something of all this may have changed. */
  onChange(listener: () => void): void {
    this.#changed.subscribe(listener);
  }

  /** The desk has a line for the log of whoever listens to prices. */
  onSaid(listener: (said: { chainId: number | null; line: string }) => void): void {
    this.#said.subscribe(listener);
  }

  /** Somebody asked here; the desk is told with the next word to it. */
  record(beat: Here['beats'][number]): void {
    this.#beats.set(`${beat.chainId} ${beat.endpoint}`, beat);
  }

  /** Somebody signed with keys that newer ones took the place of; the desk is told with the next word to it. */
  recordEarlierUse(domain: string): void {
    this.#earlierUses.add(domain);
  }

  /** Somebody's keys came from where they may not ask; the desk is told with the next word to it, of too many only the first. */
  recordRefusedAddress({ domain, address }: RefusedAddress): void {
    if (this.#refusedAddresses.length < MOST_TOLD) this.#refusedAddresses.push({ domain, address });
  }

  /**
   * Hands a firm request to the desk that came at `came` of the monotonic clock here: behind others of its connection it may have
   * waited. `respond` is called exactly once: with the desk's answer in the step in which it arrives, while the chain is served; with
   * null where none came within `withinMs` of that moment, or the chain is not served.
   */
  firm(
    asked: Omit<FirmAsk, 'turn' | 'at'>,
    { came, withinMs }: { came: number; withinMs: number },
    respond: (answer: FarAnswer | null) => void,
  ): void {
    this.#counts.asked += 1;
    const isServed = () => this.serves(asked.chainId);
    const { monotonic } = this.#options;
    if (!isServed() || monotonic() - came > withinMs) {
      this.#counts.unanswered += 1;
      respond(null);
      return;
    }
    this.#number += 1;
    const reply = `${this.#inbox}.${this.#number}`;
    const time: { at: number; tookMs: number | null } = { at: came, tookMs: null };
    this.#times.push(time);
    if (this.#times.length > TIMED_AT_MOST) this.#times.shift();
    const end = (answer: FarAnswer | null) => {
      clearTimeout(late);
      this.#asked.delete(reply);
      if (answer === null) this.#counts.unanswered += 1;
      else time.tookMs = monotonic() - time.at;
      respond(answer);
    };
    const late = setTimeout(() => end(null), Math.max(0, came + withinMs - monotonic()));
    this.#asked.set(reply, (answer) => end(isServed() && monotonic() - time.at <= withinMs ? answer : null));
    const ask = { ...asked, turn: this.#moment.turn, at: time.at + this.#ahead };
    try {
      this.#options.server.connection.publish(this.#subjects.firm, firmAskBytes(ask), { reply });
    } catch {
      end(null); // the connection is closing, or the request is larger than a message may be
    }
  }

  /** Tells the desk that this surface leaves, and hears nothing more. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#stopWatch();
    await Promise.all(this.#loops);
    await this.#here(true).catch(() => {});
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  #guarded(subject: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.log.warn('a message of the desk was not understood', { subject, error: whyOf(error) });
    }
  }

  #answered(message: Msg): void {
    const respond = this.#asked.get(message.subject);
    if (respond === undefined) return; // it came too late
    // The fleet server says at once where no desk listens.
    if (message.data.length === 0) {
      respond(null);
      return;
    }
    const { moment, answer } = readFirmAnswer(message.string());
    respond(isBefore(moment, this.#moment) ? null : answer);
  }

  /** A desk was heard of as it was then. */
  #heardOf(moment: Moment): void {
    if (isBefore(this.#moment, moment)) this.#moment = moment;
  }

  async #tell(signal: AbortSignal): Promise<void> {
    for (let fault = ''; !signal.aborted; await pause(HERE_MS, signal)) {
      try {
        await this.#here(false);
        fault = '';
      } catch (error) {
        if (fault === '') this.#options.log.warn('the desk is not heard', { error: whyOf(error) });
        fault = whyOf(error);
      }
    }
  }

  async #tellRow(signal: AbortSignal): Promise<void> {
    const { server, name, url, version, log } = this.#options;
    for (let fault = ''; !signal.aborted; await pause(ROW_MS, signal)) {
      try {
        tellSurface(server, { name, url: url(), version, switched: this.#switched });
        fault = '';
      } catch (error) {
        if (fault === '') log.warn('fleet status does not hear of this surface', { error: whyOf(error) });
        fault = whyOf(error);
      }
    }
  }

  async #here(leaves: boolean): Promise<void> {
    const { server, name, url, version, feeds, monotonic, now } = this.#options;
    const open = feeds();
    const beats = [...this.#beats.values()];
    const earlierUses = [...this.#earlierUses].slice(0, MOST_TOLD);
    const refusedAddresses = [...this.#refusedAddresses];
    const here: Here = {
      id: this.#id,
      name,
      url: url(),
      version,
      startedAt: this.#startedAt,
      switched: this.#switched,
      beats,
      earlierUses,
      refusedAddresses,
      webSockets: open.reduce((sum, feed) => sum + feed.open, 0),
      feeds: open,
      ...this.#counts,
      ...this.lately(),
      serves: this.isHeard,
      leaves,
    };
    const askedAt = { monotonic: monotonic(), now: now() };
    const answer = await server.connection.request(this.#subjects.here(name), JSON.stringify(here), {
      timeout: ANSWER_MS,
    });
    const heard = heardSchema.parse(answer.json());
    for (const beat of beats) {
      const key = `${beat.chainId} ${beat.endpoint}`;
      if (this.#beats.get(key) === beat) this.#beats.delete(key);
    }
    for (const domain of earlierUses) this.#earlierUses.delete(domain);
    this.#refusedAddresses.splice(0, refusedAddresses.length);
    // A desk of an earlier turn was taken over: its word counts no more.
    if (heard.turn < this.#moment.turn) return;
    const isNew = heard.turn > this.#moment.turn;
    this.#heardOf({ turn: heard.turn, stops: heard.stops });
    this.#heardSince = askedAt;
    this.#ahead = heard.at - monotonic();
    this.#revisions = heard.revisions;
    this.#compare();
    if (isNew) {
      this.#options.log.info('serves the desk of the fleet', { turn: heard.turn });
      this.#changed.emit();
    }
  }

  /** Firm requests since the start, and how many of them the desk did not answer in time. */
  get counts(): Readonly<Pick<Here, 'asked' | 'unanswered'>> {
    return this.#counts;
  }

  /** How much was asked lately, and how long it took. */
  lately(): Pick<Here, 'perSecond' | 'p99Ms'> {
    const from = this.#options.monotonic() - LATELY_MS;
    const recent = this.#times.filter(({ at }) => at >= from);
    const took = recent.flatMap(({ tookMs }) => tookMs ?? []).sort((a, b) => a - b);
    // Of more than are kept it is told how many there were in their time.
    const overMs = recent.length === TIMED_AT_MOST ? this.#options.monotonic() - (recent[0]?.at ?? from) : LATELY_MS;
    return {
      perSecond: (recent.length * 1_000) / Math.max(1, overMs),
      p99Ms: took[Math.floor(took.length * 0.99)] ?? null,
    };
  }

  /** Whether everything is here that the desk has put there. */
  #compare(): void {
    const now = this.#options.monotonic();
    const behind = Object.entries(this.#revisions).filter(([key, revision]) => this.#revisionOf(key) < revision);
    const missing = new Set(behind.map(([key]) => key));
    for (const key of this.#behindSince.keys()) if (!missing.has(key)) this.#behindSince.delete(key);
    for (const key of missing) if (!this.#behindSince.has(key)) this.#behindSince.set(key, now);
    // What was on its way when a line broke may never come by the old watch.
    const since = Math.min(...this.#behindSince.values());
    if (now - Math.max(since, this.#watchedSince) > LEASE_MS) this.#stopWatch();
  }

  /** As which revision this desk's own is here; 0 where it is not. */
  #revisionOf(key: string): number {
    const held = key === DESK_KEY ? this.#desk : this.#grids.get(key);
    return held?.turn === this.#moment.turn ? held.revision : 0;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { server, log } = this.#options;
    while (!signal.aborted) {
      try {
        const watch = await server.bucket.watch({ key: SERVED_KEYS });
        this.#watchedSince = this.#options.monotonic();
        this.#stopWatch = () => watch.stop();
        if (signal.aborted) watch.stop();
        for await (const entry of watch) {
          if (signal.aborted) break;
          await this.#take(entry).catch((error: unknown) =>
            log.warn('what the desk serves was not understood', { key: entry.key, error: whyOf(error) }),
          );
        }
      } catch (error) {
        log.warn('what the desk serves does not come', { error: whyOf(error) });
      }
      await pause(AGAIN_MS, signal);
    }
  }

  /** What the desk sealed for its surfaces; null where this one cannot open it: then it is behind, and serves nothing. */
  async #open(sealed: string): Promise<FarDesk['keys'] | null> {
    try {
      const keys = counterpartiesSchema.parse(JSON.parse(await this.#options.open(sealed)));
      this.#refused = null;
      return keys;
    } catch (error) {
      if (!isDeskError(error, 'wrong_passphrase')) throw error;
      if (this.#refused === null) this.#options.log.warn('what the desk sealed for its surfaces does not open');
      this.#refused = error;
      return null;
    }
  }

  async #take({ key, value, revision, operation }: KvEntry): Promise<void> {
    if (isSwitchKey(key)) {
      if (key !== switchKey(this.#options.name)) return; // of another surface
      this.#switched = operation === 'PUT' ? (readSwitch(Buffer.from(value).toString('utf8')) ?? this.#switched) : 'on';
      this.#options.log.info('this surface is switched', { to: this.#switched });
      this.#changed.emit();
      return;
    }
    if (operation !== 'PUT') return;
    const text: unknown = JSON.parse(gunzipSync(value, { maxOutputLength: MOST_TEXT }).toString('utf8'));
    if (key === DESK_KEY) {
      const { secrets, ...desk } = servedDeskSchema.parse(text);
      if (desk.turn < (this.#desk?.turn ?? 0)) return;
      const keys = await this.#open(secrets);
      if (keys !== null) this.#desk = { revision, turn: desk.turn, value: { ...desk, keys } };
    } else {
      const { turn, closed, grid } = servedGridSchema.parse(text);
      if (turn < (this.#grids.get(key)?.turn ?? 0)) return;
      this.#grids.set(key, { revision, turn, value: { ...grid, closed } });
    }
    this.#compare();
    this.#changed.emit();
  }
}
