import type { Command } from 'commander';
import { LEAST_SECRET } from '../contract/desk-file.ts';
import { isoTime } from '../contract/names.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readHidden } from './hidden-text.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

type Keys = { domain: string; fingerprint: string | null; earlier: string | null; lastUsed: number | null };

/** Counterparties and their keys: new ones, other keys without a gap, and the end of earlier ones. No key is ever shown. */
export function addCounterpartyKeys(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const command = program
    .command('counterparty-keys')
    .description(
      'the keys that requests are signed with: changed without a gap, the earlier ones taken until they are ended',
    );
  command
    .command('list', { isDefault: true })
    .description('each counterparty, its keys by their fingerprint, and when earlier ones were last used')
    .option('--json', 'as a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await withDesk(placeOf(), actor, keysOf);
      if (json) await print(`${JSON.stringify(rows.map(written), null, 2)}\n`);
      else await print(rows.length === 0 ? 'This desk has no counterparty.\n' : table(rows));
    });
  command
    .command('add <domain>')
    .description('a new counterparty; its keys from MAKERDESK_ACCESS_KEY and MAKERDESK_SECRET_KEY, or prompts')
    .action(async (domain: string) => {
      const keys = await readKeys(domain);
      const row = await withDesk(placeOf(), actor, async (desk) => {
        if ((await keysOf(desk)).some((one) => one.domain === domain)) {
          throw new DeskError('changed_meanwhile', `${domain} is a counterparty of this desk already.`, {
            remedy: `Give it other keys with "makerdesk counterparty-keys set ${domain}", with --keep-earlier without a gap.`,
          });
        }
        await desk.settings.saveCounterparty({ counterparty: { signedPath: 'full', domain, ...keys }, seen: null });
        return rowOf(desk, domain);
      });
      await print(`${JSON.stringify({ added: true, ...written(row) })}\n`);
    });
  command
    .command('set <domain>')
    .description('new keys; from MAKERDESK_ACCESS_KEY and MAKERDESK_SECRET_KEY, or prompts')
    .option('--keep-earlier', 'take requests that are signed with the earlier keys as well, until they are ended')
    .action(async (domain: string, { keepEarlier }: { keepEarlier?: boolean }) => {
      const keys = await readKeys(domain);
      const row = await withDesk(placeOf(), actor, (desk) =>
        save(desk, domain, keys, keepEarlier ? 'keep' : undefined),
      );
      await print(`${JSON.stringify({ set: true, ...written(row) })}\n`);
    });
  command
    .command('end-earlier <domain>')
    .description('stop taking requests that are signed with the earlier keys')
    .action(async (domain: string) => {
      const row = await withDesk(placeOf(), actor, async (desk) => {
        const before = await rowOf(desk, domain);
        if (before.earlier === null) throw new DeskError('no_earlier_keys', `No earlier keys of ${domain} are taken.`);
        return save(desk, domain, {}, 'end');
      });
      await print(`${JSON.stringify({ ended: true, ...written(row) })}\n`);
    });
}

async function readKeys(domain: string): Promise<{ accessKey: string; secretKey: string }> {
  const read = async (variable: string, question: string) =>
    (await readHidden({ variable, question, code: 'no_counterparty_keys' })).trim();
  const accessKey = await read('MAKERDESK_ACCESS_KEY', `Access key of ${domain}`);
  const secretKey = await read('MAKERDESK_SECRET_KEY', `Secret key of ${domain}`);
  if (secretKey.length >= LEAST_SECRET) return { accessKey, secretKey };
  throw new DeskError(
    'no_counterparty_keys',
    `The secret key of ${domain} is too short: whoever guesses it is given quotes as ${domain}. Nothing was changed.`,
    { remedy: `Agree on one of ${LEAST_SECRET} characters or more, made by a machine.` },
  );
}

async function keysOf(desk: DeskClient): Promise<Keys[]> {
  const { secrets, earlierKeys } = await desk.settings.get();
  return secrets.map(({ domain, fingerprint }) => {
    const earlier = earlierKeys.find((one) => one.domain === domain);
    return { domain, fingerprint, earlier: earlier?.fingerprint ?? null, lastUsed: earlier?.lastUsed ?? null };
  });
}

async function rowOf(desk: DeskClient, domain: string): Promise<Keys> {
  const row = (await keysOf(desk)).find((one) => one.domain === domain);
  if (row !== undefined) return row;
  throw new DeskError('unknown_counterparty', `${domain} is no counterparty of this desk.`, {
    remedy: 'See makerdesk counterparty-keys.',
  });
}

/** All else of the counterparty stays as it is. */
async function save(
  desk: DeskClient,
  domain: string,
  keys: { accessKey?: string; secretKey?: string },
  earlierKeys: 'keep' | 'end' | undefined,
): Promise<Keys> {
  await rowOf(desk, domain);
  const known = (await desk.settings.get()).desk.counterparties.find((one) => one.domain === domain);
  await desk.settings.saveCounterparty({
    counterparty: { ...known, domain, ...keys },
    seen: known,
    earlierKeys,
  });
  return rowOf(desk, domain);
}

function written({ lastUsed, ...row }: Keys) {
  return { ...row, lastUsed: lastUsed === null ? null : isoTime(lastUsed) };
}

function table(rows: readonly Keys[]): string {
  return tableText<Keys>(
    [
      { head: 'Counterparty', cell: ({ domain }) => domain },
      { head: 'Keys', cell: ({ fingerprint }) => fingerprint ?? 'none kept' },
      { head: 'Earlier keys, still taken', cell: ({ earlier }) => earlier ?? '' },
      {
        head: 'Last used, since the start',
        cell: ({ earlier, lastUsed }) => (earlier === null ? '' : lastUsed === null ? 'not yet' : isoTime(lastUsed)),
      },
    ],
    rows,
  );
}
