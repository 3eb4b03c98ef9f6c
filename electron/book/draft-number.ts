import { decimalSchema } from '../protocol/decimal.ts';

const GROUPED = /^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?$/;

/** What a person typed, as it is kept: without blanks around it and without commas that separate thousands. */
export function typedNumber(text: string): string {
  const trimmed = text.trim();
  return GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
}

/** Why a cell of a draft cannot be published, in words for the person who typed it; null when it can. */
export function numberFault(text: string): string | null {
  if (text === '') return 'is empty';
  if (/^[-−]/.test(text)) return 'must not be negative';
  if (/^[0-9.,]+e[-+]?[0-9]+$/i.test(text)) return 'must be written out, without an exponent';
  if (/^\+?(∞|inf(inity)?|nan)$/i.test(text)) return 'must be a number';
  if (text.includes(',')) return 'has a comma that does not separate thousands';
  if (/^0+(\.0*)?$/.test(text)) return 'must be above zero';
  const checked = decimalSchema.safeParse(text);
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'must be a plain decimal number');
}
