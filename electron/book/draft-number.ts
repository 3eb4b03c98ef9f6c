import { readNumber } from '../contract/typed-number.ts';
import { compare, levelNumberSchema, parseDecimal } from '../protocol/decimal.ts';

/** What a person typed, as it is kept: the plain decimal, or what cannot be read as it stands. */
export function typedNumber(text: string): string {
  return readNumber(text).text ?? text.trim();
}

/** Whether two texts are the same number, however it is written: 3412.5 and 3412.50. */
export function isSameNumber(a: string, b: string): boolean {
  if (a === b) return true;
  const isNumber = (text: string) => levelNumberSchema.safeParse(text).success;
  return isNumber(a) && isNumber(b) && compare(parseDecimal(a), parseDecimal(b)) === 0;
}

/** Why a cell of a draft cannot be published, in words for the person who typed it; null when it can. */
export function numberFault(text: string): string | null {
  if (text === '') return 'is empty';
  const { fault } = readNumber(text);
  if (fault !== null) return fault;
  if (/^0+(\.0*)?$/.test(text)) return 'must be above zero';
  const checked = levelNumberSchema.safeParse(text);
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'must be a plain decimal number');
}
