import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { makeDeskFolder } from '../desk/folder.ts';
import { createKeystore, importKeystore, keystoreAddress } from '../signer/keystore.ts';
import { readPassphrase } from './passphrase.ts';
import { print } from './print.ts';

export function addKey(program: Command, folderOf: () => string): void {
  const key = program.command('key').description("the signer's key, as Web3 Secret Storage");
  key
    .command('new')
    .description('make a key')
    .action(async () => {
      const folder = folderOf();
      makeDeskFolder(folder);
      await print(`${await createKeystore(folder, await readPassphrase('New passphrase'), randomBytes)}\n`);
    });
  key
    .command('import')
    .description('take a keystore file')
    .requiredOption('--keystore <file>', 'the file')
    .action(async (options: { keystore: string }) => {
      const folder = folderOf();
      makeDeskFolder(folder);
      await print(
        `${await importKeystore(folder, options.keystore, await readPassphrase('Passphrase of the keystore'))}\n`,
      );
    });
  key
    .command('address')
    .description("the signer's address")
    .action(async () => print(`${await keystoreAddress(folderOf())}\n`));
}
