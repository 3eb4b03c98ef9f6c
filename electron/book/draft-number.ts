import { readNumber } from '../contract/typed-number.ts';
import { levelNumberSchema } from '../protocol/decimal.ts';

/** What a person typed, as it is kept: the plain decimal, or what cannot be read as it stands. */
export function typedNumber(text: string): string {
  return readNumber(text).text ?? text.trim();
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
