import { frozenText, subjectText, tripText } from '../../contract/protections.ts';
import { named, quoted, type TellingsOf, words } from '../telling.ts';
import type { PROTECTION_EVENTS } from './events.ts';

/** Of a trip a person reads the rule, the figures and until when. */
const MOST_SAID = 400;

/** Trips of protections, and their resets. */
export function tellProtections(): TellingsOf<typeof PROTECTION_EVENTS> {
  const pairOf = (per: string, { chainId, who }: { chainId: number | null; who: string }) =>
    per === 'pair' ? { chainId, pair: who } : { wide: per === 'desk' };
  return {
    protection_tripped: {
      name: 'Protection tripped',
      group: 'stops',
      concerns: ({ body }) => pairOf(body.rule.per, body),
      say: ({ body }) => [
        words(`tripped the protection ${named(body.rule.name)}: `),
        { text: named(`${tripText(body)} ${frozenText(body)}`, MOST_SAID), as: 'after' },
      ],
    },
    protection_reset: {
      name: 'Protection reset',
      group: 'stops',
      concerns: ({ body: { chainId, who } }) => (chainId === null ? {} : { chainId, pair: who }),
      say: ({ body: { rule, reason, ...subject } }) => [
        words(`reset the protection ${named(rule)} for ${named(whom(subject), 80)}:`),
        ...quoted(reason),
      ],
    },
  };
}

function whom(subject: { chainId: number | null; who: string }): string {
  if (subject.chainId !== null) return subjectText({ per: 'pair' }, subject);
  return subject.who === '' ? 'the desk' : subject.who;
}
