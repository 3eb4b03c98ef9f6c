import type { Command } from 'commander';
import { print } from './print.ts';

/** Reads the journal by itself, so that it also works beside a running desk and on a copy. */
export function addVerify(program: Command, folderOf: () => string): void {
  program
    .command('verify')
    .description('walk the hash chain of the journal')
    .action(async () => {
      const { verifyJournal } = await import('../journal/verify.ts');
      const result = await verifyJournal(folderOf());
      await print(`${JSON.stringify(result)}\n`);
      if (result.ok) return;
      process.stderr.write(
        `The journal is broken${result.firstBad === null ? '' : ` at sequence ${result.firstBad}`}: ${result.detail ?? ''}\n`,
      );
      process.exitCode = 1;
    });
}
