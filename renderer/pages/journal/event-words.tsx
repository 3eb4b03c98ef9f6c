import { type EventGroup, type EventRow, type SentencePart, sentenceText } from '../../../electron/contract/journal.ts';
import { amountText, wholeAmountText } from '../../components/figures/amounts.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import styles from './event-words.module.css';

const SHAPES: Readonly<Record<EventGroup, MarkShape>> = {
  prices: 'buy',
  settings: 'note',
  stops: 'octagon',
  quotes: 'open',
  fills: 'filled',
  hedges: 'part',
  desk: 'live',
};

/** What an event is about, by a shape of its own. */
export function GroupMark({ group }: { group: EventGroup | undefined }) {
  return <Mark shape={SHAPES[group ?? 'desk']} tone={group === 'stops' ? '' : 'quiet'} />;
}

const CLASSES = { before: styles.before, after: styles.after, said: styles.said } as const;

/** The part as tables write it: an amount of a token with as many decimals as a column of it has. */
function partText({ text, amount }: SentencePart): string {
  return amount === undefined ? text : `${amountText(amount.raw, amount, amount.up ? 'up' : 'down')} ${amount.symbol}`;
}

/** The part with every digit of an amount. */
function wholePartText({ text, amount }: SentencePart): string {
  return amount === undefined ? text : `${wholeAmountText(amount.raw, amount.decimals)} ${amount.symbol}`;
}

/** All of the sentence, and below it every digit of the amounts that are shortened in it. */
export function wordsTip({ sentence, unreadable }: EventRow): string | null {
  if (unreadable !== undefined) return null;
  const cut = sentence.filter((part) => partText(part) !== wholePartText(part)).map(wholePartText);
  return [sentence.map(partText).join(''), ...cut].join('\n');
}

/** What happened, as a sentence: what was before, what is now, and what somebody said of it. `whole`: no digit is left out. */
export function EventWords({ row, whole = false }: { row: EventRow; whole?: boolean }) {
  // What others wrote may be in a script that is read the other way: each part keeps its own direction.
  return (
    <>
      {row.unreadable === undefined
        ? row.sentence.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence never move
            <bdi key={index} className={part.as && CLASSES[part.as]}>
              {whole ? wholePartText(part) : partText(part)}
            </bdi>
          ))
        : sentenceText(row)}
    </>
  );
}
