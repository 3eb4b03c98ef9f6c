import { type Command, Option } from 'commander';
import {
  type AlertWay,
  type CallKind,
  COMMAND_WAY,
  callKindSchema,
  type MailWay,
  placeOf,
  type QuietHours,
} from '../contract/alert-ways.ts';
import { isoTime } from '../contract/names.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { takeSecret } from '../desk/taken-secret.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readHidden } from './hidden-text.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { portOf, wholeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface Told {
  kinds?: CallKind[];
  after?: number;
}

interface Mailed extends Told {
  host: string;
  port?: number;
  security?: MailWay['security'];
  user?: string;
  from: string;
  to: string[];
}

const ADDRESS = 'MAKERDESK_ALERT_URL';
const PASSWORD = 'MAKERDESK_ALERT_PASSWORD';
const USUAL_KINDS: CallKind[] = ['halt', 'stop'];
const USUAL_PORTS: Record<MailWay['security'], number> = { tls: 465, starttls: 587, plain: 25 };

/** Where alerts are told beside the console: chats, mailboxes, and the program that the desk was started with. */
export function addAlertWays(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const onDesk = <T>(act: (desk: DeskClient) => Promise<T>) => withDesk(placeOf(), actor, act);
  const command = program.command('alert-ways').description('where alerts are told besides the console');
  command
    .command('list', { isDefault: true })
    .description('every way, what became of it, the quiet hours, and what is told now')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const view = await onDesk((desk) => desk.alerts.ways());
      await print(json ? `${JSON.stringify(view, null, 2)}\n` : listText(view));
    });
  told(command.command('webhook <name>').description(`tell a chat, at the address in ${ADDRESS} or asked for`)).action(
    async (name: string, options: Told) => {
      const known = await onDesk((desk) => knownWay(desk, name));
      const kept = known?.how === 'webhook' ? known.url : undefined;
      const question = 'Address of the webhook';
      const url =
        takeSecret(process.env, ADDRESS) ??
        kept ??
        (await readHidden({ variable: ADDRESS, question, code: 'no_way_secret' }));
      const way = { name, how: 'webhook', url: url.trim(), ...toldOf(options, known) } as const;
      await onDesk((desk) => desk.alerts.saveWay({ way, password: null }));
      await print(`${JSON.stringify({ set: true, name })}\n`);
    },
  );
  told(command.command('mail <name>').description(`send mails; the password from ${PASSWORD} or asked for`))
    .requiredOption('--host <host>', 'the mail server')
    .option('--port <n>', 'its port; else the usual one', (text) => portOf(text, '--port'))
    .addOption(
      new Option('--security <how>', 'from the first byte, by STARTTLS, or none on this machine; at first tls').choices(
        Object.keys(USUAL_PORTS),
      ),
    )
    .option('--user <name>', 'who logs in; "" for nobody, as at first')
    .requiredOption('--from <address>', 'whom the mails come from')
    .requiredOption('--to <addresses>', 'whom they go to, with commas between', (text) => text.split(','))
    .action(async (name: string, options: Mailed) => {
      const { host, from, to } = options;
      const known = await onDesk((desk) => knownWay(desk, name));
      const before = known?.how === 'mail' ? known : undefined;
      const security = options.security ?? before?.security ?? 'tls';
      const isUsual = before === undefined || before.port === USUAL_PORTS[before.security];
      const port = options.port ?? (isUsual ? USUAL_PORTS[security] : before.port);
      const user = (options.user ?? before?.user) || null;
      const isKept = before?.host === host && before.port === port && before.user === user;
      const ask = () => readHidden({ variable: PASSWORD, question: 'Password of the mailbox', code: 'no_way_secret' });
      const given = takeSecret(process.env, PASSWORD);
      const password = user === null ? null : (given ?? (isKept ? null : await ask()));
      const way = { name, how: 'mail', host, port, security, user, from, to, ...toldOf(options, known) } as const;
      await onDesk((desk) => desk.alerts.saveWay({ way, password }));
      await print(`${JSON.stringify({ set: true, name })}\n`);
    });
  told(command.command('command').description('what the program is told that the desk was started with')).action(
    async (options: Told) => {
      await onDesk(async (desk) => {
        const known = await knownWay(desk, COMMAND_WAY);
        const way = { name: COMMAND_WAY, how: 'command', ...toldOf(options, known) } as const;
        await desk.alerts.saveWay({ way, password: null });
      });
      await print(`${JSON.stringify({ set: true, name: COMMAND_WAY })}\n`);
    },
  );
  command
    .command('remove <name>')
    .description('stop telling alerts there')
    .action(async (name: string) => {
      await onDesk((desk) => desk.alerts.removeWay({ name }));
      await print(`${JSON.stringify({ removed: true, name })}\n`);
    });
  command
    .command('test <name>')
    .description('tell a way that this is a test, and say what the other side answered')
    .action(async (name: string) => {
      const { ok, answered } = await onDesk((desk) => desk.alerts.testWay({ name }));
      await print(`${JSON.stringify({ name, ok, answered })}\n`);
      if (!ok) process.exitCode = 1;
    });
  command
    .command('quiet <from> [until] [zone]')
    .description('when what is not urgent waits, such as 22:00 07:00 Europe/Zurich; "off" for never')
    .action(async (from: string, until: string | undefined, zone: string | undefined) => {
      const quiet = from === 'off' ? null : { from, until: until ?? '', zone: zone ?? 'UTC' };
      await onDesk((desk) => desk.alerts.setQuiet({ quiet }));
      await print(`${JSON.stringify({ quiet })}\n`);
    });
  command
    .command('take <code>')
    .description('say that you look after an alert, so that it goes no further')
    .action(async (code: string) => {
      await onDesk((desk) => desk.alerts.take({ code }));
      await print(`${JSON.stringify({ taken: true, code })}\n`);
    });
}

function told(command: Command): Command {
  return command
    .option('--kinds <kinds>', `what is told there: ${callKindSchema.options.join(', ')}; usually halt,stop`, kindsOf)
    .option('--after <minutes>', 'only what still stands after so long and nobody has taken', (text) =>
      wholeOf(text, '--after', 'bad_minutes'),
    );
}

/** What is not said stays as it is. */
function toldOf({ kinds, after }: Told, known: AlertWay | undefined): Pick<AlertWay, 'kinds' | 'afterMinutes'> {
  return { kinds: kinds ?? known?.kinds ?? USUAL_KINDS, afterMinutes: after ?? known?.afterMinutes ?? 0 };
}

function kindsOf(text: string): CallKind[] {
  return text.split(',').map((typed) => {
    const kind = callKindSchema.safeParse(typed.trim());
    if (kind.success) return kind.data;
    throw new DeskError('bad_kind', `There is no kind of alert “${typed.slice(0, 80)}”.`, {
      remedy: `Give any of ${callKindSchema.options.join(', ')}, with commas between.`,
    });
  });
}

async function knownWay(desk: DeskClient, name: string): Promise<AlertWay | undefined> {
  const { ways } = await desk.alerts.ways();
  return ways.find(({ way }) => way.name === name)?.way;
}

type View = Awaited<ReturnType<DeskClient['alerts']['ways']>>;

function listText({ ways, quiet, open }: View): string {
  if (ways.length === 0) return 'Alerts are told on the console alone.\n';
  const table = tableText<View['ways'][number]>(
    [
      { head: 'Way', cell: ({ way }) => way.name },
      { head: 'Tells', cell: ({ way }) => way.kinds.join(', ') },
      { head: 'After, min', cell: ({ way }) => String(way.afterMinutes), right: true },
      { head: 'To', cell: ({ way }) => placeOf(way) },
      { head: 'Told last, UTC', cell: ({ state }) => (state.toldAt === null ? 'not yet' : isoTime(state.toldAt)) },
      { head: 'Fault', cell: ({ state }) => state.fault ?? '' },
    ],
    ways,
  );
  const calls = tableText<View['open'][number]>(
    [
      { head: 'Code', cell: ({ code }) => code },
      { head: 'Since, UTC', cell: ({ since }) => isoTime(since) },
      { head: 'Told on', cell: ({ told: names }) => names.join(', ') },
      { head: 'Taken by', cell: ({ takenBy }) => takenBy ?? '' },
      { head: 'What', cell: ({ title }) => title },
    ],
    open,
  );
  return `${table}\n${quietText(quiet)}\n${open.length === 0 ? '' : `\n${calls}`}`;
}

function quietText(quiet: QuietHours | null): string {
  if (quiet === null) return 'No quiet hours.';
  return `Quiet from ${quiet.from} until ${quiet.until}, ${quiet.zone}: only halts and stops are told then.`;
}
