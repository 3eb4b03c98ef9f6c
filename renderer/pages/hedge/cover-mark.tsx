import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { tablePlaces } from '../../components/figures/amounts.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';

const LOOKS = {
  unhedged: { shape: 'off', tone: 'quiet', word: 'unhedged' },
  hedging: { shape: 'open', tone: '', word: 'hedging' },
  part_hedged: { shape: 'part', tone: '', word: 'partly' },
  hedged: { shape: 'filled', tone: 'ok', word: 'hedged' },
  taken_back: { shape: 'cancelled', tone: 'attn', word: 'taken back' },
} as const;

/** What became of a fill's risk; once it is hedged whole, what fill and hedge brought together. */
export function CoverMark({ fill }: { fill: Pick<HedgedFill, 'cover' | 'resultUsd' | 'result' | 'quote'> }) {
  const { shape, tone, word } = LOOKS[fill.cover];
  const result = resultText(fill);
  return (
    <span className="with-mark" title={result === null ? word : `${word}; fill and hedge together ${result}`}>
      <Mark shape={shape} tone={tone} />
      {result === null ? word : <span className={result.startsWith('−') ? 'ask strong' : ''}>{result}</span>}
      {result !== null && <span className="only-read"> {word}</span>}
    </span>
  );
}

/** `+$12.30`, or in quote tokens where dollars are not known; null before all of it is hedged. */
function resultText({ result, resultUsd, quote }: Pick<HedgedFill, 'result' | 'resultUsd' | 'quote'>): string | null {
  if (resultUsd !== null) return signedText(resultUsd).replace(/^([+−]?)/, '$1$$');
  if (result === null) return null;
  return quote === null ? signedText(result) : `${signedText(result, tablePlaces(quote))}\u00a0${quote.symbol}`;
}

/** A gain with + and a loss with −, cut towards the loss. */
export function signedText(decimal: string, places = 2): string {
  const text = decimalText(decimal, places, decimal.startsWith('-') ? 'up' : 'down');
  return text.startsWith('−') || !/[1-9]/.test(text) ? text : `+${text}`;
}
