import type { Command } from 'commander';
import { print } from './print.ts';
import { amountOf, chainIdOf, orderHashOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface OnChainOptions {
  chain?: number;
  dryRun?: boolean;
}

/** What came of a row that did not do what it should, or not for certain. */
const UNDONE = ['failed', 'sent', 'calldata'];

/** The answers to what is signed and still out: cancel it, or take the allowances away. */
export function addOnChain(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('cancel-orders')
    .description('cancel every live order on chain, or one')
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--order <hash>', 'only this order', orderHashOf)
    .option('--dry-run', 'show the transactions and their gas, send nothing')
    .action(async ({ order, ...options }: OnChainOptions & { order?: string }) => {
      const input = { ...common(options), orderHash: order };
      await report(await withDesk(placeOf(), actor, (desk) => desk.onChain.cancelOrders(input)));
    });
  program
    .command('cancel-intents')
    .description('have the service cancel every intent order, 100 with one signature')
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--dry-run', 'show which orders, ask nothing')
    .action(async (options: OnChainOptions) => {
      await report(await withDesk(placeOf(), actor, (desk) => desk.onChain.cancelIntents(common(options))));
    });
  program
    .command('zero-allowances')
    .description('set what any contract may take of any token to zero, and use up permits that are out')
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--dry-run', 'show the transactions and their gas, send nothing')
    .action(async (options: OnChainOptions) => {
      await report(await withDesk(placeOf(), actor, (desk) => desk.onChain.zeroAllowances(common(options))));
    });
  program
    .command('allowance')
    .description('set what the RFQ contract may take of a token, in token units')
    .argument('<token>')
    .argument('<amount>', '0 takes it all back', amountOf)
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--dry-run', 'show the transaction and its gas, send nothing')
    .action(async (tokenId: string, amount: string, options: OnChainOptions) => {
      await report(
        await withDesk(placeOf(), actor, (desk) => desk.onChain.setAllowance({ tokenId, amount, ...common(options) })),
      );
    });
}

function common(options: OnChainOptions) {
  return { chainId: options.chain, dryRun: options.dryRun ?? false };
}

async function report(rows: { outcome: string }[]): Promise<void> {
  await print(`${JSON.stringify(rows, null, 2)}\n`);
  if (rows.some(({ outcome }) => UNDONE.includes(outcome))) process.exitCode = 1;
}
