import type { ChainBook } from '../book/chain-book.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { isSafeFromOthers } from '../protocol/loopback.ts';
import { ServiceConnection } from '../service/service-connection.ts';
import { type AskedDays, askedDaysSchema, Turns } from '../service/turns.ts';
import type { Rooms } from './rooms.ts';

type ServiceRooms = Pick<Rooms, 'book' | 'journal' | 'credentials' | 'now' | 'log'>;

/** Under which name the day's questions are kept beside the journal. */
const ASKED = 'service-asked';

/**
 * The services that the chains of the desk name, a connection for each address and intent name: chains that share both share
 * it. Whoever asks a service here takes their turn with everybody else of the desk, and what was asked today outlives the desk.
 */
export class Services {
  readonly turns: Turns;
  readonly #rooms: ServiceRooms;
  readonly #connections = new Map<string, ServiceConnection>();
  readonly #ending = new AbortController();

  private constructor(rooms: ServiceRooms, noted: AskedDays) {
    this.#rooms = rooms;
    const { credentials, now, log } = rooms;
    const note = (days: AskedDays) =>
      void this.#keep(days).catch((error: unknown) =>
        log.warn('what was asked of the service today could not be kept', { error: String(error) }),
      );
    this.turns = new Turns(undefined, (url) => credentials.serviceKeyOf(url) !== undefined, now, { noted, note });
  }

  /** Takes up what was asked today by the desk before; what cannot be read is as if nothing was. */
  static async open(rooms: ServiceRooms): Promise<Services> {
    const kept = await rooms.journal.read.setting(ASKED);
    const { data, error } = askedDaysSchema.safeParse(kept ?? {});
    if (error) rooms.log.warn('what was asked of the service today could not be read', { error: error.message });
    return new Services(rooms, data ?? {});
  }

  /**
   * The service of a chain as it is configured now: ask for it each time, a connection that is held on to stays with the old
   * address. Throws DeskError `unknown_chain`, and `no_service` where the desk file names none.
   */
  of(chainId: number): ServiceConnection {
    const { book, credentials, now } = this.#rooms;
    const chain = book.chain(chainId);
    const serviceUrl = serviceUrlOf(chain, chainId);
    const intentSegment = chain?.config.intentSegment;
    const key = `${intentSegment} ${serviceUrl}`;
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const { turns } = this;
    const { signal } = this.#ending;
    const apiKey = () => credentials.serviceKeyOf(serviceUrl);
    const whole = book.seals.whole(serviceUrl);
    const connection = new ServiceConnection({ serviceUrl: whole, intentSegment, turns, now, apiKey, signal });
    this.#connections.set(key, connection);
    return connection;
  }

  /** Ends whatever waits for an answer or a turn, and keeps what was asked to the last question. */
  async stop(): Promise<void> {
    this.#ending.abort(new DeskError('desk_stopping', 'The desk is being closed.'));
    // A journal that cannot be written has what was noted ahead.
    await this.#keep(this.turns.asked()).catch(() => {});
  }

  async #keep(days: AskedDays): Promise<void> {
    await this.#rooms.journal.put({ table: 'settings', key: ASKED, value: days });
  }
}

/**
 * The address of a chain's service. Throws DeskError `unknown_chain`, `no_service` where the desk file names none, and
 * `service_not_private` for http to another machine.
 */
export function serviceUrlOf(chain: ChainBook | undefined, chainId: number): string {
  if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  const { serviceUrl } = chain.config;
  if (serviceUrl !== null && isSafeFromOthers(serviceUrl)) return serviceUrl;
  if (serviceUrl !== null) {
    throw new DeskError(
      'service_not_private',
      `${serviceUrl} is not asked: others could read and change what is said.`,
      {
        remedy:
          'Give it an address with https under Settings, Chains. Only a service on this machine is asked over http.',
      },
    );
  }
  throw new DeskError('no_service', `Chain ${chainId} has no service that could be asked.`, {
    remedy: 'Name its service under Settings, Chains.',
  });
}
