import type { Command } from 'commander';
import { tellNotRunning } from './not-running.ts';
import { printDone } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf, statesAfter, stopReason } from './scope-options.ts';
import { drainSecondsOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addDrain(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('drain').description('serve no grid, quote on for a while, then halt'))
    .option('--seconds <n>', 'how long to quote on', drainSecondsOf, 10)
    .action(async (options: ScopeOptions & { seconds: number }) => {
      const place = placeOf();
      const reason = stopReason(options.reason);
      const { durable, status, scope, running } = await withDesk(place, actor, async (desk, running) => {
        const chainIds = (await desk.trading.status()).chains.map((chain) => chain.chainId);
        const scope = scopeOf(options, chainIds);
        const answer = await desk.trading.drain({ scope, seconds: options.seconds, reason });
        return { ...answer, scope, running };
      });
      const answer = { draining: true, durable, ...statesAfter(status, scope), running };
      await printDone(`${JSON.stringify(answer)}\n`, 'The drain is in force.');
      if (!running) tellNotRunning(place, 'stopped');
      if (!durable) process.exitCode = 1;
    });
}
