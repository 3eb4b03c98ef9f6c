import type { Command } from 'commander';
import { plain } from '../contract/plain-text.ts';
import type { SelfCheck } from '../contract/service-view.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { print } from './print.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** The self-check of one chain. */
interface CheckedChain {
  chainId: number;
  checks: SelfCheck[];
}

const WORDS = { failed: 'FAILED', waiting: 'waiting', warning: 'look', passed: 'ok' } as const;
const OUTCOMES = ['failed', 'waiting', 'warning', 'passed'] as const;

export function addCheck(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('check')
    .description('the whole self-check, made now; exits 1 where a check failed')
    .option('--json', 'as one JSON document')
    .option('--chain <id>', 'only this chain', chainIdOf)
    .action(async (options: { json?: boolean; chain?: number }) => {
      const chains = await withDesk(placeOf(), actor, (desk) => checked(desk, options.chain));
      const ok = chains.length > 0 && chains.every(({ checks }) => checks.every((check) => check.outcome !== 'failed'));
      await print(options.json ? `${JSON.stringify({ ok, chains }, null, 2)}\n` : inWords(chains));
      if (!ok) process.exitCode = 1;
    });
}

async function checked(desk: DeskClient, only: number | undefined): Promise<CheckedChain[]> {
  const { chains } = await desk.trading.status();
  const chainIds = only === undefined ? chains.map(({ chainId }) => chainId) : [only];
  return Promise.all(
    chainIds.map(async (chainId) => ({ chainId, checks: (await desk.service.checks({ chainId })).checks })),
  );
}

function inWords(chains: readonly CheckedChain[]): string {
  if (chains.length === 0) return 'No chain is configured, so nothing can be quoted: makerdesk import FILE.\n';
  return chains
    .map(({ chainId, checks }) => {
      const lines = OUTCOMES.flatMap((outcome) =>
        checks
          .filter((check) => check.outcome === outcome)
          .map(({ name, sentence }) => plain(`  ${WORDS[outcome].padEnd(8)} ${name}: ${sentence}`)),
      );
      return `chain ${chainId}\n${lines.join('\n')}\n`;
    })
    .join('');
}
