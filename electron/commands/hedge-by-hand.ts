import type { Command } from 'commander';
import { entryOf } from '../contract/hedge-steps.ts';
import { isoTime } from '../contract/names.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { amountText } from './table.ts';
import { amountOf, chainIdOf, timeOf, wholeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface Side {
  amount: string;
  token: string;
}

interface EnterOptions {
  sold?: Side;
  bought?: Side;
  for: Side;
  where: string;
  at?: number;
  fee?: string;
  note?: string;
  chain?: number;
  fills?: number[];
}

interface CorrectOptions {
  gave?: string;
  got?: string;
  fee?: string;
  where?: string;
  at?: number;
  note?: string;
  reason: string;
}

/** Hedges that were done elsewhere: entered, corrected and struck out, each by an event of its own. */
export function addHedgeByHand(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const byHand = program
    .command('hedge-by-hand')
    .description('enter an order that was done elsewhere as a hedge, correct it, or strike it out');
  byHand
    .command('enter')
    .option('--sold <side>', 'what was given: "1.2 WETH"', sideOf('--sold'))
    .option('--bought <side>', 'or what was got', sideOf('--bought'))
    .requiredOption('--for <side>', 'what was got or given for it: "4080 USDC"', sideOf('--for'))
    .requiredOption('--where <text>', 'where it was done')
    .option('--at <time>', 'when it was done, ISO 8601; now', momentOf)
    .option('--fee <dollars>', 'what it cost besides its amounts', amountOf)
    .option('--note <text>', 'more about it')
    .option('--chain <id>', 'on this chain; needed where the desk has several', chainIdOf)
    .option('--fills <rows>', 'the fills it is for; the oldest unhedged ones that fit', rowsOf)
    .action((options: EnterOptions) =>
      withDesk(placeOf(), actor, async (desk) => tell(desk, await desk.hedge.place(await wishOf(desk, options)))),
    );
  byHand
    .command('correct <hedge>')
    .description('what is left out stays as it was')
    .option('--gave <amount>', 'what was given, in token units', amountOf)
    .option('--got <amount>', 'what was got', amountOf)
    .option('--fee <dollars>', 'what it cost besides its amounts, 0 for nothing', amountOf)
    .option('--where <text>', 'where it was done')
    .option('--at <time>', 'when it was done, ISO 8601', momentOf)
    .option('--note <text>', 'more about it')
    .requiredOption('--reason <text>', 'why, for the journal')
    .action((hedge: string, { gave, got, fee: feeUsd, where, at, note, reason }: CorrectOptions) =>
      withDesk(placeOf(), actor, async (desk) => {
        const seq = wholeOf(hedge, 'The hedge', 'unknown_hedge');
        const done = { where, at: at === undefined ? undefined : isoTime(at), note };
        return tell(desk, await desk.hedge.correct({ seq, amounts: { gave, got, feeUsd }, ...done, reason }));
      }),
    );
  byHand
    .command('strike-out <hedge>')
    .requiredOption('--reason <text>', 'why, for the journal')
    .action((hedge: string, { reason }: { reason: string }) =>
      withDesk(placeOf(), actor, async (desk) =>
        tell(
          desk,
          await desk.hedge.correct({ seq: wholeOf(hedge, 'The hedge', 'unknown_hedge'), amounts: null, reason }),
        ),
      ),
    );
}

/** One line of JSON of the hedge as it counts now. */
async function tell(desk: DeskClient, { seq }: { seq: number }): Promise<void> {
  const { state, spent, received, src, dest, feeUsd, fillSeqs, steps } = await desk.hedge.get({ seq });
  const row = { hedge: seq, state, gave: amountText(spent, src), got: amountText(received, dest), feeUsd, fillSeqs };
  const { where, at = null, note } = entryOf(steps.map(({ step }) => step)) ?? {};
  await print(`${JSON.stringify({ ...row, where, at: at === null ? null : isoTime(at), note })}\n`);
}

const momentOf = (text: string) => timeOf(text, '--at');

async function wishOf(desk: DeskClient, options: EnterOptions): Promise<Parameters<DeskClient['hedge']['place']>[0]> {
  const { sold, bought, for: other, where, at, fee, note, fills = [] } = options;
  const fixed = sold ?? bought;
  if (fixed === undefined || (sold !== undefined && bought !== undefined)) {
    throw new DeskError('bad_ask', 'Say what was sold or what was bought, one of the two.', {
      remedy: 'For example: hedge-by-hand enter --sold "1.2 WETH" --for "4080 USDC" --where Kraken.',
    });
  }
  const chainId = await oneChain(desk, options.chain);
  const { tokens } = await desk.listings.list({ chainId });
  const addressOf = ({ token }: Side): Address => {
    const listed = tokens[token];
    if (listed !== undefined) return listed.address;
    throw new DeskError('unknown_token', `${token} is not a listed token of chain ${chainId}.`);
  };
  const [given, got] = sold === undefined ? [other, fixed] : [fixed, other];
  return {
    ask: {
      chainId,
      srcToken: addressOf(given),
      destToken: addressOf(got),
      side: sold === undefined ? 'BUY' : 'SELL',
      amount: fixed.amount,
      slippageBps: 0,
    },
    way: {
      mode: 'by-hand',
      other: other.amount,
      where,
      at: at === undefined ? undefined : isoTime(at),
      feeUsd: fee,
      note,
    },
    fillSeqs: fills,
  };
}

/** `1.2 WETH`. */
function sideOf(name: string): (text: string) => Side {
  return (text) => {
    const [, amount, token] = /^([^\s]+) +([^\s]{1,64})$/.exec(text.trim()) ?? [];
    if (amount !== undefined && token !== undefined) return { amount: amountOf(amount), token };
    throw new DeskError('bad_side', `${name} needs an amount and a token, such as "1.2 WETH".`);
  };
}

/** `12,15`. */
function rowsOf(text: string): number[] {
  return text.split(',').map((row) => wholeOf(row.trim(), '--fills', 'bad_fills'));
}
