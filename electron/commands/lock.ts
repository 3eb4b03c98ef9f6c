import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { takeSecret } from '../desk/taken-secret.ts';
import { readPassphrase } from './passphrase.ts';
import { print } from './print.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** The lock of the key of the desk that runs. */
export function addLock(
  program: Command,
  { folderOf, placeOf }: { folderOf: () => string; placeOf: () => DeskPlace },
  actor: string,
): void {
  program
    .command('lock')
    .description('halt, and take the key out of memory until its passphrase is given again')
    .action(async () => {
      const { at, durable } = await withDesk(placeOf(), actor, (desk) => desk.key.lock());
      await print(`${JSON.stringify({ locked: true, halted: true, durable, at: isoTime(at) })}\n`);
      if (!durable) process.exitCode = 1;
    });
  program
    .command('unlock')
    .description('give the passphrase again; the desk stays halted until it is resumed')
    .action(async () => {
      const folder = folderOf();
      const unlocked = await withDesk(folder, actor, async (desk) => {
        await desk.key.state(); // nobody is asked for the passphrase of a desk that does not run
        return desk.key.unlock({ passphrase: await passphraseOf(folder) });
      });
      await print(`${JSON.stringify({ unlocked: true, ...unlocked })}\n`);
    });
}

/** A practice desk knows its own; one in the environment is most likely that of a real desk. */
async function passphraseOf(folder: string): Promise<string> {
  const { isPractice, practicePassphrase } = await import('../desk/practice-passphrase.ts');
  if (!isPractice(folder)) return readPassphrase('Passphrase of the keystore');
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  return practicePassphrase(folder, takeSecret(process.env, 'MAKERDESK_PASSPHRASE'), { warn });
}
