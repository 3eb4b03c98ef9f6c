import type { Command } from 'commander';
import { readHidden } from './hidden-text.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** What goes out as `X-API-KEY` to the service of a chain: set from the environment or a prompt, never from an argument. */
export function addServiceKey(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const command = program.command('service-key').description('the key of this desk at the service, for higher limits');
  const chainOption = [
    '--chain <id>',
    'of this chain’s service; needed where the desk has several chains',
    chainIdOf,
  ] as const;
  const set = (chain: number | undefined, key: string | null) =>
    withDesk(placeOf(), actor, async (desk) => {
      return desk.settings.setServiceKey({ chainId: await oneChain(desk, chain), key });
    });
  command
    .command('set')
    .description('keep it sealed and send it from now on; from MAKERDESK_SERVICE_KEY or a prompt')
    .option(...chainOption)
    .action(async ({ chain }: { chain?: number }) => {
      const question = 'Key to the service';
      const key = await readHidden({ variable: 'MAKERDESK_SERVICE_KEY', question, code: 'no_service_key' });
      await print(`${JSON.stringify({ set: true, ...(await set(chain, key.trim())) })}\n`);
    });
  command
    .command('remove')
    .description('stop sending one')
    .option(...chainOption)
    .action(async ({ chain }: { chain?: number }) => {
      await print(`${JSON.stringify({ removed: true, ...(await set(chain, null)) })}\n`);
    });
}
