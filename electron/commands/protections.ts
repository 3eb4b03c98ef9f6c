import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { plain } from '../contract/plain-text.ts';
import {
  frozenText,
  type ProtectionRow,
  ruleText,
  type StandingRow,
  subjectText,
  type Trip,
  thenText,
  tripText,
} from '../contract/protections.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** Each rule with its use now, its peak of the last 24 hours, and its trips. */
export function addProtections(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('protections')
    .description(
      'each rule of what may be signed or filled in a time: its use now, its peak of the last 24 h, and its trips',
    )
    .option('--standing', 'what protects the desk besides its rules: fences, dead-man switches, the tripwire')
    .option('--json', 'as a JSON array')
    .action(async ({ standing, json }: { standing?: boolean; json?: boolean }) => {
      if (standing) {
        const all = await withDesk(placeOf(), actor, (desk) => desk.protections.standing());
        await print(json ? `${JSON.stringify(all.map(standingWritten), null, 2)}\n` : standingTable(all));
        return;
      }
      const rows = await withDesk(placeOf(), actor, (desk) => desk.protections.list());
      if (json) await print(`${JSON.stringify(rows.map(written), null, 2)}\n`);
      else await print(rows.length === 0 ? 'This desk has no protections.\n' : table(rows));
    });
}

/** Ends what a rule has frozen, by a person's word. */
export function addResetProtection(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('reset-protection <rule>')
    .description(
      'end the trips of a rule: what it counted until now no longer counts, and it signs again; needs --reason',
    )
    .option('--only <subject>', 'of this user, counterparty or pair alone (a pair with its chain: 1/WETH/USDC)')
    .option('--reason <text>', 'why it is safe, for the journal')
    .action(async (rule: string, { only, reason }: { only?: string; reason?: string }) => {
      if (!reason) {
        throw new DeskError('no_reason', 'Resetting a protection needs a reason.', {
          remedy: 'Say why it is safe to sign again with --reason.',
        });
      }
      const ended = await withDesk(placeOf(), actor, async (desk) => {
        const of = only === undefined ? undefined : await subjectOf(desk.protections.list, rule, only);
        return desk.protections.reset({ rule, reason, ...(of !== undefined && { subject: of }) });
      });
      await print(`${JSON.stringify({ reset: true, rule, trips: ended.map(timed) })}\n`);
    });
}

/** The subject of the trip that was meant. */
async function subjectOf(list: () => Promise<ProtectionRow[]>, rule: string, typed: string) {
  const standing = (await list()).flatMap((row) => (row.rule.name === rule ? row.standing : []));
  const found = standing.find(
    ({ chainId, who }) => (chainId === null ? who : `${chainId}/${who}`).toLowerCase() === typed.toLowerCase(),
  );
  if (found === undefined) throw new DeskError('not_tripped', `Nothing of “${typed}” is frozen by ${rule}.`);
  return { chainId: found.chainId, who: found.who };
}

function timed({ at, until, reset, ...trip }: Trip) {
  return {
    ...trip,
    time: isoTime(at),
    until: until === null ? null : isoTime(until),
    reset: reset === null ? null : { time: isoTime(reset.at), actor: reset.actor, reason: reset.reason },
  };
}

/** With token units and times that a person and other programs read. */
function written({ decimals, limit: _limit, now, peak, standing, last, ...row }: ProtectionRow) {
  const use = (one: ProtectionRow['now']) =>
    one === null ? null : { chainId: one.chainId, who: one.who, used: fromRaw(BigInt(one.used), decimals) };
  const amounts = (trip: Trip) => ({
    ...timed(trip),
    used: fromRaw(BigInt(trip.used), trip.decimals),
    asked: fromRaw(BigInt(trip.asked), trip.decimals),
  });
  return {
    ...row,
    now: use(now),
    peak: peak === null ? null : { ...use(peak), time: isoTime(peak.at) },
    standing: standing.map(amounts),
    last: last === null ? null : amounts(last),
  };
}

function standingWritten({ peak, ...row }: StandingRow) {
  return { ...row, peak: peak === null ? null : { used: peak.used, where: peak.where, time: isoTime(peak.at) } };
}

function standingTable(rows: readonly StandingRow[]): string {
  const amount = (value: number | null, unit: string) => (value === null ? '-' : `${value} ${unit}`);
  const text = tableText<StandingRow>(
    [
      { head: 'Protection', cell: ({ name }) => name },
      { head: 'What it limits', cell: ({ limits }) => limits },
      { head: 'Limit', cell: ({ limit, unit }) => amount(limit, unit), right: true },
      { head: 'Worst now', cell: ({ used, unit }) => amount(used, unit), right: true },
      { head: 'of', cell: ({ where }) => where },
      { head: 'Peak, 24 h', cell: ({ peak, unit }) => amount(peak?.used ?? null, unit), right: true },
      { head: 'When it trips', cell: ({ does }) => does },
    ],
    rows,
  );
  const urgent = rows.filter(({ state }) => state === 'tripped' || state === 'near');
  if (urgent.length === 0) return text;
  const told = urgent.map(
    ({ name, limits, state, todo }) =>
      `${state === 'tripped' ? 'TRIPPED' : 'NEAR   '}  ${plain(`${name}, ${limits}. ${todo}`)}\n`,
  );
  return `${text}\n${told.join('')}`;
}

function table(rows: readonly ProtectionRow[]): string {
  const share = ({ limit }: ProtectionRow, used: string) => {
    const percent = (BigInt(used) * 100n) / BigInt(limit === '0' ? 1 : limit);
    return `${percent} %`;
  };
  const use = (row: ProtectionRow, one: ProtectionRow['now']) =>
    one === null ? '-' : `${fromRaw(BigInt(one.used), row.decimals)} ${share(row, one.used)}`;
  const text = tableText<ProtectionRow>(
    [
      { head: 'Rule', cell: ({ rule }) => rule.name },
      { head: 'What it counts', cell: ({ rule }) => ruleText(rule) },
      { head: 'Worst now', cell: (row) => use(row, row.now), right: true },
      { head: 'of', cell: ({ rule, now }) => (now === null ? '' : subjectText(rule, now)) },
      { head: 'Peak, 24 h', cell: (row) => use(row, row.peak), right: true },
      { head: 'When it trips', cell: ({ rule }) => thenText(rule) },
      { head: 'Last trip', cell: ({ last }) => (last === null ? 'never' : isoTime(last.at)) },
    ],
    rows,
  );
  const standing = rows.flatMap((row) => row.standing);
  if (standing.length === 0) return text;
  const told = standing.map(
    (trip) =>
      `TRIPPED  ${plain(`${trip.rule.name}: ${tripText(trip)} ${frozenText(trip)}`)}\n         When it is safe: makerdesk reset-protection ${trip.rule.name} --reason TEXT\n`,
  );
  return `${text}\n${told.join('')}`;
}
