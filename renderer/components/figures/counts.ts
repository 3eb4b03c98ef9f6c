import { type Mark, signedBpsText as typedBpsText } from '../../../electron/contract/marks.ts';
import { numberText } from '../../state/number-form.ts';
import { groupedText } from './decimal-text.ts';

/** A count: `9,314`. */
export function countText(count: number): string {
  return numberText(String(count));
}

/** A share in whole percent, `—` of nothing. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '—' : String(Math.floor((part * 100) / whole));
}

/** Whole milliseconds with their sign: `−34 ms`, `+2 ms`, `0 ms`. */
export function signedMsText(milliseconds: number): string {
  const ms = Math.round(milliseconds);
  return `${ms === 0 ? '' : ms < 0 ? '−' : '+'}${countText(Math.abs(ms))}\u00a0ms`;
}

/** `1 quote`, `16 quotes`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** How much of `whole` is done, in tenths of a percent cut down: `99.0`; `over 100` where it is more than the whole. */
export function filledText(part: string, whole: string): string {
  if (whole === '0') return groupedText({ digits: 0n, places: 1 });
  if (BigInt(part) > BigInt(whole)) return 'over 100';
  const tenths = (BigInt(part) * 1_000n) / BigInt(whole);
  return groupedText({ digits: tenths, places: 1 });
}

/** An address or hash cut in its middle: `0x7c41…e94d`. */
export function shortHex(hex: string): string {
  return hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Tenths of a basis point with their sign, grouped: `+2.4`, `−1,200.3`, `0.0`; at the bound and beyond `> +100k`. */
export function signedBpsText(tenthBps: number): string {
  const text = typedBpsText(tenthBps);
  if (!/^[+-]?\d/.test(text)) return text.replace('-', '−');
  return `${text.startsWith('+') ? '+' : ''}${numberText(text.replace('+', ''))}`;
}

/** The same, `not yet` before its time and `—` without a reference. */
export function markText(mark: Mark): string {
  if (mark === null) return '—';
  return mark === 'not_yet' ? 'not yet' : signedBpsText(mark);
}
