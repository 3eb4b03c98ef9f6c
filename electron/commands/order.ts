import type { Command } from 'commander';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { chainIdOf, orderHashOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** An order as the service has it (PROTOCOL 4.1), printed as JSON. */
export function addOrder(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('order <hash>')
    .description('an order as the service has it')
    .option('--chain <id>', 'of this chain; needed where the desk has several', chainIdOf)
    .action(async (hash: string, options: { chain?: number }) => {
      const orderHash = orderHashOf(hash);
      const found = await withDesk(placeOf(), actor, async (desk) => {
        return desk.service.order({ chainId: await oneChain(desk, options.chain), orderHash });
      });
      await print(`${JSON.stringify(found, null, 2)}\n`);
    });
}
