import { useQuery } from '@tanstack/react-query';
import { type Protection, subjectText, type Tried } from '../../../electron/contract/protections.ts';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useQueries } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { usePaused } from '../../state/use-paused.ts';
import { amountWords, subjectWords } from './rule-words.ts';

/** What a rule would have done in the last day, as the desk itself would have counted it. */
export function RuleTrial({ rule }: { rule: Protection }) {
  const paused = usePaused(rule);
  const now = useDeskNow();
  const tried = useQuery(
    useQueries().protections.trial.queryOptions({
      input: { protections: [paused ?? rule] },
      enabled: paused !== null,
      retry: false,
      gcTime: 0,
    }),
  );
  if (paused !== null && tried.isError) return <RefusalNote refusal={refusalOf(tried.error)} />;
  if (paused === null || tried.data === undefined) {
    return <p className="muted">In the last 24 h: the journal is read…</p>;
  }
  return <p>{trialWords(tried.data, now)}</p>;
}

/** `In the last 24 h it would have tripped 3 times, first at 14:05 for user 0x7a…01; …`. */
export function trialWords({ requests, rules, notSigned, unknown, unpriced }: Tried, now: number): string {
  const [of] = rules;
  if (of === undefined) return '';
  const said: string[] = [];
  if (of.first === null || of.largest === null) {
    const most = of.peak === null ? 'nothing was counted' : `at most ${amountWords(of, of.peak.used)} of it was used`;
    said.push(`In the last 24 h it would not have tripped: ${most}.`);
  } else {
    const { first, largest, trips } = of;
    const most = amountWords(of, `${BigInt(largest.used) + BigInt(largest.asked)}`);
    said.push(
      `In the last 24 h it would have tripped ${trips === 1 ? 'once' : `${trips} times`}, first at ${momentText(first.at, now)} for ${subjectWords(of.rule, first)}; the largest was ${most}${trips === 1 ? '' : ` for ${subjectText(of.rule, largest)}`}.`,
    );
  }
  if (notSigned.quotes > 0) {
    const { quotes, fills } = notSigned;
    const filled = fills === 0 ? 'none of which was filled' : `with ${plural(fills, 'fill')}`;
    said.push(
      `Of ${plural(requests, 'request')} it would have refused ${plural(quotes, 'quote')} that the desk signed, ${filled}.`,
    );
  }
  if (unpriced > 0)
    said.push(`${plural(unpriced, 'request')} had no dollar price and would have been refused for that.`);
  if (unknown > 0)
    said.push(`${plural(unknown, 'request')} that rules refused before the amounts were known are not in it.`);
  return said.join(' ');
}
