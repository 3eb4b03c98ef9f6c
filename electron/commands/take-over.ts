import type { Command } from 'commander';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** A person takes a pair over from engines, and gives it back. */
export function addTakeOver(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const COMMANDS = [
    {
      name: 'take-over',
      on: true,
      does: 'price a pair by hand: its formula waits, and what engines push of it is refused from now on',
    },
    { name: 'give-back', on: false, does: 'let the formula or the engine of a pair price it again' },
  ];
  for (const { name, on, does } of COMMANDS) {
    program
      .command(name)
      .description(does)
      .requiredOption('--pair <id>', 'which pair')
      .option('--chain <id>', 'which chain; needed where the desk has several', chainIdOf)
      .action(async ({ chain, pair }: { chain?: number; pair: string }) => {
        const set = await withDesk(placeOf(), actor, async (desk) => {
          const chainId = await oneChain(desk, chain);
          return { chainId, ...(await desk.ladders.setHand({ chainId, pair, on })) };
        });
        await print(`${JSON.stringify({ chainId: set.chainId, pair, byHand: set.on, seq: set.seq })}\n`);
      });
  }
}
