import { readNumber } from '../../state/number-form.ts';

/** What was typed as an amount: raw units of its token, nothing yet, or why it is none. */
export type TypedAmount = { raw: string; fault: null } | { raw: null; fault: string | null };

/** Reads `1,234.56` in units of a token with so many decimals. Exponents, signs and digits that the token lacks are refused. */
export function readAmount(typed: string, decimals: number): TypedAmount {
  const { text, fault } = readNumber(typed);
  if (text === null) return { raw: null, fault };
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) {
    return { raw: null, fault: `This token has ${decimals} decimals, this is ${fraction.length}.` };
  }
  const raw = BigInt(whole + fraction.padEnd(decimals, '0'));
  return raw === 0n ? { raw: null, fault: 'It must be more than zero.' } : { raw: raw.toString(), fault: null };
}

/** Percent as bps: `0.5` is 50. At most two decimals, and no more than 100 %. */
export function readPercent(typed: string): { bps: number | null; fault: string | null } {
  const { text, fault } = readNumber(typed.replace(/%\s*$/, ''));
  if (text === null) return { bps: null, fault };
  const [, whole = '', fraction = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const bps = whole === '' ? Number.NaN : Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return bps <= 10_000 ? { bps, fault: null } : { bps: null, fault: 'Percent from 0 to 100, such as 0.5.' };
}
