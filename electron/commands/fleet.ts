import type { Command } from 'commander';
import type { Engine } from '../fleet/engine.ts';
import { fleetPlace } from '../fleet/fleet-place.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { fleetUrlOf } from './typed-values.ts';

/** Where a command finds the fleet. */
export interface FleetOptions {
  fleet: string;
  fleetCredentials?: string;
}

export function addFleetOptions(command: Command): Command {
  return command
    .requiredOption('--fleet <url>', 'address of the fleet: nats://HOST:PORT/NAME, or tls://', fleetUrlOf)
    .option('--fleet-credentials <file>', 'file of credentials for it: a .creds file, or an NKey seed');
}

/** Connects to the fleet; what it needs is loaded here and by nobody who does not ask for a fleet. Throws as `openEngine` does. */
export async function openFleet({
  fleet,
  fleetCredentials,
}: {
  fleet: string;
  fleetCredentials?: string | undefined;
}): Promise<Engine> {
  const { openEngine } = await import('../fleet/engine.ts');
  return openEngine(fleetPlace(fleet, fleetCredentials ?? null));
}

/** What the desks of a fleet are doing, asked of the engine: it answers also where a desk does not. */
export function addFleet(program: Command, actor: string): void {
  const fleet = program.command('fleet').description('the desks that share one journal over an engine');
  addFleetOptions(fleet.command('status').description('who writes, and who follows how far'))
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
  ).action(async (name: string, place: FleetOptions) => {
    const before = await withFleet(place, async (engine) => {
      const { isHeard, askToTakeOver } = await import('../fleet/standby-rows.ts');
      const { seatHolder } = await import('../fleet/seat.ts');
      if (!(await isHeard(engine, name))) throw unknownStandby(name);
      const holder = (await seatHolder(engine))?.holder ?? null;
      await askToTakeOver(engine, name, actor);
      await until(async () => {
        const now = (await seatHolder(engine))?.holder;
        return now?.name === name && now.turn !== holder?.turn;
      });
      return holder;
    });
    const stopped = before === null ? '' : ` ${before.name} writes no more.`;
    await print(`${name} takes over.${stopped} It starts halted: look at it, then resume.\n`);
  });
}

interface Seen {
  desk: { name: string; turn: number; heard: boolean } | null;
  row: number;
  standbys: { name: string; row: number; behind: number; hasKey: boolean }[];
}

async function look(engine: Engine): Promise<Seen> {
  const [{ seatHolder }, { hearStandbys }, { RowsStream }] = await Promise.all([
    import('../fleet/seat.ts'),
    import('../fleet/standby-rows.ts'),
    import('../fleet/rows-stream.ts'),
  ]);
  const before = await seatHolder(engine);
  // Long enough that whoever lives renews it and says something.
  const standbys = await hearStandbys(engine);
  const after = await seatHolder(engine);
  const last = await new RowsStream(engine).last();
  const row = last?.head.seq ?? 0;
  return {
    desk:
      after === null
        ? null
        : {
            name: after.holder.name,
            turn: after.holder.turn,
            heard: !after.holder.left && after.revision !== before?.revision,
          },
    row,
    standbys: standbys.map((one) => ({ ...one, behind: Math.max(0, row - one.row) })),
  };
}

function statusText({ desk, row, standbys }: Seen): string {
  const writer =
    desk === null
      ? 'No desk has written yet.'
      : `${desk.name} writes, at row ${row}${desk.heard ? '' : ', and is not heard at this moment'}.`;
  if (standbys.length === 0) return `${writer}\nNo standby is heard.\n`;
  const columns = [
    { head: 'Standby', cell: ({ name }: Seen['standbys'][number]) => name },
    { head: 'Row', cell: (one: Seen['standbys'][number]) => `${one.row}` },
    { head: 'Behind', cell: (one: Seen['standbys'][number]) => `${one.behind}` },
    { head: 'Key', cell: (one: Seen['standbys'][number]) => (one.hasKey ? 'yes' : 'none') },
  ];
  return `${writer}\n${tableText(columns, standbys)}`;
}

async function withFleet<T>(place: FleetOptions, act: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openFleet(place);
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

const PATIENCE_MS = 10_000;
const EVERY_MS = 100;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isSo()); ) {
    if (performance.now() - begun > PATIENCE_MS) {
      throw new DeskError('no_answer', 'The standby did not take over in time.', {
        remedy: 'Look at its log, and at makerdesk fleet status.',
      });
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}

function unknownStandby(name: string): DeskError {
  return new DeskError('unknown_standby', `No standby called ${name} is heard.`, {
    remedy: 'See makerdesk fleet status for those that are.',
  });
}
