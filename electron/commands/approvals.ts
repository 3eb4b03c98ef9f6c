import type { Command } from 'commander';
import {
  type Approval,
  type ApprovalsView,
  FOUR_EYES,
  type FourEyesKind,
  fourEyesKindSchema,
  wholeSays,
} from '../contract/approvals.ts';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { wholeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** Four eyes: what waits for a second person, their answers, and what takes one. */
export function addApprovals(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const approvals = program.command('approvals').description('what waits for a second person, and what takes one');
  approvals
    .command('list', { isDefault: true })
    .description('what takes a second person, what waits, what each would change, and what became of those before')
    .option('--json', 'as one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const told = inWhole(await withDesk(placeOf(), actor, (desk) => desk.approvals.list({})));
      if (json) await print(`${JSON.stringify(told, null, 2)}\n`);
      else await print(inWords(told));
    });
  approvals
    .command('approve <number>')
    .description('say yes: it is carried out under the name of whoever asked for it')
    .action(async (number: string) => {
      const request = wholeOf(number, 'the number', 'unknown_approval');
      const { answer } = await withDesk(placeOf(), actor, (desk) => desk.approvals.approve({ request }));
      await print(`${JSON.stringify({ approved: request, answer: answer ?? null })}\n`);
    });
  approvals
    .command('refuse <number>')
    .description('say no; needs --reason')
    .option('--reason <text>', 'why, for the journal and whoever asked')
    .action(async (number: string, { reason }: { reason?: string }) => {
      const request = wholeOf(number, 'the number', 'unknown_approval');
      if (!reason) {
        throw new DeskError('no_reason', 'Refusing needs a reason.', { remedy: 'Say why with --reason.' });
      }
      await withDesk(placeOf(), actor, (desk) => desk.approvals.refuse({ request, reason }));
      await print(`${JSON.stringify({ refused: request })}\n`);
    });
  approvals
    .command('withdraw <number>')
    .description('take back what you asked for')
    .action(async (number: string) => {
      const request = wholeOf(number, 'the number', 'unknown_approval');
      await withDesk(placeOf(), actor, (desk) => desk.approvals.withdraw({ request }));
      await print(`${JSON.stringify({ withdrawn: request })}\n`);
    });
  approvals
    .command('require <kinds>')
    .description(
      `what takes a second person from now on: ${fourEyesKindSchema.options.join(', ')}, joined by commas, or none`,
    )
    .action(async (text: string) => {
      const kinds = kindsOf(text);
      await withDesk(placeOf(), actor, async (desk) => {
        const { kinds: seen } = await desk.approvals.list({ limit: 0 });
        await desk.approvals.set({ kinds, seen });
      });
      await print(`${JSON.stringify({ kinds })}\n`);
    });
}

function kindsOf(text: string): FourEyesKind[] {
  if (text === 'none') return [];
  return [...new Set(text.split(','))].map((word) => {
    const kind = fourEyesKindSchema.safeParse(word.trim()).data;
    if (kind !== undefined) return kind;
    throw new DeskError('bad_kind', `${word} is nothing that can take a second person.`, {
      remedy: `Name some of ${fourEyesKindSchema.options.join(', ')}, joined by commas, or none.`,
    });
  });
}

type Told = ApprovalsView & { past: Approval[] };

/** What was asked for is said with its reason, as scripts have always read it. */
function inWhole({ kinds, waiting, underWay, past }: Told): Told {
  const whole = (one: Approval): Approval => ({ ...one, says: wholeSays(one) });
  return { kinds, waiting: waiting.map(whole), underWay: underWay.map(whole), past: past.map(whole) };
}

function inWords({ kinds, waiting, underWay, past }: Told): string {
  const set =
    kinds.length === 0
      ? 'Nothing takes a second person.'
      : `Takes a second person: ${kinds.map((kind) => FOUR_EYES[kind].name).join(', ')}.`;
  return [
    set,
    waiting.length === 0 ? 'Nothing waits.' : 'Waiting:',
    ...waiting.flatMap((one) => [
      `  ${one.seq}  ${plain(one.actor)}: ${plain(one.says)}; until ${isoTime(one.until)}; takes the right “${one.right}”${one.aloneFrom === undefined ? '' : `; nobody else is there: themselves from ${isoTime(one.aloneFrom)} on`}`,
      ...one.changes.map(
        ({ about, what, before, after }) =>
          `        ${plain(about)}, ${plain(what)}: ${plain(before ?? 'none')} → ${plain(after ?? 'none')}`,
      ),
      ...(one.more === 0 ? [] : [`        and ${one.more} more`]),
    ]),
    ...underWay.map(
      ({ seq, actor, says, approved }) =>
        `  ${seq}  ${plain(actor)}: ${plain(says)}, approved by ${plain(approved?.actor ?? '')}; is being carried out`,
    ),
    ...(past.length === 0 ? [] : ['Before, newest first:']),
    ...past.map(({ seq, actor, says, approved, ended }) => {
      const yes = approved === null ? '' : `, approved by ${plain(approved.actor)}`;
      const why = ended?.why == null ? '' : `: ${plain(ended.why)}`;
      return `  ${seq}  ${plain(actor)}: ${plain(says)}${yes}; ${ended?.how ?? 'open'}${why}`;
    }),
    '',
  ].join('\n');
}
