import type { Command } from 'commander';
import type { Status } from '../contract/trading.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addStatus(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('status')
    .description('what trades and what does not')
    .option('--json', 'as one JSON document')
    .option('--chain <id>', 'only this chain')
    .option('--pair <id>', 'only this pair')
    .action(async (options: { json?: boolean; chain?: string; pair?: string }) => {
      const whole = await withDesk(folderOf(), actor, (desk) => desk.trading.status());
      const status = narrowed(whole, options);
      await print(options.json ? `${JSON.stringify(status, null, 2)}\n` : inWords(status));
    });
}

function narrowed(status: Status, options: { chain?: string; pair?: string }): Status {
  const chains = status.chains.filter(
    (chain) => options.chain === undefined || String(chain.chainId) === options.chain,
  );
  const { pair } = options;
  if (pair === undefined) return { ...status, chains };
  const only = (pairs: Status['chains'][number]['pairs']) =>
    Object.fromEntries(Object.entries(pairs).filter(([id]) => id === pair));
  return { ...status, chains: chains.map((chain) => ({ ...chain, pairs: only(chain.pairs) })) };
}

function inWords(status: Status): string {
  const since = new Date(status.since).toISOString();
  const why = [status.actor && `by ${status.actor}`, status.reason && `“${status.reason}”`].filter(Boolean).join(', ');
  const lines = [`${status.state} since ${since}${why ? ` ${why}` : ''}`];
  for (const chain of status.chains) {
    lines.push(`  chain ${chain.chainId}: ${chain.state}${chain.closed ? `, closed: ${chain.closed}` : ''}`);
    for (const [pair, state] of Object.entries(chain.pairs)) lines.push(`    ${pair}: ${state}`);
  }
  return `${lines.join('\n')}\n`;
}
