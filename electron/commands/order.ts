import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { hash32Schema } from '../protocol/order-record.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

/** An order as the service has it (spec 4.1), printed as JSON. */
export function addOrder(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('order <hash>')
    .description('an order as the service has it')
    .option('--chain <id>', 'of this chain; needed where the desk has several')
    .action(async (hash: string, options: { chain?: string }) => {
      const orderHash = hash32Schema.safeParse(hash).data;
      if (orderHash === undefined)
        throw new DeskError('bad_hash', `${hash} is no order hash: 0x and 64 hex characters.`);
      const found = await withDesk(folderOf(), actor, async (desk) => {
        return desk.service.order({ chainId: await oneChain(desk, options.chain), orderHash });
      });
      await print(`${JSON.stringify(found, null, 2)}\n`);
    });
}
