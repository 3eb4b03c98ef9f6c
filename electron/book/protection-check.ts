import { below } from '../contract/fault-path.ts';
import { protectionSchema } from '../contract/protections.ts';
import { checkForm } from './checked.ts';
import type { Fault } from './faults.ts';

/**
 * What is wrong with rules of a desk file beyond their form, which has been judged: two of one name, a limit of zero or of half a
 * quote, a chain or a token that is not there, for which a rule would hold nothing back. `chains` as the file has them.
 */
export function protectionFaults(rules: readonly unknown[], chains: readonly unknown[]): Fault[] {
  const tokensOf = new Map(chains.map((chain) => [fieldOf(chain, 'chainId'), fieldOf(chain, 'tokens')]));
  const named = new Map<string, number>();
  return rules.flatMap((raw, index): Fault[] => {
    const { value: rule } = checkForm(protectionSchema, raw);
    if (rule === null) return [];
    const at = below('', index);
    const { name, limit, token, counts, net, usd } = rule;
    const faults: Fault[] = [];
    const first = named.get(name);
    if (first === undefined) named.set(name, index);
    else faults.push({ path: `${at}.name`, message: `is the name of protections[${first}] too` });
    if (/^[0.]*$/.test(limit)) faults.push({ path: `${at}.limit`, message: 'must be above zero' });
    else if (usd !== undefined) {
      if (!/^\d+(\.\d{1,6})?$/.test(limit)) faults.push({ path: `${at}.limit`, message: 'has more than 6 decimals' });
    } else if (token === undefined && limit.includes('.')) {
      const what = counts === 'signed' ? 'quotes' : 'fills';
      faults.push({ path: `${at}.limit`, message: `must be a whole number of ${what}, or say of which token` });
    }
    if (counts === 'lost' && usd === undefined) {
      faults.push({ path: `${at}.usd`, message: 'must be true: what is lost is counted in dollars' });
    }
    if (usd !== undefined && token !== undefined)
      faults.push({ path: `${at}.usd`, message: 'does not go with a token' });
    if (net !== undefined && token === undefined) faults.push({ path: `${at}.net`, message: 'needs a token' });
    for (const [place, chainId] of (rule.chains ?? []).entries()) {
      if (!tokensOf.has(chainId)) faults.push({ path: `${at}.chains[${place}]`, message: 'is no chain of this desk' });
    }
    const held = (rule.chains ?? [...tokensOf.keys()]).map((chainId) => tokensOf.get(chainId));
    if (
      token !== undefined &&
      !held.some((tokens) => typeof tokens === 'object' && tokens !== null && Object.hasOwn(tokens, token))
    ) {
      faults.push({ path: `${at}.token`, message: 'is listed on no chain that the rule holds for' });
    }
    return faults;
  });
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
