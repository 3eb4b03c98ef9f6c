import type { Attention } from '../contract/desk-view.ts';
import { type FleetView, type StandbyView, type SurfaceSwitch, takenBy } from '../contract/fleet.ts';
import type { Head } from '../journal/head-file.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { pause } from '../time/pause.ts';
import type { FleetPlace } from './fleet-place.ts';
import { type FleetServer, whyOf } from './fleet-server.ts';
import type { FleetWriter } from './fleet-writer.ts';
import { seatHolder } from './seat.ts';
import { askToTakeOver, expectReady, type StandbyRow, standbyRows } from './standby-rows.ts';
import { switchSurface } from './surface-rows.ts';
import type { FleetSurfaces } from './surfaces.ts';

/** How often the fleet server is asked who stands by, and how it is itself. Milliseconds. */
const LOOK_MS = 1_000;
/** A standby says something every second; one that says nothing for so long is not there. Milliseconds. */
const SILENT_MS = 6_000;
/** One that has not come on for so long although there was something newer does not follow. Milliseconds. */
const STUCK_MS = 30_000;
/** Whoever was not heard for so long is not spoken of any more. Milliseconds. */
const FORGOTTEN_MS = 24 * 3_600_000;
/** A desk that has just started has heard nobody yet. Milliseconds. */
const FIRST_MS = 15_000;

/** A standby, as which revision its row stands in the fleet server, and when it was heard and came on, on a clock that never jumps. */
type Heard = StandbyRow & { revision: number; heardAt: number; heard: number; cameOn: number };

export interface FleetWatchOptions {
  place: FleetPlace;
  server: FleetServer;
  writer: FleetWriter;
  surfaces: Pick<FleetSurfaces, 'view' | 'attention' | 'webSockets'>;
  /** The journal's last row. */
  head: () => Head;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  log: { warn(line: string, facts?: Record<string, unknown>): void };
}

/** What the desk that writes sees of its fleet: whether its rows are there, on how many servers, and who stands by how far. */
export class FleetWatch {
  readonly #options: FleetWatchOptions;
  readonly #since: number;
  readonly #began: number;
  readonly #closed = new AbortController();
  readonly #standbys = new Map<string, Heard>();
  readonly #watching: Promise<void>;
  #copies: FleetView['copies'] = null;
  #writer: string | null = null;

  constructor(options: FleetWatchOptions) {
    this.#options = options;
    this.#since = options.now();
    this.#began = options.monotonic();
    this.#watching = this.#watch(this.#closed.signal);
  }

  view(): FleetView {
    const { place, writer, head } = this.#options;
    const { name, turn } = writer.seat.holder;
    const standbys = [...this.#standbys.values()].map((one): StandbyView => {
      const { name: called, row, hasKey, startFault, heardAt } = one;
      return { name: called, row, hasKey, startFault, heardAt, fault: this.#faultOf(one) };
    });
    return {
      place: place.url,
      name,
      turn,
      since: this.#since,
      row: head().seq,
      ...writer.standing(),
      writer: this.#writer,
      copies: this.#copies,
      standbys: standbys.sort((a, b) => a.name.localeCompare(b.name)),
      surfaces: this.#options.surfaces.view(),
    };
  }

  /** How many connections listen to the prices of a chain at surfaces elsewhere. */
  webSockets(chainId: number): number {
    return this.#options.surfaces.webSockets(chainId);
  }

  /** What of the fleet wants a person: most of it would be found out only when it is needed. */
  attention(): Attention[] {
    const view = this.view();
    const { alone, isOver, standbys, copies } = view;
    const action = { kind: 'page', page: 'fleet' } as const;
    const found: Attention[] = [];
    if (alone !== null) {
      const title = isOver ? `${takenBy(view) ?? 'Another desk'} has taken over` : 'The fleet server is not reached';
      const mend = isOver
        ? 'End this one; the other one trades.'
        : 'Nothing is signed until it is; then this desk is resumed by a person.';
      found.push({ code: 'fleet_alone', level: 'stop', title, detail: `${alone} ${mend}`, action });
    }
    if (isOver) return found;
    found.push(...this.#options.surfaces.attention());
    const isNew = this.#options.monotonic() - this.#began < FIRST_MS;
    if (alone === null && !isNew && standbys.every(({ fault }) => fault === 'silent')) {
      const names = standbys.map(({ name }) => name).join(', ');
      const detail = `${names === '' ? 'No standby has said anything since this desk started' : `Not heard: ${names}`}. If this machine is lost, nobody can take over. Start one: makerdesk standby.`;
      found.push({ code: 'fleet_no_standby', level: 'look', title: 'Nobody stands by', detail, action });
    }
    for (const { name, fault, hasKey, startFault } of standbys) {
      if (fault === 'stuck') {
        const detail =
          'There are newer rows, and it has not taken any for half a minute. Its log says why; what it lacks it would take before it takes over.';
        found.push({ code: `fleet_stuck ${name}`, level: 'look', title: `${name} does not follow`, detail, action });
      }
      if (fault !== 'silent' && startFault !== undefined) {
        const detail = `No desk would start there: ${startFault} Until that is fixed it takes over from nobody.`;
        found.push({
          code: `fleet_not_ready ${name}`,
          level: 'look',
          title: `${name} cannot take over`,
          detail,
          action,
        });
      }
      if (fault === null && !hasKey) {
        const detail = 'After taking over it could sign nothing. Bring the keystore of this desk into its folder.';
        found.push({ code: `fleet_no_key ${name}`, level: 'look', title: `${name} has no key`, detail, action });
      }
    }
    if (copies !== null && copies.level < copies.wanted) {
      const title = `Rows are on only ${copies.level} of ${copies.wanted} servers`;
      const detail = 'A server of the fleet is away or behind. With more of them gone the fleet server takes no rows.';
      found.push({ code: 'fleet_copies', level: 'look', title, detail, action });
    }
    return found;
  }

  /** Has a standby take over; resolves once it was asked. Throws DeskError `unknown_standby`, `standby_not_ready` or `no_answer`. */
  async takeOver(name: string, actor: string): Promise<void> {
    const standby = this.#standbys.get(name);
    if (standby === undefined || this.#faultOf(standby) === 'silent') {
      throw new DeskError('unknown_standby', `No standby called ${name} is heard.`, {
        remedy: 'Start it, and wait until it is heard.',
      });
    }
    expectReady(standby);
    await askToTakeOver(this.#options.server, name, actor).catch(notTaken);
  }

  /** Switches a surface; resolves once the fleet server has it. Throws DeskError `unknown_surface` or `no_answer`. */
  async switchSurface(name: string, to: SurfaceSwitch, actor: string): Promise<void> {
    const { server, surfaces } = this.#options;
    if (!surfaces.view().some((surface) => surface.name === name)) {
      throw new DeskError('unknown_surface', `No surface called ${name} was heard.`, {
        remedy: 'Start it, and wait until it is heard.',
      });
    }
    await switchSurface(server, name, to, actor).catch(notTaken);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watching;
  }

  #faultOf({ row, heard, cameOn }: Heard): StandbyView['fault'] {
    const { monotonic, writer } = this.#options;
    const now = monotonic();
    if (now - heard > SILENT_MS) return 'silent';
    return row < writer.standing().kept && now - cameOn > STUCK_MS ? 'stuck' : null;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for (let fault = ''; !signal.aborted; await pause(LOOK_MS, signal)) {
      try {
        await this.#look();
        fault = '';
      } catch (error) {
        if (fault === '') this.#options.log.warn('who stands by is not known', { error: whyOf(error) });
        fault = whyOf(error);
      }
    }
  }

  async #look(): Promise<void> {
    const { server, writer, now, monotonic } = this.#options;
    const at = monotonic();
    for (const { revision, ...row } of await standbyRows(server, now)) {
      // What this desk said of itself before it took over.
      if (row.name === writer.seat.holder.name) continue;
      const before = this.#standbys.get(row.name);
      // What stood there before this desk looked says nothing of who is there now.
      if (before?.revision === revision) continue;
      const isFirst = before === undefined;
      const cameOn = isFirst || row.row > before.row || row.row >= writer.standing().kept ? at : before.cameOn;
      const heard = isFirst ? Number.NEGATIVE_INFINITY : at;
      this.#standbys.set(row.name, { ...row, revision, heardAt: isFirst ? 0 : now(), heard, cameOn });
    }
    for (const [name, { heard }] of this.#standbys) {
      if (heard !== Number.NEGATIVE_INFINITY && at - heard > FORGOTTEN_MS) this.#standbys.delete(name);
    }
    this.#writer = (await seatHolder(server))?.holder?.name ?? null;
    const { config, cluster } = await server.manager.streams.info(server.names.stream);
    const level = (cluster?.replicas ?? []).filter(({ current, offline }) => current && offline !== true).length;
    this.#copies = { wanted: config.num_replicas, level: Math.min(config.num_replicas, level + 1) };
  }
}

function notTaken(cause: unknown): never {
  throw new DeskError('no_answer', `The fleet server did not take the command: ${whyOf(cause)}.`, { cause });
}
