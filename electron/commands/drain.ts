import type { Command } from 'commander';
import { tellNotRunning } from './not-running.ts';
import { printDone } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf } from './scope-options.ts';
import { drainSecondsOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addDrain(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('drain').description('serve no grid, quote on for a while, then halt'))
    .option('--seconds <n>', 'how long to quote on', drainSecondsOf, 10)
    .action(async (options: ScopeOptions & { seconds: number }) => {
      const place = placeOf();
      const { durable, status, running } = await withDesk(place, actor, async (desk, running) => {
        const chainIds = (await desk.trading.status()).chains.map((chain) => chain.chainId);
        const answer = await desk.trading.drain({
          scope: scopeOf(options, chainIds),
          seconds: options.seconds,
          reason: options.reason,
        });
        return { ...answer, running };
      });
      const answer = `${JSON.stringify({ draining: true, durable, state: status.state, running })}\n`;
      await printDone(answer, 'The drain is in force.');
      if (!running) tellNotRunning(place, 'stopped');
      if (!durable) process.exitCode = 1;
    });
}
