import { z } from 'zod';
import { below } from '../contract/fault-path.ts';
import { blacklistFaults } from './blacklist.ts';
import { checkForm } from './checked.ts';
import { type Fault, faultsAt } from './faults.ts';
import { checkPair, type PairCheck, pairsOfOneMarket } from './pair-check.ts';
import { settingsFaults } from './settings-check.ts';
import { checkToken, tokensOfOneAddress } from './token-check.ts';

const sectionSchema = z.record(z.string(), z.unknown(), 'must be an object of named entries');

/**
 * One chain of a desk file: every part by itself and every part against the others, all faults at once. Paths are seen
 * from the chain.
 */
export function chainFaults(input: unknown): Fault[] {
  const chain = checkForm(sectionSchema, input);
  if (chain.faults) return chain.faults;
  const { tokens: rawTokens, pairs: rawPairs, prices: rawPrices, blacklist, ...settings } = chain.value;
  const faults: Fault[] = [];
  const tokens = new Map(section('tokens', rawTokens, faults).map(([id, token]) => [id, checkToken(id, token)]));
  for (const [id, token] of tokens) faults.push(...faultsAt(below('tokens', id), token.faults ?? []));
  for (const [first, ...others] of tokensOfOneAddress(tokens)) {
    for (const id of others) {
      faults.push({
        path: `${below('tokens', id)}.address`,
        message: `is the address of ${JSON.stringify(first)} too`,
      });
    }
  }
  const prices = new Map(section('prices', rawPrices, faults));
  const pairs = new Map<string, PairCheck>();
  for (const [id, definition] of section('pairs', rawPairs, faults)) {
    const pair = checkPair(id, { definition, ladder: prices.has(id) ? prices.get(id) : {} }, tokens);
    pairs.set(id, pair);
    faults.push(...pair.faults);
  }
  faults.push(...marketFaults(pairs));
  for (const id of prices.keys()) {
    if (!pairs.has(id)) faults.push({ path: below('prices', id), message: 'is not a listed pair' });
  }
  faults.push(...faultsAt('blacklist', blacklistFaults(blacklist)));
  faults.push(...settingsFaults(settings, tokens, pairs));
  return faults;
}

/** The entries as they stand, not as zod copies them: its copy has lost a key `__proto__`, which is to be refused. */
function section(name: string, input: unknown, faults: Fault[]): [string, unknown][] {
  if (input === undefined) return [];
  const checked = checkForm(sectionSchema, input);
  if (checked.faults === null) return Object.entries(input as object);
  faults.push(...faultsAt(name, checked.faults));
  return [];
}

function marketFaults(pairs: ReadonlyMap<string, PairCheck>): Fault[] {
  const faults: Fault[] = [];
  for (const [first = '', ...others] of pairsOfOneMarket(pairs)) {
    for (const id of others) faults.push({ path: below('pairs', id), message: sameMarket(pairs, id, first) });
  }
  return faults;
}

/** Why `id` cannot be a pair beside `other`. */
export function sameMarket(
  pairs: ReadonlyMap<string, { definition: { base: string } | null }>,
  id: string,
  other: string,
): string {
  const turned = pairs.get(id)?.definition?.base !== pairs.get(other)?.definition?.base;
  const what = turned ? 'is the other direction of' : 'has the same tokens as';
  return `${what} ${JSON.stringify(other)}: two tokens make one pair, quoted in one direction`;
}
