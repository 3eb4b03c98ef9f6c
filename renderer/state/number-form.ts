import { useSyncExternalStore } from 'react';
import * as typed from '../../electron/contract/typed-number.ts';
import { keptChoice } from './kept-choice.ts';

const MINUS = '−';

/** How numbers are written on the screen: `1,234.5`, `1.234,5` or `1 234.5`. */
const FORMS = {
  point: { group: ',', point: '.' },
  comma: { group: '.', point: ',' },
  blank: { group: '\u202f', point: '.' },
} as const;
export type NumberForm = keyof typeof FORMS;

const choice = keptChoice<NumberForm>('makerdesk.numbers', (kept) =>
  kept === 'comma' || kept === 'blank' ? kept : 'point',
);
export const setNumberForm = choice.set;
export const followNumberForm = choice.follow;

export function useNumberForm(): NumberForm {
  return useSyncExternalStore(choice.subscribe, choice.now);
}

/** A plain decimal such as `-1234.5` as this viewer reads numbers, minus U+2212. Every number on the screen is written here. */
export function numberText(plain: string): string {
  const { group, point } = FORMS[choice.now()];
  const [whole = '', fraction] = plain.replace(/^[-−]/, '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return (/^[-−]/.test(plain) ? MINUS : '') + (fraction === undefined ? grouped : `${grouped}${point}${fraction}`);
}

/** How many digits stand behind the decimal mark of a number as `numberText` wrote it. */
export function placesIn(text: string): number {
  return text.split(FORMS[choice.now()].point)[1]?.length ?? 0;
}

/** One separator with three digits behind it: thousands for some, a decimal mark for others. */
const EITHER = /^([1-9]\d{0,2})[.,](\d{3})$/;

/**
 * Why a typed number is not taken in this form; null where it cannot be misread. Numbers are typed plainly, `1234.5`, in each
 * form; where the screen groups with points, `1.234` and `1,234` may be either number and are refused.
 */
export function doubtOf(text: string): string | null {
  if (choice.now() === 'point') return null;
  const [, whole, rest] = EITHER.exec(text.trim()) ?? [];
  if (whole === undefined || (choice.now() === 'blank' && !text.includes(','))) return null;
  return `may be ${whole}.${rest} or ${whole}${rest}: write ${whole}.${rest}0 or ${whole}${rest}`;
}

/** As the desk reads typed numbers (see there), but for what the viewer's number form leaves in doubt. */
export function readNumber(text: string): typed.TypedNumber {
  const fault = doubtOf(text);
  return fault === null ? typed.readNumber(text) : { text: null, fault };
}

/** The same for whole numbers between two bounds, both allowed. */
export function readWhole(text: string, least: number, most: number): ReturnType<typeof typed.readWhole> {
  const fault = doubtOf(text);
  return fault === null ? typed.readWhole(text, least, most) : { value: null, fault };
}
