import { hostname } from 'node:os';
import { type Command, Option } from 'commander';
import type { DeskReady } from '../contract/process-messages.ts';
import type { Desk } from '../desk/desk.ts';
import { makeDeskFolder } from '../desk/folder.ts';
import type { Log, LogForm } from '../desk/log.ts';
import { readyFor } from '../desk/ready-for.ts';
import type { DeskFleet } from '../desk/take-seat.ts';
import type { FleetPlace } from '../fleet/fleet-place.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { addFleetOptions, type FleetOptions } from './fleet.ts';
import { takePassphrase } from './passphrase.ts';
import { practiceBeside } from './practice-beside.ts';
import { print } from './print.ts';
import { consoleOriginOf, fleetNameOf, portOf } from './typed-values.ts';

export interface ServeOptions {
  surfacePort: number;
  consolePort: number;
  consoleUrl: readonly URL[];
  surfaceHost: string;
  pricesPort?: number;
  metricsPort?: number;
  alertCommand?: string;
  log?: LogForm;
}

/** A desk is loaded only when one is run: every other command starts without it. */
export function addServe(program: Command, folderOf: () => string, actor: string): void {
  const command = program.command('serve').description('run the desk without a window');
  addFleetOptions(addServeOptions(command), false)
    .option('--no-fleet', 'this desk leaves its fleet: no other desk of it will ever run again')
    .option('--name <name>', 'what this desk is called in its fleet', fleetNameOf, machineName())
    .action(
      async (options: ServeOptions & Omit<FleetOptions, 'fleet'> & { fleet?: FleetPlace | boolean; name: string }) => {
        const { fleet: place, fleetCredentials, fleetCa, name } = options;
        if (typeof place !== 'object' && (fleetCredentials ?? fleetCa) !== undefined) throw noFleetNamed();
        const folder = folderOf();
        makeDeskFolder(folder);
        const { log, form } = await openServedLog(folder, options);
        const passphrase = await takePassphrase('Passphrase of the keystore');
        const { takeSeat } = await import('../desk/take-seat.ts');
        const access = { credentials: fleetCredentials ?? null, authority: fleetCa ?? null };
        const fleet = typeof place === 'object' ? await takeSeat(place, access, name) : undefined;
        await runDesk({ folder, actor, options, passphrase, log, form, fleet, leavesFleet: place === false });
      },
    );
}

function noFleetNamed(): DeskError {
  return new DeskError('bad_fleet_url', 'Credentials or an authority are given for a fleet, and no fleet is named.', {
    remedy: 'Give its address as well: --fleet nats://HOST:PORT/NAME.',
  });
}

/** The name of this machine as a fleet takes it. */
export function machineName(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9_-].*$/g, '')
      .slice(0, 32) || 'desk'
  );
}

/** The log of a desk without a window, in the form that whoever reads it needs. */
export async function openServedLog(
  folder: string,
  options: Pick<ServeOptions, 'log'>,
): Promise<{ log: Log; form: LogForm }> {
  const { openDeskLog } = await import('../desk/log.ts');
  const form = logFormOf(options);
  return { log: openDeskLog(folder, Date.now, form), form };
}

/** Runs a desk without a window until a signal ends it, and says where it listens. */
export async function runDesk(of: {
  folder: string;
  actor: string;
  options: ServeOptions;
  passphrase: string;
  log: Log;
  form: LogForm;
  fleet: DeskFleet | undefined;
  leavesFleet?: boolean;
}): Promise<void> {
  const { folder, actor, passphrase, log, form, fleet, leavesFleet } = of;
  const [{ endOnUncaught }, { openDesk }] = await Promise.all([
    import('../desk/break-off.ts'),
    import('../desk/desk.ts'),
  ]);
  let running: Desk | null = null;
  endOnUncaught({ folder, log, desk: () => running, exit: process.exit });
  const practice = practiceBeside(folder);
  const { surfacePort, consolePort, consoleUrl, surfaceHost, pricesPort, metricsPort, alertCommand } = of.options;
  const ports = { surfacePort, consolePort, consoleUrls: consoleUrl, surfaceHost, pricesPort, metricsPort };
  const desk = await openDesk({
    ...ports,
    alertCommand,
    folder,
    actor,
    passphrase,
    log,
    startPractice: practice.start,
    fleet,
    leavesFleet,
  });
  running = desk;
  const close = async () => {
    await practice.close();
    await desk.close();
  };
  closeOnSignals({ close }, log.error);
  await printReady(desk.ready, folder, form);
}

/** The options of every command that runs a desk without a window. */
export function addServeOptions(command: Command): Command {
  return addLogOption(command)
    .option('--surface-port <n>', 'port of the maker surface; 0 takes a free one', portIn('--surface-port'), 8787)
    .option('--console-port <n>', 'port of the console; 0 takes a free one', portIn('--console-port'), 8788)
    .option(
      '--console-url <url>',
      'https address at which a reverse proxy has the console, for people with a token; may be given more than once',
      (text: string, others: readonly URL[]) => [...others, consoleOriginOf(text, '--console-url')],
      [],
    )
    .option(
      '--prices-port <n>',
      'port on which engines push prices; 0 takes a free one; 8791 once there is a token for prices',
      portIn('--prices-port'),
    )
    .option(
      '--metrics-port <n>',
      'port on which the desk gives its figures to Prometheus; 0 takes a free one',
      portIn('--metrics-port'),
    )
    .option('--alert-command <file>', 'program that is run when something stops, and again when that is over')
    .option('--surface-host <host>', 'address the surface listens on', '127.0.0.1');
}

export function addLogOption(command: Command): Command {
  const form = new Option('--log <form>', 'lines for a person (at a terminal) or for a program');
  return command.addOption(form.choices(['text', 'json']));
}

/** Reads what stands behind the option `name` as a port. */
export function portIn(name: string): (text: string) => number {
  return (text) => portOf(text, name);
}

/** How a desk without a window writes its log: what was asked for, else as whoever reads stderr needs it. */
export function logFormOf({ log }: Pick<ServeOptions, 'log'>): LogForm {
  return log ?? (process.stderr.isTTY ? 'text' : 'json');
}

/**
 * Says that a desk is ready: one line of JSON on stdout for programs, and at a terminal what runs and where the console
 * is, above the lines of the log.
 */
export async function printReady(ready: DeskReady, folder: string, form: LogForm): Promise<void> {
  if (form === 'text') process.stderr.write(readyScreen(readyFor(2, ready), folder));
  if (form === 'json' || !process.stdout.isTTY) {
    await print(`${JSON.stringify({ ready: true, ...readyFor(1, ready) })}\n`);
  }
}

const OPEN_IT = 'open it in a browser on this machine';

function readyScreen(ready: DeskReady, folder: string): string {
  const { console, surface, prices, metrics, service, rpc, fleet, surfaces } = ready;
  const rows: [string, string | null | undefined, string][] = [
    ['Console', console, console?.includes('#') ? OPEN_IT : '"makerdesk console" tells its address with the token'],
    ['Surface', surface, 'what the service calls'],
    ['Prices', prices, 'where engines push them'],
    ['Metrics', metrics, 'what watches the desk asks there'],
    ['Service', service, 'the practice service'],
    ['Chain', rpc, 'the practice chain'],
    ['Fleet', fleet, 'the practice fleet server'],
    ['Surfaces', surfaces?.join(' '), 'what the practice service calls, in turn'],
    ['Folder', folder, 'journal, key and log'],
  ];
  const lines = rows.flatMap(([name, value, what]) =>
    !value ? [] : [`  ${name.padEnd(9)}${value}`, `  ${' '.repeat(9)}${what}`],
  );
  const title = service === undefined ? 'Makerdesk runs.' : 'Makerdesk runs a practice desk.';
  return `\n${title}\n\n${lines.join('\n')}\n\n  Ctrl+C ends it; "makerdesk halt" stops it at once. What happens:\n\n`;
}

/** SIGTERM and Ctrl-C end the desk cleanly; a second one at once. */
export function closeOnSignals(
  desk: Pick<Desk, 'close'>,
  complain: (line: string, facts: { error: string }) => void,
): void {
  let closing = false;
  const close = () => {
    if (closing) process.exit(1);
    closing = true;
    desk.close().then(
      () => process.exit(0),
      (error: unknown) => {
        complain('the desk did not close cleanly', { error: String(error) });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', close);
  process.on('SIGINT', close);
  // A practice desk that another desk started: that one is gone, however it ended.
  process.on('disconnect', () => {
    if (!closing) close();
  });
}
