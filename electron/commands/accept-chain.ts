import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { chainIdOf, genesisOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addAcceptChain(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('accept-chain')
    .description(
      'say that a chain really was reset (started over from its first block), which ends every order signed for the old one; needs --reason',
    )
    .option('--chain <id>', 'which chain; needed where the desk has several', chainIdOf)
    .option('--genesis <hash>', 'accept only the chain that begins with this block', genesisOf)
    .option('--reason <text>', 'why, for the journal')
    .action(async ({ chain, genesis: seen, reason }: { chain?: number; genesis?: string; reason?: string }) => {
      if (!reason) {
        throw new DeskError('no_reason', 'Accepting another chain needs a reason.', {
          remedy: 'Say how you know that the chain was reset with --reason.',
        });
      }
      const { chainId, genesis } = await withDesk(placeOf(), actor, async (desk) => {
        const accepted = { chainId: await oneChain(desk, chain), genesis: seen, reason };
        return { ...accepted, ...(await desk.trading.acceptChain(accepted)) };
      });
      await print(`${JSON.stringify({ accepted: true, chainId, genesis })}\n`);
    });
}
