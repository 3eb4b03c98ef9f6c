import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { makeDeskFolder } from '../desk/folder.ts';
import { journalFile } from '../journal/open-database.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { createKeystore, importKeystore, keystoreAddress } from '../signer/keystore.ts';
import { readNewPassphrase, readPassphrase } from './passphrase.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addKey(program: Command, folderOf: () => string, actor: string): void {
  const key = program.command('key').description('the signer’s key, as Web3 Secret Storage');
  key
    .command('new')
    .description('make a key')
    .action(async () => {
      const folder = folderOf();
      makeDeskFolder(folder);
      await expectOnePerson(folder, actor);
      await print(`${await createKeystore(folder, await readNewPassphrase(), randomBytes)}\n`);
    });
  key
    .command('import')
    .description('take a keystore file')
    .requiredOption('--keystore <file>', 'the file')
    .action(async (options: { keystore: string }) => {
      const folder = folderOf();
      makeDeskFolder(folder);
      await expectOnePerson(folder, actor);
      await print(
        `${await importKeystore(folder, options.keystore, await readPassphrase('Passphrase of the keystore'))}\n`,
      );
    });
  key
    .command('address')
    .description('the signer’s address')
    .action(async () => print(`${await keystoreAddress(folderOf())}\n`));
}

/** Throws DeskError `second_person_needed` where keys take two people on the desk of this folder. One without a past takes one. */
async function expectOnePerson(folder: string, actor: string): Promise<void> {
  if (!existsSync(journalFile(folder))) return;
  const { kinds } = await withDesk(folder, actor, (desk) => desk.approvals.list({ limit: 0 }));
  if (!kinds.includes('keys')) return;
  throw new DeskError(
    'second_person_needed',
    'A key takes a second person on this desk, and a command cannot wait for one.',
    {
      remedy:
        'Make it in the console of the running desk, where somebody else approves it; or have approved first that keys take one person.',
    },
  );
}
