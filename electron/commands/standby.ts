import type { Command } from 'commander';
import { expectProgram } from '../desk/alerts/command-way.ts';
import { makeDeskFolder, witnessFolder } from '../desk/folder.ts';
import { ArmedFile } from '../guard/armed-file.ts';
import { isDeskError } from '../protocol/desk-error.ts';
import { monotonic } from '../time/monotonic.ts';
import { addFleetOptions, type FleetOptions, openFleet, throwRights } from './fleet.ts';
import { takePassphrase } from './passphrase.ts';
import { print } from './print.ts';
import { addServeOptions, machineName, openServedLog, runDesk, type ServeOptions } from './serve.ts';
import { fleetNameOf, takeOverSecondsOf } from './typed-values.ts';

type Options = ServeOptions & FleetOptions & { name: string; takeOverAfter?: number };

/** A desk that follows the one that writes, and may take its place. */
export function addStandby(program: Command, folderOf: () => string, actor: string): void {
  const command = program.command('standby').description('follow the desk of a fleet, ready to take its place');
  addFleetOptions(addServeOptions(command), true)
    .option('--name <name>', 'what this standby is called in the fleet', fleetNameOf, machineName())
    .option('--take-over-after <seconds>', 'take over by itself once no desk was heard for so long', takeOverSecondsOf)
    .action((options: Options) => standBy(folderOf(), actor, options));
}

async function standBy(folder: string, actor: string, options: Options): Promise<void> {
  const { name, fleet: place, takeOverAfter, alertCommand } = options;
  expectProgram(alertCommand);
  makeDeskFolder(folder);
  const { Standby } = await import('../fleet/standby.ts');
  const { joinFleet } = await import('../fleet/membership.ts');
  const { expectPorts } = await import('../desk/expect-ports.ts');
  const { openSecrets } = await import('../signer/secrets.ts');
  const { log, form } = await openServedLog(folder, options);
  const passphrase = await takePassphrase('Passphrase of the keystore');
  const hasKey = await opensKey(folder, passphrase);
  const server = await openFleet(options, 'desk');
  const witness = witnessFolder(process.env);
  const whenTaken = async () => {
    // It may have been LIVE in this folder, which is its own only now, and takes over with the rows of another desk: only a person arms it again.
    await new ArmedFile(folder).remove();
    await joinFleet(folder, { fleet: place.url, follows: true });
  };
  const standby = await Standby.open({
    folder,
    name,
    server,
    hasKey,
    open: (sealed) => openSecrets(sealed, passphrase),
    expectStarts: async () => {
      expectProgram(alertCommand);
      await expectPorts(options);
    },
    now: Date.now,
    monotonic,
    log,
    witness,
    whenTaken,
  }).catch(throwRights);
  if (!hasKey) log.warn('there is no key in this folder: it can sign only with one that is held elsewhere');

  const over = new AbortController();
  const leave = () => over.abort();
  process.once('SIGTERM', leave);
  process.once('SIGINT', leave);
  const asked = new Promise<string>((resolve) => {
    standby.onAsked(resolve);
    if (takeOverAfter !== undefined) standby.onUnheard(takeOverAfter * 1_000, () => resolve(`${name} by itself`));
  });
  const left = new Promise<null>((resolve) => over.signal.addEventListener('abort', () => resolve(null)));
  await print(`${JSON.stringify({ standby: true, name, row: standby.row() })}\n`);
  const by = await Promise.race([asked, left, standby.ended]);
  if (typeof by !== 'string') {
    await standby.close();
    await server.close();
    if (by !== null) throw by;
    process.exit(0);
  }
  log.info('takes over', { by, row: standby.row() });
  const writer = await standby.takeOver();
  process.off('SIGTERM', leave);
  process.off('SIGINT', leave);
  await runDesk({ folder, actor, options, passphrase, log, form, fleet: { place, server, writer } });
}

/** Whether there is a key in the folder. Throws `wrong_passphrase` now, and not in the minute in which this desk is needed. */
async function opensKey(folder: string, passphrase: string): Promise<boolean> {
  const { openKeystoreSigner } = await import('../signer/keystore.ts');
  try {
    (await openKeystoreSigner(folder, passphrase)).forget();
    return true;
  } catch (error) {
    if (isDeskError(error, 'no_keystore')) return false;
    throw error;
  }
}
