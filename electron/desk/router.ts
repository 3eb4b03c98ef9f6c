import { createRouterClient } from '@orpc/server';
import { COMMAND_HEADER, isCommand, readCommand } from '../contract/commands.ts';
import type { PracticeControl, PracticeStarter } from '../contract/practice.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';
import type { Hedging } from '../hedge/hedging.ts';
import type { NftOrders } from '../quoting/nft-orders.ts';
import type { Surface } from '../surface/surface.ts';
import type { AlertBoard } from './alert-board.ts';
import type { AlertCaller } from './alerts/caller.ts';
import type { ChainChecks } from './chain-checks.ts';
import type { CommandRecord } from './command-record.ts';
import type { Passphrase } from './credentials.ts';
import { alertHandlers } from './handlers/alerts.ts';
import { approvalHandlers } from './handlers/approvals.ts';
import { type CallContext, os } from './handlers/base.ts';
import { blacklistHandlers, limitHandlers, listingHandlers } from './handlers/book.ts';
import { deskHandlers } from './handlers/desk.ts';
import { fillHandlers } from './handlers/fills.ts';
import { fleetHandlers } from './handlers/fleet.ts';
import { formulaHandlers } from './handlers/formulas.ts';
import { handoverHandlers } from './handlers/handover.ts';
import { hedgeHandlers } from './handlers/hedge.ts';
import { journalHandlers } from './handlers/journal.ts';
import { keyHandlers } from './handlers/key.ts';
import { ladderHandlers } from './handlers/ladders.ts';
import { logHandlers } from './handlers/log.ts';
import { nameHandlers } from './handlers/names.ts';
import { nftOrderHandlers } from './handlers/nft-orders.ts';
import { onChainHandlers } from './handlers/on-chain.ts';
import { pastHandlers } from './handlers/past.ts';
import { practiceHandlers } from './handlers/practice.ts';
import { protectionHandlers } from './handlers/protections.ts';
import { resultHandlers } from './handlers/results.ts';
import { savedFilterHandlers } from './handlers/saved-filters.ts';
import { serviceHandlers } from './handlers/service.ts';
import { type SurfaceMover, settingsHandlers } from './handlers/settings.ts';
import { type TokenDoors, tokenHandlers } from './handlers/tokens.ts';
import { tradingHandlers } from './handlers/trading.ts';
import { whatIfHandlers } from './handlers/what-if.ts';
import { heldActions } from './held-actions.ts';
import type { HeldSigner } from './held-signer.ts';
import type { KeyLock } from './key-lock.ts';
import type { LiveView } from './live-view.ts';
import { expectMay, peopleOf } from './may-call.ts';
import type { MidHistory } from './mid-history.ts';
import { refusedError } from './refused.ts';
import type { Rooms } from './rooms.ts';
import { RowFeed } from './row-feed.ts';
import type { Seals } from './seals.ts';
import { SecondPerson } from './second-person.ts';
import type { StandingProtections } from './standing-protections.ts';
import type { WatchedChains } from './watched-chains.ts';

/** Answers the whole contract, each operation to those who may ask for it. Inputs and outputs are checked against it; what a room throws becomes `REFUSED`. */
export function createRouter(options: {
  rooms: Rooms;
  view: LiveView;
  alerts: AlertBoard;
  /** Left out where no desk runs. */
  caller?: AlertCaller;
  passphrase: Passphrase;
  /** Null where no desk runs, only its folder is open. */
  signer: HeldSigner | null;
  /** The key that signs, or why there is none now; of a folder too. */
  key: Parameters<typeof onChainHandlers>[1];
  /** Null where no desk runs. */
  keyLock: KeyLock | null;
  mids: MidHistory | null;
  seals: Seals;
  standing: StandingProtections;
  running: boolean;
  /** Null where no desk runs. */
  hedging: Hedging | null;
  /** Null where no desk runs. */
  nftOrders: NftOrders | null;
  /** Makes the self-check; also where only the folder is open. */
  checks: ChainChecks;
  /** What is asked about the service. */
  service: Parameters<typeof serviceHandlers>[0] & { watched: Pick<WatchedChains, 'accept' | 'otherGenesis'> };
  /** Resolves once nothing that was answered before is handed over any more by a surface elsewhere; without it there is none. */
  handedOver?: () => Promise<void> | undefined;
  /** Null where the desk is in no fleet, or does not run. */
  fleet: Pick<FleetWatch, 'takeOver' | 'switchSurface'> | null;
  /** Null beside a real desk. */
  practice: PracticeControl | null;
  /** The user who runs the desk. */
  owner: string;
  /** What consoles have asked for by an id; left out where no desk runs. */
  commands?: Pick<CommandRecord, 'once'>;
  /** Where those who have a token are let in; null where no desk runs. */
  doors: TokenDoors | null;
  /** Tells the service a line; left out where no desk runs. */
  say?: Surface['say'];
  /** Makes the surface listen elsewhere and gives its URL; only of a running real desk. */
  moveSurface?: SurfaceMover;
  /** Where it listens; left out where no desk runs. */
  surfaceUrl?: () => string;
  /** Only where the door can put a practice desk beside this one. */
  startPractice?: PracticeStarter;
}) {
  const { rooms, passphrase, signer, running, owner, commands } = options;
  const people = () => peopleOf(owner, rooms.credentials.tokens());
  const feed = new RowFeed(rooms.journal, rooms.log);
  const secondPerson = new SecondPerson({
    rooms,
    actions: heldActions(rooms, {
      watched: options.service.watched,
      signer: () => signer?.said().address ?? null,
      surfaceUrl: () => options.surfaceUrl?.() ?? null,
    }),
    carryOut: (operation, input, context) => calledAs(router, operation, input, context),
    people,
    running,
  });
  const router = os
    .use(async ({ next, context, procedure, path }, input) => {
      try {
        const { right } = procedure['~orpc'].meta;
        expectMay(right, context, people);
        const admitted = async () => {
          const operation = path.join('.');
          const { still: isAsked = context.still } = await secondPerson.admit({ operation, right, input, context });
          // What takes long asks again before it changes anything: the leave of whoever asked may be taken away meanwhile.
          const still = () => {
            isAsked?.();
            expectMay(right, context, people);
          };
          still();
          return next({ context: { still } });
        };
        const command = commands === undefined ? null : readCommand(context.reqHeaders?.get(COMMAND_HEADER));
        if (commands === undefined || command === null || !isCommand(procedure)) return await admitted();
        return await commands.once(command, { who: context.actor, path, input }, admitted);
      } catch (error) {
        throw refusedError(error, rooms.log);
      }
    })
    .router({
      alerts: alertHandlers(options.alerts, rooms.ways, options.caller),
      trading: tradingHandlers(rooms, options.service.watched, options.checks, options.handedOver),
      desk: deskHandlers(rooms, options),
      ladders: ladderHandlers(rooms, options.view),
      formulas: formulaHandlers(rooms, options.service.outside.references),
      listings: listingHandlers(rooms, options.checks, options.hedging),
      limits: limitHandlers(rooms),
      protections: protectionHandlers(rooms, options.standing),
      blacklist: blacklistHandlers(rooms),
      names: nameHandlers(rooms),
      savedFilters: savedFilterHandlers(rooms),
      log: logHandlers(rooms, feed),
      journal: journalHandlers(rooms),
      past: pastHandlers(rooms),
      whatIf: whatIfHandlers(rooms),
      fills: fillHandlers(rooms, feed),
      results: resultHandlers(rooms),
      handover: handoverHandlers(rooms, options.view),
      hedge: hedgeHandlers(rooms, options.hedging),
      nftOrders: nftOrderHandlers(options.nftOrders),
      onChain: onChainHandlers(rooms, options.key, options.hedging, options.checks),
      key: keyHandlers(options.keyLock),
      settings: settingsHandlers(rooms, passphrase, signer, running, options.moveSurface),
      service: serviceHandlers(options.service, options.say),
      tokens: tokenHandlers(rooms, owner, options.doors),
      practice: practiceHandlers(options.practice, options.startPractice ?? null),
      fleet: fleetHandlers(options.fleet),
      approvals: approvalHandlers(rooms, () => secondPerson, people),
    });
  return { router, secondPerson };
}

export type DeskRouter = ReturnType<typeof createRouter>['router'];

/** Carries an operation out by its name, `limits.set`, as a console of this person would. */
function calledAs(router: DeskRouter, operation: string, input: unknown, context: CallContext): Promise<unknown> {
  const [room = '', name = ''] = operation.split('.');
  // By its name alone no type is known of it: its input is checked by its own schema, as any other is.
  const client = createRouterClient(router, { context }) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  const called = client[room]?.[name];
  if (called === undefined) throw new Error(`There is no operation ${operation}.`);
  return called(input);
}
