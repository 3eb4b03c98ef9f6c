import { type Command, Option } from 'commander';
import type { Desk } from '../desk/desk.ts';
import { makeDeskFolder } from '../desk/folder.ts';
import { takeSecret } from '../desk/taken-secret.ts';
import type { ErrorCode } from '../protocol/desk-error.ts';
import { addPracticeControl } from './practice-control.ts';
import { addServeOptions, closeOnSignals, logFormOf, portIn, printReady, type ServeOptions } from './serve.ts';
import { speedOf, surfacesOf, wholeOf } from './typed-values.ts';

interface PracticeOptions extends ServeOptions {
  takers: boolean;
  seed?: number;
  servicePort: number;
  rpcPort: number;
  speed?: number;
  mode?: 'strict' | 'spec';
  forgiveSeconds?: number;
  surfaces?: number;
}

/** The practice market and its desk are loaded only when they are run. */
export function addPractice(program: Command, folderOf: () => string, actor: string): void {
  const practice = addServeOptions(
    program.command('practice').description('run the practice market and its desk, without a window'),
  )
    .option('--no-takers', 'nobody asks for quotes')
    .option(
      '--seed <n>',
      'what the takers do and how the reference moves follows from it',
      wholeIn('--seed', 'bad_seed'),
    )
    .option('--service-port <n>', 'port of the practice service; 0 takes a free one', portIn('--service-port'), 8790)
    .option('--rpc-port <n>', 'port of the practice chain; 0 takes a free one', portIn('--rpc-port'), 8545)
    .option('--speed <n>', 'firm quotes asked for in a second on each chain', speedOf)
    .addOption(new Option('--mode <mode>', 'how the service judges the desk').choices(['strict', 'spec']))
    .option(
      '--forgive-seconds <n>',
      'how long the service holds a failure against the desk, instead of up to 15 minutes',
      wholeIn('--forgive-seconds', 'bad_forgive_seconds'),
    )
    .option('--surfaces <n>', 'surfaces of the desk that are programs of their own, over a fleet server', surfacesOf)
    .action(async (options: PracticeOptions) => {
      const [{ endOnUncaught }, { openPracticeDesk }, { openDeskLog }] = await Promise.all([
        import('../desk/break-off.ts'),
        import('../desk/practice-desk.ts'),
        import('../desk/log.ts'),
      ]);
      const folder = folderOf();
      const form = logFormOf(options);
      makeDeskFolder(folder);
      const log = openDeskLog(folder, Date.now, form);
      let running: Desk | null = null;
      endOnUncaught({ folder, log, desk: () => running, exit: process.exit });
      const { surfacePort, consolePort, consoleUrl, surfaceHost, pricesPort, metricsPort, alertCommand } = options;
      const { takers, seed = null, servicePort, rpcPort, mode, speed, forgiveSeconds, surfaces } = options;
      const desk = await openPracticeDesk({
        settings: {
          surfacePort,
          consolePort,
          consoleUrls: consoleUrl,
          surfaceHost,
          pricesPort,
          metricsPort,
          alertCommand,
          folder,
          practice: {
            takers,
            seed,
            servicePort,
            rpcPort,
            ...(mode !== undefined && { mode }),
            ...(speed !== undefined && { speed }),
            ...(forgiveSeconds !== undefined && { forgiveSeconds }),
            ...(surfaces !== undefined && { surfaces }),
          },
        },
        passphrase: takeSecret(process.env, 'MAKERDESK_PASSPHRASE'),
        actor,
        log,
        logForm: form,
      });
      running = desk;
      closeOnSignals(desk, log.error);
      await printReady(desk.ready, folder, form);
    });
  addPracticeControl(practice, folderOf, actor);
}

function wholeIn(name: string, code: ErrorCode): (text: string) => number {
  return (text) => wholeOf(text, name, code);
}
