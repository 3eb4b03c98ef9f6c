import type { Command } from 'commander';
import type { Attention } from '../contract/desk-view.ts';
import { plain } from '../contract/plain-text.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { type DeskNow, deskNow } from './desk-now.ts';
import { print } from './print.ts';
import { wholeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

const LEVELS: Record<Attention['level'], string> = { stop: 'STOP', look: 'look', note: 'note' };

/** What needs somebody's attention now, most urgent first. */
export function addAlerts(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('alerts')
    .description('what needs attention now, most urgent first')
    .option('--json', 'as a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const place = placeOf();
      const { alerts, running } = await withDesk(place, actor, async (desk, running) => {
        return { ...(await deskNow(desk)), running };
      });
      if (!running) {
        process.stderr.write(`No desk runs in ${place}: only what its journal knows is told. See "makerdesk check".\n`);
      }
      const none = running ? 'Nothing needs attention.\n' : 'No alarm stands in the journal.\n';
      if (json) await print(`${JSON.stringify(alerts, null, 2)}\n`);
      else await print(alerts.length === 0 ? none : alerts.map(alertText).join(''));
    });
}

/** Says of an alarm, and of those before it that are told with it, that a person has looked; nothing is resumed by that. */
export function addAcknowledge(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('acknowledge <alarm>')
    .description('take an alarm off by its number, which "alerts" tells, once somebody has looked; needs --reason')
    .option('--reason <text>', 'what was found, for the journal')
    .action(async (typed: string, { reason }: { reason?: string }) => {
      const number = wholeOf(typed, 'the alarm', 'bad_alarm');
      if (!reason) {
        throw new DeskError('no_reason', 'Acknowledging an alarm needs a reason.', {
          remedy: 'Say what you found with --reason.',
        });
      }
      const { title, newer } = await withDesk(placeOf(), actor, async (desk) => {
        const { alerts } = await deskNow(desk);
        const found = alerts.find(({ alarm }) => alarm?.includes(number));
        if (found?.alarm === undefined) {
          throw new DeskError('unknown_alarm', `No alarm ${number} stands.`, {
            remedy: 'See what stands, with its numbers: makerdesk alerts.',
          });
        }
        // What came after the number was told has nobody looked at.
        const seqs = found.alarm.filter((seq) => seq <= number);
        await desk.trading.acknowledgeAlarms({ seqs, reason });
        return { title: found.title, newer: found.alarm.length - seqs.length };
      });
      await print(`${JSON.stringify({ acknowledged: true, alarm: number, title, newer })}\n`);
      if (newer > 0)
        process.stderr.write(
          `${newer} of the same came after it and ${newer === 1 ? 'stands' : 'stand'}: see "makerdesk alerts".\n`,
        );
    });
}

/** One of them on two lines; of an alarm also what takes it off. */
export function alertText({ level, title, detail, alarm }: Omit<DeskNow['alerts'][number], 'code'>): string {
  const mend =
    alarm === undefined ? '' : `      When you have looked: makerdesk acknowledge ${alarm.at(-1)} --reason TEXT\n`;
  return `${LEVELS[level]}  ${plain(title)}\n      ${plain(detail)}\n${mend}`;
}
