import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type FleetPlace, fleetPlace } from '../fleet/fleet-place.ts';
import type { FleetRole, FleetServer } from '../fleet/fleet-server.ts';
import type { StandbyRow } from '../fleet/standby-rows.ts';
import type { SurfaceRow } from '../fleet/surface-rows.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { type Column, tableText } from './table.ts';

/** Where a command finds the fleet. */
export interface FleetOptions {
  fleet: FleetPlace;
  fleetCredentials?: string | undefined;
  fleetCa?: string | undefined;
}

/** The options that name a fleet; `isNeeded`: nothing is done without one. */
export function addFleetOptions(command: Command, isNeeded: boolean): Command {
  const address = new Option('--fleet <url>', 'address of the fleet: nats://HOST:PORT/NAME, or tls://');
  return command
    .addOption(address.argParser(fleetPlace).makeOptionMandatory(isNeeded))
    .option('--fleet-credentials <file>', 'file of credentials for it: a .creds file, or an NKey seed')
    .option(
      '--fleet-ca <file>',
      'certificates of the authorities that are believed for it, in place of the known ones',
    );
}

/** Connects to the fleet; what it needs is loaded here and by nobody who does not ask for a fleet. Throws as `openFleetServer` does. */
export async function openFleet(
  { fleet, fleetCredentials = '', fleetCa = '' }: FleetOptions,
  role: FleetRole,
): Promise<FleetServer> {
  const { openFleetServer } = await import('../fleet/fleet-server.ts');
  return openFleetServer(fleet, fleetCredentials || null, { role, authority: fleetCa || null });
}

/** Throws the error, and where a right is missing at the fleet server a refusal that says which. */
export async function throwRights(error: unknown): Promise<never> {
  const { rightsError } = await import('../fleet/fleet-server.ts');
  throw rightsError(error);
}

/** What the desks of a fleet are doing, asked of the fleet server: it answers also where a desk does not. */
export function addFleet(program: Command, folderOf: () => string, actor: string): void {
  const fleet = program.command('fleet').description('the desks that share one journal over a fleet server');
  addFleetOptions(fleet.command('status').description('who writes, and who follows how far'), true)
    .option('--json', 'as JSON')
    .action(async ({ json, ...place }: FleetOptions & { json?: boolean }) => {
      const seen = await withFleet(place, look);
      await print(json ? `${JSON.stringify(seen, null, 2)}\n` : statusText(seen));
      if (seen.desk?.heard !== true) process.exitCode = 1;
    });
  addFleetOptions(
    fleet
      .command('take-over <standby>')
      .description('have a standby take the place of the desk that writes, which stops'),
    true,
  ).action(async (name: string, place: FleetOptions) => {
    const before = await withFleet(place, async (server) => {
      const { askToTakeOver, expectReady, HEARD_AT_LAST_MS, hearStandby } = await import('../fleet/standby-rows.ts');
      const { seatHolder } = await import('../fleet/seat.ts');
      // One whose server was just started again takes a moment.
      const heard = await hearStandby(server, name, AbortSignal.timeout(HEARD_AT_LAST_MS));
      if (heard === null) throw unknownStandby(name);
      expectReady(heard);
      const holder = (await seatHolder(server))?.holder ?? null;
      const over = new AbortController();
      const refused = hearStandby(server, name, over.signal, ({ startFault }) => startFault !== undefined);
      const taken = (async () => {
        await askToTakeOver(server, name, actor);
        await until(async () => {
          const now = (await seatHolder(server))?.holder;
          return now?.name === name && now.turn !== holder?.turn;
        });
        return null;
      })();
      try {
        const row = await Promise.race([taken, refused]);
        if (row !== null) expectReady(row);
        await taken;
      } finally {
        over.abort();
      }
      return holder;
    });
    const stopped = before === null ? '' : ` ${before.name} no longer writes.`;
    await print(`${name} takes over.${stopped} It starts halted: look at it, then resume.\n`);
  });
  fleet
    .command('passphrase')
    .description('print the passphrase of this desk’s surfaces, which follows from that of its keystore')
    .action(async () => {
      const [{ readSecrets }, { surfacesPassphrase }, { readPassphrase }] = await Promise.all([
        import('../signer/secrets.ts'),
        import('../signer/surfaces-passphrase.ts'),
        import('./passphrase.ts'),
      ]);
      const passphrase = await readPassphrase('Passphrase of the desk’s keystore');
      const { counterparties } = await readSecrets(folderOf(), passphrase);
      if (Object.keys(counterparties).length === 0) {
        throw new DeskError('surface_needs_counterparties', `No counterparty has credentials in ${folderOf()}.`, {
          remedy: 'Add one first: a surface answers nobody else. Or name the folder of the desk with --data.',
        });
      }
      await print(`${await surfacesPassphrase(passphrase)}\n`);
    });
  addSwitches(fleet, actor);
}

/** How surfaces are switched: `WORD NAME`, and what that does. */
const SWITCHES = [
  ['off', 'off', 'have a surface serve nothing from now on, not even after a start'],
  ['drain', 'draining', 'have a surface show no prices, and still answer firm requests'],
  ['on', 'on', 'have a surface serve again'],
] as const;

function addSwitches(fleet: Command, actor: string): void {
  for (const [word, to, description] of SWITCHES) {
    addFleetOptions(fleet.command(`${word} <surface>`).description(description), true).action(
      async (name: string, place: FleetOptions) => {
        await withFleet(place, async (server) => {
          const { hearSurfaces, isSurfaceHeard, switchSurface } = await import('../fleet/surface-rows.ts');
          if (!(await isSurfaceHeard(server, name))) throw unknownSurface(name);
          await switchSurface(server, name, to, actor);
          await until(async () => (await hearSurfaces(server)).some((one) => one.name === name && one.switched === to));
        });
        await print(`${name} is ${to}.\n`);
      },
    );
  }
}

interface Seen {
  desk: { name: string; turn: number; heard: boolean } | null;
  row: number;
  standbys: SeenStandby[];
  surfaces: SurfaceRow[];
}

type SeenStandby = StandbyRow & { behind: number };

const COLUMNS: readonly Column<SeenStandby>[] = [
  { head: 'Standby', cell: ({ name }) => name },
  { head: 'Row', cell: ({ row }) => `${row}` },
  { head: 'Behind', cell: ({ behind }) => `${behind}` },
  { head: 'Key', cell: ({ hasKey }) => (hasKey ? 'yes' : 'none') },
  { head: 'Ready', cell: ({ startFault }) => startFault ?? 'yes' },
];

const SURFACE_COLUMNS: readonly Column<SurfaceRow>[] = [
  { head: 'Surface', cell: ({ name }) => name },
  { head: 'Listens at', cell: ({ url }) => url },
  { head: 'Version', cell: ({ version }) => version },
  { head: 'Switched', cell: ({ switched }) => switched },
];

async function look(server: FleetServer): Promise<Seen> {
  const [{ seatHolder }, { hearStandbys }, { hearSurfaces }, { RowsStream }] = await Promise.all([
    import('../fleet/seat.ts'),
    import('../fleet/standby-rows.ts'),
    import('../fleet/surface-rows.ts'),
    import('../fleet/rows-stream.ts'),
  ]);
  const before = await seatHolder(server);
  // Long enough that whoever lives renews it and says something.
  const [standbys, surfaces] = await Promise.all([hearStandbys(server), hearSurfaces(server)]);
  const after = await seatHolder(server);
  const last = await new RowsStream(server).last();
  const row = last?.head.seq ?? 0;
  return {
    desk:
      after === null || after.holder === null
        ? null
        : {
            name: after.holder.name,
            turn: after.holder.turn,
            heard: !after.holder.left && after.revision !== before?.revision,
          },
    row,
    standbys: standbys.map((one) => ({ ...one, behind: Math.max(0, row - one.row) })),
    surfaces,
  };
}

function statusText({ desk, row, standbys, surfaces }: Seen): string {
  const writer =
    desk === null
      ? 'No desk has written yet.'
      : `${desk.name} writes, at row ${row}${desk.heard ? '' : ', and is not heard at this moment'}.`;
  const standing = standbys.length === 0 ? 'No standby is heard.\n' : tableText(COLUMNS, standbys);
  return `${writer}\n${standing}${surfaces.length === 0 ? '' : tableText(SURFACE_COLUMNS, surfaces)}`;
}

async function withFleet<T>(place: FleetOptions, act: (server: FleetServer) => Promise<T>): Promise<T> {
  const server = await openFleet(place, 'operator');
  try {
    return await act(server);
  } catch (error) {
    return await throwRights(error);
  } finally {
    await server.close();
  }
}

const PATIENCE_MS = 10_000;
const EVERY_MS = 100;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isSo()); ) {
    if (performance.now() - begun > PATIENCE_MS) {
      throw new DeskError('no_answer', 'It did not do so in time.', {
        remedy:
          'It may still: nothing takes the request back. Look at its log, and at makerdesk fleet status --fleet URL.',
      });
    }
    await sleep(EVERY_MS);
  }
}

function unknownSurface(name: string): DeskError {
  return new DeskError('unknown_surface', `No surface called ${name} is heard.`, {
    remedy: 'See makerdesk fleet status --fleet URL for those that are.',
  });
}

function unknownStandby(name: string): DeskError {
  return new DeskError('unknown_standby', `No standby called ${name} is heard.`, {
    remedy: 'See makerdesk fleet status --fleet URL for those that are.',
  });
}
