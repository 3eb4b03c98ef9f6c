import type { Command } from 'commander';
import { print } from './print.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** A line for the log of the service, over the WebSocket that it has open. */
export function addMessage(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('message <line>')
    .description('tell the service a line for its log, over the WebSocket')
    .option('--chain <id>', 'on this chain alone', chainIdOf)
    .action(async (line: string, { chain }: { chain?: number }) => {
      const input = { line, ...(chain !== undefined && { chainId: chain }) };
      const { told } = await withDesk(placeOf(), actor, (desk) => desk.service.say(input));
      await print(`${JSON.stringify({ told })}\n`);
      if (told === 0) process.exitCode = 1;
    });
}
