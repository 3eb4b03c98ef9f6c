import type { Command } from 'commander';
import { print } from './print.ts';
import { addScopeOptions, type ScopeOptions, scopeOf } from './scope-options.ts';
import { drainSecondsOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addDrain(program: Command, placeOf: () => DeskPlace, actor: string): void {
  addScopeOptions(program.command('drain').description('serve no grid, quote on for a while, then halt'))
    .option('--seconds <n>', 'how long to quote on', drainSecondsOf, 10)
    .action(async (options: ScopeOptions & { seconds: number }) => {
      const answer = await withDesk(placeOf(), actor, async (desk) => {
        const chainIds = (await desk.trading.status()).chains.map((chain) => chain.chainId);
        return desk.trading.drain({
          scope: scopeOf(options, chainIds),
          seconds: options.seconds,
          reason: options.reason,
        });
      });
      await print(`${JSON.stringify({ draining: true, durable: answer.durable, state: answer.status.state })}\n`);
      if (!answer.durable) process.exitCode = 1;
    });
}
