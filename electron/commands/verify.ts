import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Seal, sealSchema } from '../contract/seal.ts';
import { witnessFolder } from '../desk/folder.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { print } from './print.ts';

/** Reads the journal by itself, so that it also works beside a running desk and on a copy. */
export function addVerify(program: Command, folderOf: () => string): void {
  program
    .command('verify')
    .description('walk the hash chain of the journal, and check its seals and its witness')
    .option('--seal <file>', 'compare the journal with the seals that were kept in this file, a line each')
    .action(async (options: { seal?: string }) => {
      const [{ expectJournal, journalFile }, { verifyJournal }, { verifySeals }, { verifyPast }] = await Promise.all([
        import('../journal/open-database.ts'),
        import('../journal/verify.ts'),
        import('../desk/verify-seals.ts'),
        import('../desk/verify-past.ts'),
      ]);
      const kept = options.seal === undefined ? [] : readSealFile(options.seal);
      const folder = folderOf();
      expectJournal(journalFile(folder));
      const { faults: pastFaults, ...past } = verifyPast(folder, witnessFolder(process.env));
      const chain = await verifyJournal(folder);
      const { fault: sealFault, ...seals } = verifySeals(folder, kept);
      const faults = new Set([chain.detail, ...pastFaults, sealFault].filter((fault) => fault !== null));
      const ok = chain.ok && faults.size === 0;
      const [detail = null] = faults;
      await print(`${JSON.stringify({ ...chain, ok, detail, seals, past })}\n`);
      if (ok) return;
      if (!chain.ok) {
        const place = chain.firstBad === null ? '' : ` at sequence ${chain.firstBad}`;
        process.stderr.write(`The journal is broken${place}: ${chain.detail ?? ''}\n`);
      }
      faults.delete(chain.detail ?? '');
      for (const fault of faults) process.stderr.write(`${fault}\n`);
      process.exitCode = 1;
    });
}

/** Throws DeskError `no_file`, `not_json` with the line; a file without a seal proves nothing, and is no file of seals. */
function readSealFile(file: string): Seal[] {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (cause) {
    const why = systemFault(cause);
    throw new DeskError('no_file', `The file of seals ${file} cannot be read${why === null ? '' : `: ${why}`}.`, {
      remedy: 'Name a file that "makerdesk seal --export FILE" wrote.',
      cause,
    });
  }
  const seals = lines.flatMap((line, index) => (line.trim() === '' ? [] : sealOf(line, file, index + 1)));
  if (seals.length === 0) throw notSeals(file, 'it is empty');
  return seals;
}

function sealOf(line: string, file: string, number: number): Seal {
  try {
    return sealSchema.parse(JSON.parse(line));
  } catch {
    throw notSeals(file, `line ${number} is no seal`);
  }
}

function notSeals(file: string, why: string): DeskError {
  return new DeskError('not_json', `${file} is no file of seals: ${why}.`, {
    remedy: 'Name a file that "makerdesk seal --export FILE" wrote, or one with a line of JSON for each seal.',
  });
}
