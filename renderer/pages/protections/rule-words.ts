import {
  countsText,
  type Protection,
  type ProtectionRow,
  type StandingRow,
  type Subject,
  secondsText,
  subjectText,
  type Trip,
  tripText,
  unitText,
} from '../../../electron/contract/protections.ts';
import { amountText, shortAmountText } from '../../components/figures/amounts.ts';
import { shortHex } from '../../components/figures/counts.ts';
import { numberText } from '../../state/number-form.ts';

/** An amount of a rule as its table shows it: `61,480.00 USDC`, `12`. Cut, never rounded. */
export function amountWords({ rule, decimals }: Pick<ProtectionRow, 'rule' | 'decimals'>, raw: string): string {
  const symbol = rule.usd === undefined ? rule.token : 'USD';
  return symbol === undefined ? numberText(raw) : `${shortAmountText(raw, { symbol, decimals })} ${symbol}`;
}

/** The same without its unit, with the places that tables have. */
function figureWords({ rule, decimals }: Pick<ProtectionRow, 'rule' | 'decimals'>, raw: string): string {
  const symbol = rule.usd === undefined ? rule.token : 'USD';
  return symbol === undefined ? numberText(raw) : amountText(raw, { symbol, decimals });
}

/** Whole percent of the limit, rounded down. */
export function shareOf({ limit }: Pick<ProtectionRow, 'limit'>, used: string | undefined): number {
  if (used === undefined || limit === '0') return 0;
  return Number((BigInt(used) * 100n) / BigInt(limit));
}

/** The same of a switch; 0 where nothing is known, or no limit is set. */
export function switchShareOf({ limit }: Pick<StandingRow, 'limit'>, used: number | null): number {
  return used === null || limit === null || limit === 0 ? 0 : Math.floor((used * 100) / limit);
}

/** What is nearest to its limit, of rules by their fullest windows and of switches; null where nothing is counted. */
export function nearestOf(
  rows: readonly ProtectionRow[],
  switches: readonly StandingRow[],
): { name: string; percent: number; says: string } | null {
  const all = [
    ...rows.flatMap((row) =>
      row.now === null
        ? []
        : [{ name: row.rule.name, percent: shareOf(row, row.now.used), says: windowWords(row.rule) }],
    ),
    ...switches.flatMap((row) =>
      row.used === null || row.limit === null
        ? []
        : [{ name: row.name, percent: switchShareOf(row, row.used), says: limitsWords(row) }],
    ),
  ];
  return all.sort((a, b) => b.percent - a.percent)[0] ?? null;
}

/** How many have tripped: of rules each subject, of switches each. */
export function trippedIn(rows: readonly ProtectionRow[], switches: readonly StandingRow[]): number {
  const ofRules = rows.reduce((sum, { standing }) => sum + standing.length, 0);
  return ofRules + switches.filter(({ state }) => state === 'tripped').length;
}

/** What a switch limits, and where that is worst now: `age of the reference, Practice: WETH/USDC`. */
export function limitsWords({ limits, where }: Pick<StandingRow, 'limits' | 'where'>): string {
  return where === '' ? limits : `${limits}: ${where}`;
}

/** `USDC signed per user, any 10 min`, `WETH filled net per pair, any 1 h`. */
export function windowWords(rule: Protection): string {
  const { per, windowSeconds, chains } = rule;
  const where = chains === undefined ? '' : `, chain ${chains.join(', ')}`;
  return `${unitText(rule, '2')} ${countsText(rule)} ${per === 'desk' ? 'by the desk' : `per ${per}`}, any ${secondsText(windowSeconds)}${where}`;
}

/** Who or what a window is of; addresses are shortened. `bare`: the name alone. */
export function subjectWords(rule: Pick<Protection, 'per'>, { chainId, who }: Subject, bare = false): string {
  const short = rule.per === 'user' ? { chainId, who: shortHex(who) } : { chainId, who };
  if (bare && rule.per !== 'desk' && who !== '') return short.who;
  return subjectText(rule, short);
}

/** What a trip does, in a column of its own: `freezes 5 min`, `halts until reset`. */
export function thenWords({ per, freezeSeconds }: Protection): string {
  if (freezeSeconds === 0) return per === 'desk' ? 'halts until reset' : 'freezes until reset';
  return `freezes ${secondsText(freezeSeconds)}`;
}

/** The figures of a trip, with addresses as they stand on the screen. */
export function tripWords(trip: Trip): string {
  const { rule, decimals } = trip;
  return tripText(trip, {
    subject: subjectWords(rule, trip),
    figure: (raw) => figureWords({ rule, decimals }, raw),
    limit: numberText(rule.limit),
  });
}
