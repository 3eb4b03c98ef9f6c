import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { amountOf, chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

type Options = { chain?: number; pair?: string; mid?: string };

/** A person says which price they believe, where the reference moved further than it may by itself. */
export function addAcceptReference(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('accept-reference')
    .description('say that a reference which is not believed is right: the ladder is published around it')
    .option('--chain <id>', 'which chain; needed where the desk has several', chainIdOf)
    .option('--pair <id>', 'which pair')
    .option('--mid <price>', 'the price you believe; the reference must be within 1 % of it', amountOf)
    .action(async ({ chain, pair, mid }: Options) => {
      if (pair === undefined || mid === undefined) {
        throw new DeskError('no_mid', 'Accepting a reference needs --pair and --mid.', {
          remedy: 'Look where the market is, then say which price of which pair you believe.',
        });
      }
      const published = await withDesk(placeOf(), actor, async (desk) =>
        desk.ladders.acceptReference({ chainId: await oneChain(desk, chain), pair, mid }),
      );
      const { chainId, revision, ladder, takenOver } = published;
      await print(`${JSON.stringify({ accepted: true, chainId, pair, revision, ladder, takenOver })}\n`);
      if (takenOver !== true) return;
      process.stderr.write(
        `${pair} was priced by an engine and is in your hands now: what the engine sends is refused until you give the pair back: makerdesk give-back --chain ${chainId} --pair ${pair}\n`,
      );
    });
}
