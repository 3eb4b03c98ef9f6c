import type { Command } from 'commander';
import type { TransactionRow } from '../contract/transactions.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

interface OnChainOptions {
  chain?: string;
  dryRun?: boolean;
}

/** The two answers to signed orders that are still out: cancel them on chain, or take the allowance away. */
export function addOnChain(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('cancel-orders')
    .description('cancel every live order on chain')
    .option('--chain <id>', 'only on this chain')
    .option('--dry-run', 'show the transactions and their gas, send nothing')
    .action(async (options: OnChainOptions) => {
      await report(await withDesk(folderOf(), actor, (desk) => desk.onChain.cancelOrders(common(options))));
    });
  program
    .command('allowance <token> <amount>')
    .description('set what the RFQ contract may take of a token, in token units')
    .option('--chain <id>', 'only on this chain')
    .option('--dry-run', 'show the transaction and its gas, send nothing')
    .action(async (tokenId: string, amount: string, options: OnChainOptions) => {
      await report(
        await withDesk(folderOf(), actor, (desk) => desk.onChain.setAllowance({ tokenId, amount, ...common(options) })),
      );
    });
}

function common(options: OnChainOptions) {
  return { chainId: options.chain === undefined ? undefined : Number(options.chain), dryRun: options.dryRun ?? false };
}

async function report(rows: TransactionRow[]): Promise<void> {
  await print(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.some((row) => row.outcome === 'failed')) process.exitCode = 1;
}
