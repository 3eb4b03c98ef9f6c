import type { Command } from 'commander';
import { makeDeskFolder } from '../desk/folder.ts';
import { addFleetOptions, type FleetOptions, openFleet, throwRights } from './fleet.ts';
import { takePassphrase } from './passphrase.ts';
import { print } from './print.ts';
import { addLogOption, closeOnSignals, machineName, openServedLog, portIn, type ServeOptions } from './serve.ts';
import { fleetNameOf } from './typed-values.ts';

type Options = Pick<ServeOptions, 'surfacePort' | 'surfaceHost' | 'metricsPort' | 'log'> &
  FleetOptions & { name: string };

/** A surface of a desk that is elsewhere. */
export function addSurface(program: Command, folderOf: () => string): void {
  const command = program.command('surface').description('serve the desk of a fleet from here, without a key');
  addLogOption(addFleetOptions(command, true))
    .option('--surface-port <n>', 'port of the maker surface; 0 takes a free one', portIn('--surface-port'), 8787)
    .option('--surface-host <host>', 'address the surface listens on', '127.0.0.1')
    .option(
      '--metrics-port <n>',
      'port on which the surface gives its figures to Prometheus; 0 takes a free one',
      portIn('--metrics-port'),
    )
    .option('--name <name>', 'what this surface is called in the fleet', fleetNameOf, machineName())
    .action((options: Options) => serveSurface(folderOf(), options));
}

async function serveSurface(folder: string, options: Options): Promise<void> {
  makeDeskFolder(folder);
  const { log } = await openServedLog(folder, options);
  const { openFarSurface } = await import('../desk/far-surface.ts');
  const { endOnUncaught } = await import('../desk/break-off.ts');
  endOnUncaught({ folder, log, desk: () => null, exit: process.exit });
  const passphrase = await takePassphrase('Passphrase of the surfaces');
  const { name, fleet: place, surfaceHost: host, surfacePort: port, metricsPort } = options;
  const server = await openFleet(options, `surface.${name}`);
  const opening = openFarSurface({ folder, host, port, name, place, server, passphrase, metricsPort, log });
  const surface = await opening.catch(throwRights);
  closeOnSignals(surface, log.error);
  const { url, metrics } = surface;
  const ready = { ready: true, surface: url, ...(metrics !== null && { metrics }), name, pid: process.pid };
  await print(`${JSON.stringify(ready)}\n`);
}
