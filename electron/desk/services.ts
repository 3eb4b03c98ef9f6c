import type { ChainBook } from '../book/chain-book.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { ServiceConnection } from '../service/service-connection.ts';
import { Turns } from '../service/turns.ts';
import type { Rooms } from './rooms.ts';

/**
 * The services that the chains of the desk name, a connection for each address and intent name: chains that share both share
 * it. Whoever asks a service here takes his turn with everybody else of the desk.
 */
export class Services {
  readonly turns = new Turns();
  readonly #rooms: Pick<Rooms, 'book' | 'credentials' | 'now'>;
  readonly #connections = new Map<string, ServiceConnection>();
  readonly #ending = new AbortController();

  constructor(rooms: Pick<Rooms, 'book' | 'credentials' | 'now'>) {
    this.#rooms = rooms;
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
    const connection = new ServiceConnection({ serviceUrl, intentSegment, turns, now, apiKey, signal });
    this.#connections.set(key, connection);
    return connection;
  }

  /** Ends whatever waits for an answer or a turn. */
  stop(): void {
    this.#ending.abort(new DeskError('desk_stopping', 'The desk is being closed.'));
  }
}

/** The address of a chain's service. Throws DeskError `unknown_chain`, and `no_service` where the desk file names none. */
export function serviceUrlOf(chain: ChainBook | undefined, chainId: number): string {
  if (chain === undefined) throw new DeskError('unknown_chain', `Chain ${chainId} is not one of this desk.`);
  const { serviceUrl } = chain.config;
  if (serviceUrl !== null) return serviceUrl;
  throw new DeskError('no_service', `Chain ${chainId} has no service that could be asked.`, {
    remedy: 'Set serviceUrl in the desk file.',
  });
}
