import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { hash32Schema } from '../protocol/order-record.ts';
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
        const { chains } = await desk.trading.status();
        const [only, ...others] = chains.map(({ chainId }) => chainId);
        const chainId = options.chain === undefined && others.length === 0 ? only : Number(options.chain);
        if (chainId === undefined || !Number.isInteger(chainId)) {
          throw new DeskError('bad_scope', 'This desk has several chains.', { remedy: 'Name one with --chain.' });
        }
        return desk.service.order({ chainId, orderHash });
      });
      await print(`${JSON.stringify(found, null, 2)}\n`);
    });
}
