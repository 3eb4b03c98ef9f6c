import type { Command } from 'commander';
import { deskFolder } from '../desk/folder.ts';
import { openLog } from '../desk/log.ts';
import { openPracticeDesk } from '../practice-desk.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { addServeOptions, closeOnSignals, portOf, portsOf, type ServeOptions } from './serve.ts';

interface PracticeOptions extends ServeOptions {
  takers: boolean;
  seed?: string;
  servicePort: string;
  rpcPort: string;
}

export function addPractice(program: Command, actor: string): void {
  addServeOptions(program.command('practice').description('run the practice market and its desk, without a window'))
    .option('--no-takers', 'nobody asks for quotes')
    .option('--seed <n>', 'what the takers do follows from it')
    .option('--service-port <n>', 'port of the practice service; 0 takes a free one', '8790')
    .option('--rpc-port <n>', 'port of the practice chain; 0 takes a free one', '8545')
    .action(async (options: PracticeOptions) => {
      const folder = deskFolder(program.opts<{ data?: string }>().data, process.env, true);
      const log = openLog(folder, Date.now);
      const desk = await openPracticeDesk({
        settings: {
          ...portsOf(options),
          folder,
          practice: {
            takers: options.takers,
            seed: options.seed === undefined ? null : seedOf(options.seed),
            servicePort: portOf(options.servicePort, '--service-port'),
            rpcPort: portOf(options.rpcPort, '--rpc-port'),
          },
        },
        passphrase: process.env.MAKERDESK_PASSPHRASE,
        actor,
        log,
      });
      closeOnSignals(desk, log.error);
      await print(`${JSON.stringify({ ready: true, ...desk.ready })}\n`);
    });
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new DeskError('bad_seed', `--seed is ${text}.`, { remedy: 'Give a whole number.' });
}
