import { ServiceClient } from '../service/service-client.ts';
import { ReferencePolls } from './reference-polls.ts';
import { RepeatedRefusals } from './repeated-refusals.ts';
import { Restrictions } from './restrictions.ts';
import type { Rooms } from './rooms.ts';
import { Services } from './services.ts';
import { TakersPolls } from './takers-polls.ts';

type OutsideRooms = Pick<Rooms, 'book' | 'guard' | 'journal' | 'credentials' | 'now' | 'log'>;

/** What the desk learns from outside beside the chain: reference prices, takers, orders, and how the service treats us. */
export class Outside {
  readonly references: ReferencePolls;
  readonly takers: TakersPolls;
  readonly restrictions: Restrictions;
  readonly refusals: RepeatedRefusals;
  readonly client: ServiceClient;
  /** Each chain's service, for operations of market and intents; all of the desk take turns there. */
  readonly services: Services;
  readonly #rooms: OutsideRooms;

  private constructor(rooms: OutsideRooms, services: Services, practice: boolean) {
    this.#rooms = rooms;
    this.services = services;
    this.references = new ReferencePolls({ ...rooms, service: (chainId) => services.of(chainId) });
    const { turns } = services;
    this.takers = new TakersPolls(rooms, turns, practice);
    this.restrictions = new Restrictions(rooms);
    this.refusals = new RepeatedRefusals(rooms);
    this.client = new ServiceClient(rooms.now, turns, (url) => rooms.credentials.serviceKeyOf(url));
  }

  /** `practice`: beside a practice market, whose takers are taken as it names them. */
  static async open(rooms: OutsideRooms, { practice }: { practice: boolean }): Promise<Outside> {
    return new Outside(rooms, await Services.open(rooms), practice);
  }

  /** Begins to ask. A folder on which no desk runs asks nobody. */
  start(): void {
    const { log } = this.#rooms;
    this.references.start();
    this.takers.start();
    Promise.all([this.restrictions.readBack(this.#rooms), this.refusals.readBack(this.#rooms)]).catch(
      (error: unknown) => log.warn('refusals before the start could not be read', { error: String(error) }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.services.stop(), this.references.stop(), this.takers.stop()]);
  }
}
