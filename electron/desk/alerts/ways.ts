import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { expectNew, expectSeen } from '../../book/changed-meanwhile.ts';
import { type Fault, FaultyInput } from '../../book/faults.ts';
import {
  type AlertsFile,
  type AlertWay,
  alertWaySchema,
  COMMAND_WAY,
  MOST_WAYS,
  type QuietHours,
  quietHoursSchema,
  quietText,
  wayText,
} from '../../contract/alert-ways.ts';
import type { DeskChange } from '../../contract/desk-changes.ts';
import type { Attention } from '../../contract/desk-view.ts';
import { isoTime } from '../../contract/names.ts';
import { markOf, sealedForm } from '../../contract/sealed-url.ts';
import type { Journal } from '../../journal/journal.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { SerialQueue } from '../../protocol/serial-queue.ts';
import { fingerprint, type WaySecret } from '../../signer/secrets.ts';
import type { Credentials } from '../credentials.ts';
import type { Log } from '../log.ts';
import type { AlertCall, TellCall } from './call.ts';
import { commandWay, expectProgram } from './command-way.ts';
import { mailWay } from './mail-way.ts';
import { WayQueue, type WayTimes } from './way-retries.ts';
import { webhookWay } from './webhook-way.ts';

const KEY = 'alert-ways';
/** How the code of what is said of a way begins. */
const WAY_CODE = 'alert_way ';

/** As they are kept; a row that cannot be read is left out, alone. */
const keptSchema = z.object({ ways: z.array(z.unknown()), quiet: quietHoursSchema.nullable().catch(null) });

/** Until somebody says otherwise, the program is told what it always was. */
const USUAL_COMMAND: AlertWay = { name: COMMAND_WAY, how: 'command', kinds: ['halt', 'stop'], afterMinutes: 0 };

export interface AlertWaysOptions {
  journal: Pick<Journal, 'put' | 'read' | 'append'>;
  credentials: Pick<Credentials, 'load' | 'keepWaySecrets' | 'waySecret'>;
  now: () => number;
  log: Log;
  /** The program that the desk was started with; without it there is no such way. */
  command?: string | undefined;
  times?: WayTimes;
}

/**
 * Where alerts are told beside the console, and what becomes of it. Which ways there are is kept beside the journal, which has a row
 * for each change; what is secret of them is sealed with the other secrets.
 */
export class AlertWays {
  readonly #options: AlertWaysOptions;
  readonly #queues = new Map<string, WayQueue>();
  readonly #changes = new SerialQueue();
  #ways: readonly AlertWay[];
  #quiet: QuietHours | null;
  #isClosed = false;

  private constructor(options: AlertWaysOptions, ways: readonly AlertWay[], quiet: QuietHours | null) {
    this.#options = options;
    this.#ways = ways;
    this.#quiet = quiet;
  }

  /** Takes up what was kept. Throws DeskError `bad_alert_command` where the program cannot be run. */
  static async open(options: AlertWaysOptions): Promise<AlertWays> {
    expectProgram(options.command);
    const kept = keptSchema.safeParse(await options.journal.read.setting(KEY));
    const ways = (kept.data?.ways ?? []).flatMap((row) => {
      const way = alertWaySchema.safeParse(row);
      return way.success ? [way.data] : [];
    });
    return new AlertWays(options, ways, kept.data?.quiet ?? null);
  }

  /** Every way, the program first. */
  list(): AlertWay[] {
    const others = this.#ways.filter(({ how }) => how !== 'command');
    if (this.#options.command === undefined) return others;
    return [this.#ways.find(({ how }) => how === 'command') ?? USUAL_COMMAND, ...others];
  }

  quiet(): QuietHours | null {
    return this.#quiet;
  }

  state(name: string): WayQueue['state'] {
    return this.#queueOf(name).state;
  }

  /** Whether a call of this fault is still to be told there. */
  isWaiting(name: string, code: string): boolean {
    return this.#queues.get(name)?.isWaiting(code) ?? false;
  }

  /** Hands a call over to a way; false where it takes none now. `untold` is called where it is given up there, or not wanted any more. */
  tell(name: string, call: Omit<AlertCall, 'at' | 'id'>, untold?: () => void): boolean {
    return this.#queueOf(name).tell(this.#made(call), untold);
  }

  /** Tells a way that this is a test, once. Returns what the other side answered; a fault is told, not thrown. Throws DeskError `unknown_way`. */
  async test(name: string, actor: string): Promise<{ ok: boolean; answered: string }> {
    this.#expect(name);
    const title = `${actor} tries whether alerts arrive`;
    const detail = 'Nothing is wrong, and nothing has to be done.';
    const call = this.#made({ alert: 'test', kind: 'look', code: 'test', title, detail });
    try {
      await this.#options.credentials.load();
      return { ok: true, answered: await this.#queueOf(name).try(call) };
    } catch (error) {
      if (error instanceof DeskError) throw error;
      return { ok: false, answered: error instanceof Error ? error.message : String(error) };
    }
  }

  /**
   * Adds a way or changes one: in force once it is kept. `seen` is what the person had in view, null of a new one, left out where
   * nobody had anything. A password that is not given stays, as long as it goes to the same server and user. Throws DeskError
   * `changed_meanwhile`, `no_alert_command`, `no_way_secret` or `too_many_ways`.
   */
  save(given: AlertWay, password: string | null, { actor, seen }: { actor: string; seen?: AlertWay | null }) {
    return this.#changes.run(async () => {
      const { name } = given;
      const known = this.list().find((way) => way.name === name);
      if (seen === null) expectNew(`The way ${name}`, known);
      else expectSeen(`The way ${name}`, { seen, now: known, by: null });
      if (given.how === 'command' && this.#options.command === undefined) {
        throw new DeskError('no_alert_command', 'This desk runs no program for alerts.', {
          remedy: 'Start it with --alert-command FILE.',
        });
      }
      if (known === undefined && this.#ways.length >= MOST_WAYS) {
        throw new DeskError('too_many_ways', `There are ${MOST_WAYS} ways already.`, { remedy: 'Remove one first.' });
      }
      const { way, secret, missing } = await this.#taken(given, password);
      if (missing !== null) throw new DeskError('no_way_secret', `The way ${name} ${missing}.`);
      const { credentials } = this.#options;
      const takeBack = secret === null ? undefined : await credentials.keepWaySecrets(new Map([[name, secret]]));
      await this.#keep([...this.#ways.filter((one) => one.name !== name), way], this.#quiet, takeBack);
      await this.#beginAnew(name);
      await this.#journaled(actor, name, way);
    });
  }

  /** Nothing is told there any more. Throws DeskError `unknown_way`. */
  remove(name: string, actor: string): Promise<void> {
    return this.#changes.run(async () => {
      this.#expect(name);
      await this.#keep(
        this.#ways.filter((way) => way.name !== name),
        this.#quiet,
      );
      await this.#beginAnew(name);
      await this.#options.credentials.keepWaySecrets(new Map([[name, null]]));
      await this.#journaled(actor, name, null);
    });
  }

  setQuiet(quiet: QuietHours | null, actor: string): Promise<void> {
    return this.#changes.run(async () => {
      await this.#keep(this.#ways, quiet);
      await this.#quietJournaled(actor, quiet);
    });
  }

  /** As the desk file has them; undefined where nobody has set anything. Throws as the sealed file does. */
  async fileForm({ withSecrets }: { withSecrets: boolean }): Promise<AlertsFile | undefined> {
    if (this.#ways.length === 0 && this.#quiet === null) return undefined;
    const quiet = this.#quiet === null ? {} : { quietHours: this.#quiet };
    if (!withSecrets) return { ways: [...this.#ways], ...quiet };
    const { credentials } = this.#options;
    await credentials.load();
    const secretOf = (way: AlertWay) => (way.how === 'command' ? null : credentials.waySecret(way.name, serverOf(way)));
    const ways = this.#ways.map((way) => (way.how === 'webhook' ? { ...way, url: secretOf(way) ?? way.url } : way));
    const passwords = this.#ways.flatMap((way) => {
      const secret = way.how === 'mail' ? secretOf(way) : null;
      return secret === null ? [] : [[way.name, secret] as const];
    });
    return { ways, ...quiet, ...(passwords.length > 0 && { passwords: Object.fromEntries(passwords) }) };
  }

  /** Throws FaultyInput `desk_file_faulty` where what is secret of a way is neither in the file nor kept for that server. */
  async expectWhole({ ways, passwords = {} }: AlertsFile): Promise<void> {
    const faults: Fault[] = Object.keys(passwords).flatMap((name) =>
      ways.some((way) => way.how === 'mail' && way.name === name)
        ? []
        : [{ path: `alerts.passwords.${name}`, message: 'is of no mailbox of this file' }],
    );
    for (const [index, way] of ways.entries()) {
      const { missing } = await this.#taken(way, passwords[way.name] ?? null);
      if (missing !== null) faults.push({ path: `alerts.ways[${index}]`, message: missing });
    }
    if (faults.length > 0) throw new FaultyInput('desk_file_faulty', 'The desk file', faults);
  }

  /** What is to be sealed of the ways of a desk file, and taken away of those that leave. Throws as the sealed file does. */
  async secretsOf({ ways, passwords = {} }: AlertsFile): Promise<Map<string, WaySecret | null>> {
    const secrets = new Map<string, WaySecret | null>(this.#ways.map(({ name }) => [name, null]));
    for (const one of ways) {
      const { secret } = await this.#taken(one, passwords[one.name] ?? null);
      if (secret !== null) secrets.set(one.name, secret);
      else secrets.delete(one.name);
    }
    return secrets;
  }

  /**
   * Sets every way and the quiet hours as a desk file has them, whose secrets are sealed already; each that is another has its row. `takeBack`
   * puts the secrets of before back, and is called where the ways stay as they are.
   */
  replace(given: AlertsFile, actor: string, takeBack: () => Promise<void>): Promise<void> {
    return this.#changes.run(async () => {
      const { quietHours = null } = given;
      const before = this.#ways;
      const ways = given.ways.map(withoutUrl);
      const isQuietAnother = !isDeepStrictEqual(quietHours, this.#quiet);
      await this.#keep(ways, quietHours, takeBack);
      for (const name of new Set([...before, ...ways].map((way) => way.name))) {
        const [was, is] = [before, ways].map((list) => list.find((way) => way.name === name));
        if (isDeepStrictEqual(was, is)) continue;
        await this.#beginAnew(name);
        await this.#journaled(actor, name, is ?? null);
      }
      if (isQuietAnother) await this.#quietJournaled(actor, quietHours);
    });
  }

  /** What a desk file would change of them, in words without a secret; nothing where it says nothing of alerts. */
  changesBy(given: AlertsFile | undefined): DeskChange[] {
    if (given === undefined) return [];
    const about = 'Desk';
    const quiet = [this.#quiet, given.quietHours ?? null].map((hours) => hours && quietText(hours));
    const [before = null, after = null] = quiet;
    const names = new Set([...this.#ways, ...given.ways].map(({ name }) => name));
    return [
      ...[...names].flatMap((name): DeskChange[] => {
        const [was, is] = [this.#ways, given.ways].map((list) => list.find((way) => way.name === name));
        const isSame = was !== undefined && is !== undefined && isDeepStrictEqual(was, withoutUrl(is));
        if (isSame) return [];
        const what = `Alerts on ${name}`;
        return [
          {
            about,
            what,
            before: was === undefined ? null : wayText(was),
            after: is === undefined ? null : wayText(is),
          },
        ];
      }),
      ...(before === after ? [] : [{ about, what: 'Quiet hours of alerts', before, after }]),
    ];
  }

  /** What goes wrong with a way stands on the screen, and is told nowhere else. */
  attention(): Attention[] {
    return this.list().flatMap(({ name }) => {
      const fault = this.#queues.get(name)?.state.fault ?? null;
      if (fault === null) return [];
      const title = `Alerts do not arrive at ${name}`;
      const detail = `It was tried three times, and last ${fault}. Try it and change it under Settings, Alerts.`;
      return [{ code: `${WAY_CODE}${name}`, level: 'look', title, detail, action: { kind: 'page', page: 'settings' } }];
    });
  }

  /** Whether a row is about a way, and so is told on none. */
  isOfWay({ code }: Pick<Attention, 'code'>): boolean {
    return code.startsWith(WAY_CODE);
  }

  /** Ends whatever is told now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }

  #made(call: Omit<AlertCall, 'at' | 'id'>): AlertCall {
    return { ...call, at: isoTime(this.#options.now()), id: randomUUID() };
  }

  #queueOf(name: string): WayQueue {
    const { now, log, times } = this.#options;
    const tell: TellCall = (call, signal) => this.#tellOf(name)(call, signal);
    const queue = this.#queues.get(name) ?? new WayQueue({ name, tell, now, log, ...times });
    this.#queues.set(name, queue);
    return queue;
  }

  /** How a way tells, as it is set now. Throws Error in words where it cannot. */
  #tellOf(name: string): TellCall {
    const { credentials, command } = this.#options;
    const way = this.list().find((one) => one.name === name);
    if (way === undefined) throw new Error('it was removed');
    if (way.how === 'command') return commandWay(command ?? '');
    const secret = credentials.waySecret(name, serverOf(way));
    if (way.how === 'mail') {
      if (way.user !== null && secret === null) throw new Error('its password is not kept here: give it again');
      return mailWay(way, secret);
    }
    if (secret === null) throw new Error('its address is not kept here: give it again');
    return webhookWay(secret);
  }

  /** The way without what is secret of it, what is to be sealed of it, and in words what is neither given nor kept. */
  async #taken(
    given: AlertWay,
    password: string | null,
  ): Promise<{ way: AlertWay; secret: WaySecret | null; missing: string | null }> {
    const way = withoutUrl(given);
    if (way.how === 'command') return { way, secret: null, missing: null };
    const server = serverOf(way);
    const url = given.how === 'webhook' && way !== given ? given.url : null;
    const secret = way.how === 'mail' ? password : url;
    if (secret !== null) return { way, secret: { server, secret }, missing: null };
    if (way.how === 'mail' && way.user === null) return { way, secret: null, missing: null };
    const { credentials } = this.#options;
    await credentials.load();
    const isKept = credentials.waySecret(way.name, server) !== null;
    const what = way.how === 'mail' ? 'password' : 'address';
    return { way, secret: null, missing: isKept ? null : `has no ${what} kept for this server: give it whole` };
  }

  /** `takeBack` puts back what was sealed for them, should they not be kept. */
  async #keep(ways: readonly AlertWay[], quiet: QuietHours | null, takeBack?: () => Promise<void>): Promise<void> {
    try {
      await this.#options.journal.put({ table: 'settings', key: KEY, value: { ways: [...ways], quiet } });
    } catch (error) {
      await takeBack?.();
      throw error;
    }
    this.#ways = ways;
    this.#quiet = quiet;
  }

  async #journaled(actor: string, name: string, way: AlertWay | null): Promise<void> {
    const { journal, now } = this.#options;
    const says = way && wayText(way);
    await journal.append({ time: now(), actor, kind: 'alert_way_set', body: { name, says } });
  }

  async #quietJournaled(actor: string, quiet: QuietHours | null): Promise<void> {
    const { journal, now } = this.#options;
    await journal.append({ time: now(), actor, kind: 'quiet_hours_set', body: { says: quiet && quietText(quiet) } });
  }

  /** What went wrong on a way says nothing of it as it is now. What it was not told yet is told there, where that is still wanted. */
  async #beginAnew(name: string): Promise<void> {
    const queue = this.#queues.get(name);
    const waiting = queue === undefined ? [] : await queue.close();
    if (this.#isClosed) return;
    this.#queues.delete(name);
    const kinds = this.list().find((way) => way.name === name)?.kinds ?? [];
    for (const { call, untold } of waiting) {
      if (!kinds.includes(call.kind) || !this.#queueOf(name).tell(call, untold)) untold();
    }
  }

  #expect(name: string): void {
    if (this.list().some((way) => way.name === name)) return;
    throw new DeskError('unknown_way', `There is no way ${name} for alerts.`, {
      remedy: 'See what there is: makerdesk alert-ways.',
    });
  }
}

/** What a secret is for: it is sent nowhere else. */
function serverOf(way: Exclude<AlertWay, { how: 'command' }>): string {
  return way.how === 'webhook' ? way.url : `${way.user ?? ''}@${way.host}:${way.port}`;
}

/** A way as it is kept and shown: what may be secret of its address is behind a mark. */
function withoutUrl(way: AlertWay): AlertWay {
  if (way.how !== 'webhook' || markOf(way.url) !== null) return way;
  return { ...way, url: sealedForm(way.url, fingerprint(way.url)) };
}
