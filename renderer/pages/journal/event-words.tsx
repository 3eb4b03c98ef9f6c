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

/** Letters that are read from the right: what others wrote in them keeps its own direction. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** What happened, as a sentence: what was before, what is now, and what somebody said of it. `whole`: no digit is left out. */
export function EventWords({ row, whole = false }: { row: EventRow; whole?: boolean }) {
  if (row.unreadable !== undefined) return <>{sentenceText(row)}</>;
  return <Parts of={row.sentence} whole={whole} />;
}

/** The sentence in one line that may be too short for it: what was before and what is now are cut last, after the words around them. */
export function EventWordsInLine({ row }: { row: EventRow }) {
  const { sentence } = row;
  const from = sentence.findIndex((part) => part.as === 'before');
  if (row.unreadable !== undefined || from <= 0) return <EventWords row={row} />;
  const lead = sentence.slice(0, from);
  const isApart = lead.at(-1)?.text.endsWith(' ');
  const to = sentence.findIndex((part, index) => index > from && part.as === 'after') + 1 || from + 1;
  return (
    <span className={styles.line}>
      <span className={styles.lead}>
        <Parts of={lead} />
      </span>
      <span className={isApart ? styles.apart : undefined}>
        <Parts of={sentence.slice(from, to)} />
      </span>
      {to < sentence.length && (
        <span className={styles.rest}>
          <Parts of={sentence.slice(to)} />
        </span>
      )}
    </span>
  );
}

function Parts({ of, whole = false }: { of: readonly SentencePart[]; whole?: boolean }) {
  return (
    <>
      {of.map((part, index) => {
        const text = whole ? wholePartText(part) : partText(part);
        // Text by itself where nothing asks for more: pages of sentences have thousands of parts.
        if (part.as === undefined && !FROM_THE_RIGHT.test(text)) return text;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence never move
          <bdi key={index} className={part.as && CLASSES[part.as]}>
            {text}
          </bdi>
        );
      })}
    </>
  );
}
