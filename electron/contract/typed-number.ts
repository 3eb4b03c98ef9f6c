/** What was typed as a number: a plain decimal as the wire takes it, nothing yet, or why it is none. */
export type TypedNumber = { text: string; fault: null } | { text: null; fault: string | null };

const PLAIN = /^(?:\d+\.?\d*|\.\d+)$/;

/** One separator throughout, three digits behind each, and no zero in front: `0,125` groups nothing. */
const GROUPED = /^[1-9]\d{0,2}([,\s])\d{3}(?:\1\d{3})*(?:\.\d*)?$/;

/** Nothing but digits and what separates them, and what may stand around a change such as `+2.5bp` or `*1.25`. */
const AROUND = /^([-−+*x×]?)\s*([\d.,\s]*\d[\d.,\s]*?)\s*(?:bps?|%)?$/i;

const DECIMAL_COMMA = /^(\d+|[1-9]\d{0,2}(?:([.\s])\d{3})(?:\2\d{3})*),(\d+)$/;

/**
 * Reads a number that a person typed or pasted: `1,234.50` and `1 234.50` are 1234.50, `.5` is 0.5, `5.` is 5. A comma or a
 * blank counts only where it groups thousands; any other is refused, and where it may be a decimal comma the fault names
 * both readings, since nobody but who typed it knows which one is meant. Signs and exponents are refused. The fault goes on from the name
 * of a field: `Bid 3 price has a comma: 12.5 or 125?`
 */
export function readNumber(typed: string): TypedNumber {
  const text = typed.trim();
  if (text === '') return { text: null, fault: null };
  if (PLAIN.test(text) || GROUPED.test(text)) return { text: plain(text.replace(/[,\s]/g, '')), fault: null };
  return { text: null, fault: separatorFault(text) ?? formFault(text) };
}

/** Reads a whole number between two bounds, both allowed. */
export function readWhole(typed: string, least: number, most: number): { value: number | null; fault: string | null } {
  const { text, fault } = readNumber(typed);
  if (text === null && fault === null) return { value: null, fault: null };
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return { value, fault: null };
  const upTo = String(most).replace(/\B(?=(\d{3})+$)/g, ',');
  return { value: null, fault: separatorFault(typed.trim()) ?? `must be a whole number from ${least} to ${upTo}` };
}

/** Why a comma or a blank does not group thousands; null where none is in the way. */
function separatorFault(text: string): string | null {
  if (PLAIN.test(text) || GROUPED.test(text)) return null;
  const readings = commaReadings(text);
  if (readings !== null) return `has a comma: ${readings.join(' or ')}?`;
  const digits = AROUND.exec(text)?.[2] ?? '';
  if (digits.includes(',')) return 'has a comma that does not separate thousands';
  return /\d\s+[\d.]/.test(digits) ? 'has a space that does not separate thousands' : null;
}

function formFault(text: string): string {
  if (/^[-−]/.test(text)) return 'must not be negative';
  if (/^[0-9.,]+e[-+]?[0-9]+$/i.test(text)) return 'must be written out, without an exponent';
  if (/^\+?(∞|inf(inity)?|nan)$/i.test(text)) return 'must be a number';
  return 'must be a plain decimal number such as 3412.5';
}

/**
 * What a text with a comma may mean: with the comma as a decimal point, and with the comma left out. Null where it groups
 * thousands, and where the first cannot be meant.
 */
export function commaReadings(text: string): [string, string] | null {
  if (GROUPED.test(text)) return null;
  const [, sign = '', digits = ''] = AROUND.exec(text) ?? [];
  const [, whole, , fraction] = DECIMAL_COMMA.exec(digits) ?? [];
  if (whole === undefined || fraction === undefined) return null;
  return [`${sign}${plain(whole.replace(/[.\s]/g, ''))}.${fraction}`, sign + plain(digits.replace(/[,\s]/g, ''))];
}

/** As the wire takes it: one digit at least before the point, no zero in front of others, no point at the end. */
function plain(digits: string): string {
  const text = digits.replace(/\.$/, '').replace(/^0+(?=\d)/, '');
  return text.startsWith('.') ? `0${text}` : text;
}
