import { type Command, Option } from 'commander';
import { practiceSpeedSchema } from '../contract/practice.ts';
import { deskFolder } from '../desk/folder.ts';
import { openLog } from '../desk/log.ts';
import { openPracticeDesk } from '../practice-desk.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { addPracticeControl } from './practice-control.ts';
import { print } from './print.ts';
import { addServeOptions, closeOnSignals, portOf, portsOf, type ServeOptions } from './serve.ts';

interface PracticeOptions extends ServeOptions {
  takers: boolean;
  seed?: string;
  servicePort: string;
  rpcPort: string;
  speed?: string;
  mode?: 'strict' | 'spec';
  forgiveSeconds?: string;
}

export function addPractice(program: Command, actor: string): void {
  const folderOf = () => deskFolder(program.opts<{ data?: string }>().data, process.env, true);
  const practice = addServeOptions(
    program.command('practice').description('run the practice market and its desk, without a window'),
  )
    .option('--no-takers', 'nobody asks for quotes')
    .option('--seed <n>', 'what the takers do and how the reference moves follows from it')
    .option('--service-port <n>', 'port of the practice service; 0 takes a free one', '8790')
    .option('--rpc-port <n>', 'port of the practice chain; 0 takes a free one', '8545')
    .option('--speed <n>', 'firm quotes asked for in a second on each chain')
    .addOption(new Option('--mode <mode>', 'how the service judges the desk').choices(['strict', 'spec']))
    .option(
      '--forgive-seconds <n>',
      'how long the service holds a failure against the desk, instead of up to 15 minutes',
    )
    .action(async (options: PracticeOptions) => {
      const folder = folderOf();
      const log = openLog(folder, Date.now);
      const { takers, mode, speed, forgiveSeconds } = options;
      const desk = await openPracticeDesk({
        settings: {
          ...portsOf(options),
          folder,
          practice: {
            takers,
            seed: options.seed === undefined ? null : wholeOf(options.seed, '--seed'),
            servicePort: portOf(options.servicePort, '--service-port'),
            rpcPort: portOf(options.rpcPort, '--rpc-port'),
            ...(mode !== undefined && { mode }),
            ...(speed !== undefined && { speed: speedOf(speed) }),
            ...(forgiveSeconds !== undefined && { forgiveSeconds: wholeOf(forgiveSeconds, '--forgive-seconds') }),
          },
        },
        passphrase: process.env.MAKERDESK_PASSPHRASE,
        actor,
        log,
      });
      closeOnSignals(desk, log.error);
      await print(`${JSON.stringify({ ready: true, ...desk.ready })}\n`);
    });
  addPracticeControl(practice, folderOf, actor, speedOf);
}

function wholeOf(text: string, option: string): number {
  const whole = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(whole)) return whole;
  throw new DeskError(`bad_${option.slice(2).replace('-', '_')}`, `${option} is ${text}.`, {
    remedy: 'Give a whole number.',
  });
}

function speedOf(text: string): number {
  const speed = practiceSpeedSchema.safeParse(text.trim() === '' ? Number.NaN : Number(text));
  if (speed.success) return speed.data;
  throw new DeskError('bad_speed', `${text} is no speed.`, {
    remedy: 'Give how many firm quotes are asked for in a second, from 0 to 1000.',
  });
}
