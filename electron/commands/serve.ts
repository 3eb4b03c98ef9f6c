import type { Command } from 'commander';
import { type Desk, type DeskOptions, openDesk } from '../desk/desk.ts';
import { makeDeskFolder } from '../desk/folder.ts';
import { openLog } from '../desk/log.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readPassphrase } from './passphrase.ts';
import { practiceBeside } from './practice-beside.ts';
import { print } from './print.ts';

export interface ServeOptions {
  surfacePort: string;
  consolePort: string;
  surfaceHost: string;
}

export function addServe(program: Command, folderOf: () => string, actor: string): void {
  addServeOptions(program.command('serve').description('run the desk without a window')).action(
    async (options: ServeOptions) => {
      const folder = folderOf();
      makeDeskFolder(folder);
      const log = openLog(folder, Date.now);
      const passphrase = await readPassphrase('Passphrase of the keystore');
      const practice = practiceBeside(folder);
      const served = { ...portsOf(options), folder, actor, passphrase, log, startPractice: practice.start };
      const desk = await openDesk(served);
      const close = async () => {
        await practice.close();
        await desk.close();
      };
      closeOnSignals({ close }, log.error);
      await print(`${JSON.stringify({ ready: true, ...desk.ready })}\n`);
    },
  );
}

/** The options of every command that runs a desk without a window. */
export function addServeOptions(command: Command): Command {
  return command
    .option('--surface-port <n>', 'port of the maker surface; 0 takes a free one', '8787')
    .option('--console-port <n>', 'port of the console; 0 takes a free one', '8788')
    .option('--surface-host <host>', 'address the surface listens on', '127.0.0.1');
}

export function portsOf(options: ServeOptions): Pick<DeskOptions, 'surfacePort' | 'consolePort' | 'surfaceHost'> {
  return {
    surfacePort: portOf(options.surfacePort, '--surface-port'),
    consolePort: portOf(options.consolePort, '--console-port'),
    surfaceHost: options.surfaceHost,
  };
}

export function portOf(text: string, option: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new DeskError('bad_port', `${option} is ${text}, which is no port.`, {
    remedy: 'Give a number from 0 to 65535.',
  });
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
