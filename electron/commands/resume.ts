import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf } from './scope-options.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addResume(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('resume').description('start quoting again; needs --reason')).action(
    async (options: ScopeOptions) => {
      const { reason } = options;
      if (!reason)
        throw new DeskError('no_reason', 'Resuming needs a reason.', {
          remedy: 'Say why it is safe to trade again with --reason.',
        });
      const answer = await withDesk(placeOf(), actor, async (desk) => {
        const chainIds = (await desk.trading.status()).chains.map((chain) => chain.chainId);
        return desk.trading.resume({ scope: scopeOf(options, chainIds), reason });
      });
      const { staysClosed = [] } = answer;
      await print(`${JSON.stringify({ resumed: true, state: answer.status.state, staysClosed })}\n`);
      for (const { chainId, pair, sentence } of staysClosed) {
        process.stderr.write(
          `${pair === null ? `Chain ${chainId}` : `${pair} of chain ${chainId}`} stays closed: ${sentence}\n`,
        );
      }
    },
  );
}
