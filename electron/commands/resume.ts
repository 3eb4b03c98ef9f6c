import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { tellNotRunning } from './not-running.ts';
import { printDone } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf, statesAfter } from './scope-options.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addResume(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('resume').description('start quoting again; needs --reason')).action(
    async (options: ScopeOptions) => {
      const { reason } = options;
      if (!reason)
        throw new DeskError('no_reason', 'Resuming needs a reason.', {
          remedy: 'Say why it is safe to trade again with --reason.',
        });
      const place = placeOf();
      const { before, scope, status, staysClosed, running } = await withDesk(place, actor, async (desk, running) => {
        const before = await desk.trading.status();
        const chainIds = before.chains.map((chain) => chain.chainId);
        const scope = scopeOf(options, chainIds);
        const { staysClosed = [], status } = await desk.trading.resume({ scope, reason });
        return { before, scope, status, staysClosed, running };
      });
      const answer = `${JSON.stringify({ resumed: true, ...statesAfter(status, scope), staysClosed, running })}\n`;
      await printDone(answer, 'RESUMED: that is in force.');
      if (before.drainUntil !== null && status.drainUntil === null) {
        process.stderr.write(
          `It was draining until ${isoTime(before.drainUntil)}: that drain is over, and it quotes on.\n`,
        );
      }
      if (!running) tellNotRunning(place, 'resumed');
      for (const { chainId, pair, sentence } of staysClosed) {
        process.stderr.write(
          `${pair === null ? `Chain ${chainId}` : `${pair} of chain ${chainId}`} stays closed: ${sentence}\n`,
        );
      }
    },
  );
}
