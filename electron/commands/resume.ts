import { isDeepStrictEqual } from 'node:util';
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
      const { before, scope, status, running, ...told } = await withDesk(place, actor, async (desk, running) => {
        const before = await desk.trading.status();
        const chainIds = before.chains.map((chain) => chain.chainId);
        const scope = scopeOf(options, chainIds);
        // A stop that comes on top of these is not taken off with them.
        const seen = await desk.trading.stopsAround({ scope });
        const { staysClosed = [], status } = await desk.trading.resume({ scope, reason, seen });
        // It is resumed whether or not this is answered.
        const left = await desk.trading.stopsAround({ scope }).catch(() => []);
        const tookOff = seen.filter((stop) => !left.some((one) => isDeepStrictEqual(one, stop)));
        return { before, scope, status, running, tookOff, staysClosed };
      });
      const { staysClosed } = told;
      const tookOff = told.tookOff.map((stop) => ({ ...stop, since: isoTime(stop.since) }));
      const states = statesAfter(status, scope);
      const answer = `${JSON.stringify({ resumed: true, ...states, tookOff, staysClosed, running })}\n`;
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
