import type { Command } from 'commander';
import { plain } from '../contract/plain-text.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { addressOf, chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

type Options = { chain?: number; reason?: string };

/** The execution contracts that orders may name: what is in force, what the service names, and a person's word on it. */
export function addTakers(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const takers = program.command('takers').description('execution contracts that orders may name, and those that wait');
  const chainOption = ['--chain <id>', 'which chain; needed where the desk has several', chainIdOf] as const;
  const set = (address: string, taken: boolean, { chain, reason }: Options) =>
    withDesk(placeOf(), actor, async (desk) => {
      const chainId = await oneChain(desk, chain);
      const typed = addressOf(address, 'the address');
      if (!taken) expectTaker((await desk.service.state({ chainId })).takers, chainId, typed);
      return { chainId, ...(await desk.service.setTaker({ chainId, address: typed, taken, reason })) };
    });
  takers
    .command('list', { isDefault: true })
    .description('what is in force, what waits for a person and what is at that address')
    .option(...chainOption)
    .option('--json', 'as one JSON document')
    .action(async ({ chain, json }: { chain?: number; json?: boolean }) => {
      const { chainId, of } = await withDesk(placeOf(), actor, async (desk) => {
        const id = await oneChain(desk, chain);
        return { chainId: id, of: (await desk.service.state({ chainId: id })).takers };
      });
      await print(json ? `${JSON.stringify({ chainId, ...of }, null, 2)}\n` : inWords(chainId, of));
    });
  takers
    .command('add <address>')
    .description('orders may name it from now on; needs --reason')
    .option(...chainOption)
    .option('--reason <text>', 'how you know that it is the service’s, for the journal')
    .action(async (address: string, options: Options) => {
      await print(`${JSON.stringify({ added: true, ...(await set(address, true, options)) })}\n`);
    });
  takers
    .command('remove <address>')
    .description('no order names it any more, and it is not asked about again')
    .option(...chainOption)
    .option('--reason <text>', 'why, for the journal')
    .action(async (address: string, options: Options) => {
      await print(`${JSON.stringify({ removed: true, ...(await set(address, false, options)) })}\n`);
    });
}

interface Takers {
  list: readonly string[];
  waiting?: readonly { address: string; look: string | null }[] | undefined;
  never?: readonly { address: string; is: string }[] | undefined;
  leftOut?: readonly string[] | undefined;
  unnamed?: readonly string[] | undefined;
  fetchedAt: number | null;
  fault: string | null;
}

/** Throws DeskError `unknown_taker` where there is nothing to take away: a slip of the finger would leave the one that was meant in force. */
function expectTaker(
  { list, waiting = [], never = [], leftOut = [] }: Takers,
  chainId: number,
  address: Address,
): void {
  const known = [...list, ...[...waiting, ...never].map((one) => one.address)];
  if (known.includes(address)) return;
  const is = leftOut.includes(address) ? 'is left out already' : 'is no taker, and does not wait to be one';
  throw new DeskError('unknown_taker', `${address} ${is} on chain ${chainId}: nothing was removed.`, {
    remedy: 'See what is in force and what waits: makerdesk takers. What waits is known while the desk runs.',
  });
}

function inWords(chainId: number, takers: Takers): string {
  const { list, waiting = [], never = [], leftOut = [], unnamed = [], fetchedAt, fault } = takers;
  const lines = [
    ...list.map((one) => `  in force  ${one}${unnamed.includes(one) ? ', which the service does not name' : ''}`),
    ...waiting.map(
      ({ address, look }) =>
        `  WAITS     ${address}. ${plain(look ?? 'What is at this address was not looked up yet.')}`,
    ),
    ...never.map(({ address, is }) => `  REFUSED   ${address}, which the service names and is ${is}`),
    ...leftOut.map((one) => `  left out  ${one}`),
  ];
  if (list.length === 0) lines.unshift('  No taker is in force.');
  if (fault !== null) lines.push(`  ${plain(fault)}`);
  else if (fetchedAt === null)
    lines.push('  What the service names was not fetched: that is known while the desk runs.');
  return `chain ${chainId}\n${lines.join('\n')}\n`;
}
