import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Attention } from '../contract/desk-view.ts';
import type { SurfaceView } from '../contract/fleet.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import { pause } from '../time/pause.ts';
import { type FleetServer, onRefusedRight, whyOf } from './fleet-server.ts';
import type { FleetWriter } from './fleet-writer.ts';
import { LEASE_MS } from './lease.ts';
import {
  DESK_KEY,
  type FarAnswer,
  type FirmAsk,
  firmAnswerText,
  gridKey,
  type Heard,
  type Here,
  hereSchema,
  type Moment,
  type RefusedAddress,
  readFirmAsk,
  type ServedDesk,
  subjectsOf,
} from './surface-messages.ts';

/** A surface that says nothing for so long is not there. Milliseconds. */
const SILENT_MS = 3 * LEASE_MS;
/** Whoever was not heard for so long is not spoken of any more. Milliseconds. */
const FORGOTTEN_MS = 24 * 3_600_000;
/** How long it is waited before something is put into the bucket once more, milliseconds. */
const AGAIN_MS = 250;
/** Surfaces that live at once under one name: one that is started again and again, or copied, is not heard beyond that, and serves nothing. */
const MOST_OF_A_NAME = 8;
/** What is put there compressed may be so much smaller than a message may be. Bytes. */
const HEADROOM = 1_024;

/** A text shorter than this is compressed sooner than a thread for it wakes up. Characters. */
const SHORT = 65_536;
const LEVEL = { level: 1 };

const inAThread = promisify(gzip);

/** When a surface was heard last, on a clock that never jumps, and by ours. Milliseconds. */
type HeardSurface = Omit<Here, 'beats' | 'earlierUses' | 'refusedAddresses'> & { heard: number; heardAt: number };

export interface FleetSurfacesOptions {
  server: FleetServer;
  writer: Pick<FleetWriter, 'seat' | 'isOver'>;
  /** Answers a firm request as if it had come to the desk's own surface. `respond` is called exactly once, in the step in which the latch lets an order go. */
  firm: (ask: FirmAsk, respond: (answer: FarAnswer) => void) => void;
  /** Who asked at a surface. */
  onBeat: (beat: Here['beats'][number]) => void;
  /** Whose keys of before were used at a surface, and what came there with somebody's keys from where they may not ask. */
  onEarlierKeys: (domain: string) => void;
  onElsewhere: (refused: RefusedAddress) => void;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: {
    info(line: string, facts?: Record<string, unknown>): void;
    warn(line: string, facts?: Record<string, unknown>): void;
  };
}

/** A revision that no surface has: what is there is served by nobody, since something newer is to come. */
const IS_TO_COME = Number.MAX_SAFE_INTEGER;

/** What is to be put, as it is when it is put. */
type Text = () => string | Promise<string>;

/**
 * What the desk that writes does for its surfaces elsewhere: it puts what each chain serves into the bucket, answers the firm requests
 * that they hand on, and hears who is there. A surface signs nothing: what it hands over, this desk has decided and written down.
 */
export class FleetSurfaces {
  readonly #options: FleetSurfacesOptions;
  readonly #subjects: ReturnType<typeof subjectsOf>;
  readonly #closed = new AbortController();
  readonly #surfaces = new Map<string, HeardSurface>();
  /** When one more of a name was there than are heard, by name; on a clock that never jumps, milliseconds. */
  readonly #crowded = new Map<string, number>();
  readonly #subscriptions: Subscription[];
  /** What is to be put under each key: only the newest of it. */
  readonly #waiting = new Map<string, Text>();
  readonly #putting = new Map<string, Promise<void>>();
  readonly #revisions: Record<string, number> = {};
  /** As which revision the newest of each stands there, by what this desk has seen. */
  readonly #last = new Map<string, number>();
  readonly #began: number;
  #stops = 0;

  constructor(options: FleetSurfacesOptions) {
    this.#options = options;
    const { server } = options;
    this.#began = options.monotonic();
    this.#subjects = subjectsOf(server);
    const { firm, here } = this.#subjects;
    const take = (subject: string, act: (message: Msg) => void) =>
      server.connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) this.#guarded(subject, () => act(message));
        },
      });
    onRefusedRight(server, (why) =>
      options.log.warn('the fleet server refuses this desk a right', { error: whyOf(why) }),
    );
    this.#subscriptions = [
      take(firm, (message) => this.#firm(message)),
      take(here('*'), (message) => this.#here(message)),
    ];
  }

  /** What surfaces have to know of the desk, from now on. */
  publishDesk(desk: () => Promise<Omit<ServedDesk, 'turn'>>): void {
    // From this moment on surfaces know that who may ask is another.
    this.#revisions[DESK_KEY] = IS_TO_COME;
    this.#put(DESK_KEY, async () => JSON.stringify({ turn: this.#turn, ...(await desk()) }));
  }

  /** What a chain serves from now on: `complete` is its whole content as the feed's first message has it (PROTOCOL 6.2). */
  publish(chainId: number, served: () => { closed: RefusalCode | null; complete: string }): void {
    this.#put(gridKey(chainId), () => {
      const { closed, complete } = served();
      return `{"turn":${this.#turn},"closed":${JSON.stringify(closed)},"grid":${complete}}`;
    });
  }

  /** A line for the log of whoever listens to prices at a surface. */
  say(chainId: number | null, line: string): void {
    this.#guarded(this.#subjects.say, () =>
      this.#options.server.connection.publish(this.#subjects.say, JSON.stringify({ chainId, line })),
    );
  }

  /**
   * Resolves once no surface hands over an order any more that was answered before: each has said so behind all that it was sent, or has
   * not been heard for so long that it hands over nothing. To be called in the step in which the latch moves.
   */
  async stopped(): Promise<void> {
    const { monotonic } = this.#options;
    this.#stops += 1;
    // One that the desk before this one answered may not have been heard yet.
    const unheard = this.#began + LEASE_MS - monotonic();
    if (unheard > 0) await pause(unheard, this.#closed.signal);
    const asked = [...this.#surfaces.values()].filter((surface) => this.#mayHandOver(surface));
    const said = new Set<string>();
    const waited = new AbortController();
    const isOver = () => asked.every((surface) => said.has(surface.id) || !this.#mayHandOver(surface));
    if (isOver()) return;
    const off = this.#askToStop((id) => {
      said.add(id);
      if (isOver()) waited.abort();
    });
    // Whoever does not answer is asked no more once its lease is over: from there on it hands over nothing by itself.
    const deadline = monotonic() + LEASE_MS;
    while (!isOver() && monotonic() < deadline) await pause(AGAIN_MS, waited.signal);
    off();
  }

  /** Tells which surfaces say that they have handed over all that they were sent before. Returns what ends that. */
  #askToStop(onSaid: (id: string) => void): () => void {
    const { connection } = this.#options.server;
    try {
      const inbox = connection.subscribe(`${this.#subjects.stop}.${crypto.randomUUID()}`, {
        callback: (error, message) => {
          if (error === null) onSaid(message.string());
        },
      });
      connection.publish(this.#subjects.stop, JSON.stringify(this.#moment), { reply: inbox.getSubject() });
      return () => inbox.unsubscribe();
    } catch (error) {
      // The connection is gone for good: nobody answers, and their leases end.
      this.#options.log.warn('the surfaces are not told of a halt', { error: whyOf(error) });
      return () => {};
    }
  }

  /** Whether the lease of a surface, as it was heard then, may still run: what it was answered may be on its way through it. */
  #mayHandOver({ heard }: HeardSurface): boolean {
    return this.#options.monotonic() - heard <= LEASE_MS;
  }

  view(): SurfaceView[] {
    const { monotonic } = this.#options;
    const seen = [...this.#surfaces.values()].map((surface): SurfaceView => {
      const { id: _id, leaves: _leaves, feeds: _feeds, heard, ...told } = surface;
      return { ...told, isSilent: monotonic() - heard > SILENT_MS };
    });
    return seen.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** How many connections listen to the prices of a chain at all surfaces that are heard. */
  webSockets(chainId: number): number {
    const heard = [...this.#surfaces.values()].filter((surface) => this.#mayHandOver(surface));
    const feeds = heard.flatMap(({ feeds = [] }) => feeds).filter((feed) => feed.chainId === chainId);
    return feeds.reduce((sum, { open }) => sum + open, 0);
  }

  /** A surface that is not heard serves nothing, whoever asks there: one that is gone, and one too many of a name. */
  attention(): Attention[] {
    return [...this.#crowdedNames(), ...this.#unserved()];
  }

  #crowdedNames(): Attention[] {
    const detail = `This desk hears ${MOST_OF_A_NAME} of them; the others serve nothing, whoever asks there. Give each surface a name of its own, or end what starts one again and again.`;
    const isNow = ([, at]: [string, number]) => this.#options.monotonic() - at <= SILENT_MS;
    return [...this.#crowded].filter(isNow).map(([name]) => ({
      code: `fleet_surfaces_crowded ${name}`,
      level: 'look',
      title: `More than ${MOST_OF_A_NAME} surfaces are called ${name}`,
      detail,
      action: { kind: 'page', page: 'fleet' },
    }));
  }

  #unserved(): Attention[] {
    return this.view().flatMap(({ name, url, isSilent, serves, startedAt }) => {
      const isNew = this.#options.now() - startedAt < SILENT_MS;
      if (!isSilent && (serves || isNew)) return [];
      const detail = `Whoever asks at ${url} gets nothing: it serves only while it hears this desk. See whether it runs, and reaches the fleet server.`;
      const action = { kind: 'page', page: 'fleet' } as const;
      return [
        {
          code: `fleet_surface ${name}`,
          level: 'look',
          title: isSilent ? `Surface ${name} is not heard` : `Surface ${name} serves nothing`,
          detail,
          action,
        },
      ];
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    await Promise.all(this.#putting.values());
  }

  get #turn(): number {
    return this.#options.writer.seat.holder.turn;
  }

  get #moment(): Moment {
    return { turn: this.#turn, stops: this.#stops };
  }

  /** Whether this desk is the one that writes, as far as it can know. */
  get #isWriter(): boolean {
    const { writer } = this.#options;
    return writer.seat.isFresh && !writer.isOver;
  }

  #guarded(subject: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.log.warn('a message of a surface was not understood, or not answered', {
        subject,
        error: whyOf(error),
      });
    }
  }

  #firm(message: Msg): void {
    // Whoever writes answers; a surface waits for nobody else. The answer goes to a surface: with the right to write rows it is sent.
    if (!this.#isWriter || !message.reply?.startsWith(`${this.#subjects.firm}.`)) return;
    const ask = readFirmAsk(message.data);
    if (ask.turn !== this.#turn) return;
    this.#options.firm(ask, (answer) =>
      // Of this moment, not of the one in which it was asked: in this very step the latch was looked at, which a halt moves in the step in
      // which it is counted. Where it cannot be sent, the surface says that it was not there in time.
      this.#guarded(this.#subjects.firm, () => void message.respond(firmAnswerText(this.#moment, answer))),
    );
  }

  #here(message: Msg): void {
    if (!this.#isWriter) return;
    const here = hereSchema.parse(message.json());
    const { here: subject, answers } = this.#subjects;
    if (message.subject !== subject(here.name) || !message.reply?.startsWith(answers(here.name)))
      throw new Error(`${here.name} is not who says so`);
    const { now, monotonic, onBeat, onEarlierKeys, onElsewhere, log } = this.#options;
    // One that was started again takes the place of the one before; two that live at once under one name are two.
    for (const [id, other] of this.#surfaces) {
      const isGone = other.name === here.name && !this.#mayHandOver(other);
      if (isGone || monotonic() - other.heard > FORGOTTEN_MS) this.#surfaces.delete(id);
    }
    if (!this.#surfaces.has(here.id)) {
      const namesakes = [...this.#surfaces.values()].filter(({ name }) => name === here.name);
      if (namesakes.length >= MOST_OF_A_NAME) {
        this.#tooMany(here);
        return;
      }
      log.info('a surface is there', { name: here.name, url: here.url });
    }
    const { beats, earlierUses = [], refusedAddresses = [], ...said } = here;
    const [heard, heardAt] = [monotonic(), now()];
    if (here.leaves) this.#surfaces.delete(here.id);
    else this.#surfaces.set(here.id, { ...said, heard, heardAt });
    for (const beat of beats) onBeat({ ...beat, at: Math.min(beat.at, heardAt) }); // its clock may be ahead
    for (const domain of earlierUses) onEarlierKeys(domain);
    for (const refused of refusedAddresses) onElsewhere(refused);
    const answer: Heard = { ...this.#moment, at: monotonic(), revisions: this.#revisions };
    message.respond(JSON.stringify(answer));
  }

  /** Nothing is answered, so that it serves nothing; it goes on asking, and is told of once. */
  #tooMany({ name, url }: Here): void {
    const { monotonic, log } = this.#options;
    for (const [other, at] of this.#crowded) if (monotonic() - at > SILENT_MS) this.#crowded.delete(other);
    if (!this.#crowded.has(name)) {
      log.warn('a surface is not heard: too many of its name are there', { name, url, most: MOST_OF_A_NAME });
    }
    this.#crowded.set(name, monotonic());
  }

  /** One after the other for each key; whatever came meanwhile is put once, as it is then. */
  #put(key: string, text: Text): void {
    this.#waiting.set(key, text);
    if (!this.#putting.has(key)) this.#startPutting(key);
  }

  #startPutting(key: string): void {
    const putting = this.#putAll(key).finally(() => {
      this.#putting.delete(key);
      // It may have come after the last look, and before this step.
      if (this.#waiting.has(key) && !this.#closed.signal.aborted) this.#startPutting(key);
    });
    this.#putting.set(key, putting);
  }

  async #putAll(key: string): Promise<void> {
    const { server, log } = this.#options;
    const { signal } = this.#closed;
    for (let fault = ''; !signal.aborted; ) {
      const text = this.#waiting.get(key);
      if (text === undefined) return;
      this.#waiting.delete(key);
      try {
        const plain = await text();
        const bytes = plain.length < SHORT ? gzipSync(plain, LEVEL) : await inAThread(plain, LEVEL);
        const most = (server.connection.info?.max_payload ?? 1_048_576) - HEADROOM;
        if (bytes.length > most) throw new Error(`${bytes.length} bytes are more than the ${most} that it takes`);
        // A desk that was taken over puts nothing more there, also one that stood still until now.
        if (!this.#isWriter) throw new Error('this desk does not have the seat at this moment');
        const last = this.#last.get(key) ?? (await server.bucket.get(key))?.revision;
        const revision = await (last === undefined
          ? server.bucket.create(key, bytes)
          : server.bucket.update(key, bytes, last));
        this.#last.set(key, revision);
        if (!this.#waiting.has(key)) this.#revisions[key] = revision; // a newer one is to come
        fault = '';
      } catch (error) {
        this.#last.delete(key);
        if (this.#options.writer.isOver) return;
        if (!this.#waiting.has(key)) this.#waiting.set(key, text);
        if (fault === '') log.warn('what the surfaces serve is not there', { key, error: whyOf(error) });
        fault = whyOf(error);
        this.#revisions[key] = IS_TO_COME;
        await pause(AGAIN_MS, signal);
      }
    }
  }
}
