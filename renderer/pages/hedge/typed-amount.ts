const NUMBER = /^(\d{1,3}(,\d{3})+|\d+)(\.\d*)?$|^\.\d+$/;

/** What was typed as an amount: raw units of its token, nothing yet, or why it is none. */
export type TypedAmount = { raw: string; fault: null } | { raw: null; fault: string | null };

/** Reads `1,234.56` in units of a token with so many decimals. Exponents, signs and digits that the token lacks are refused. */
export function readAmount(typed: string, decimals: number): TypedAmount {
  const text = typed.replace(/[\s\u00a0]/g, '');
  if (text === '') return { raw: null, fault: null };
  if (!NUMBER.test(text)) return { raw: null, fault: 'An amount such as 1,234.56.' };
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.');
  if (fraction.length > decimals) {
    return { raw: null, fault: `This token has ${decimals} decimals, this is ${fraction.length}.` };
  }
  const raw = BigInt(whole + fraction.padEnd(decimals, '0'));
  return raw === 0n ? { raw: null, fault: 'More than nothing.' } : { raw: raw.toString(), fault: null };
}

/** Reads a whole number between two bounds, both allowed. */
export function readWhole(typed: string, least: number, most: number): { value: number | null; fault: string | null } {
  const text = typed.replace(/[\s,]/g, '');
  if (text === '') return { value: null, fault: null };
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return { value, fault: null };
  return { value: null, fault: `A whole number from ${least} to ${most}.` };
}

/** Percent as bps: `0.5` is 50. At most two decimals, and no more than 100 %. */
export function readPercent(typed: string): { bps: number | null; fault: string | null } {
  const text = typed.replace(/[\s%]/g, '');
  if (text === '') return { bps: null, fault: null };
  const parts = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(text);
  const bps = parts === null ? Number.NaN : Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
  return bps <= 10_000 ? { bps, fault: null } : { bps: null, fault: 'Percent from 0 to 100, such as 0.5.' };
}
