import type { z } from 'zod';
import { chainConfigSchema } from '../contract/desk-file.ts';
import { below } from '../contract/fault-path.ts';
import { type Limits, TOKEN_LIMITS } from '../contract/limits.ts';
import { ZERO_ADDRESS } from '../protocol/address.ts';
import { toRaw } from '../protocol/decimal.ts';
import { isSafeFromOthers } from '../protocol/loopback.ts';
import type { Token } from '../protocol/wire.ts';
import { type Checked, checkForm } from './checked.ts';
import { type Fault, faultsAt } from './faults.ts';
import { formulaFaults } from './formula-check.ts';
import { neverTakers } from './never-takers.ts';
import type { PairCheck } from './pair-check.ts';
import { sourceFaults } from './source-check.ts';

/** What a chain is set to, without what it lists, quotes, blacklists and has switched off. */
export const chainSettingsSchema = chainConfigSchema.omit({
  tokens: true,
  pairs: true,
  prices: true,
  blacklist: true,
  off: true,
});
export type ChainSettings = z.infer<typeof chainSettingsSchema>;

type Tokens = ReadonlyMap<string, Checked<Token>>;

const switchedSettingsSchema = chainConfigSchema.omit({ tokens: true, pairs: true, prices: true, blacklist: true });

/** The settings of a chain in a desk file, and what they say about tokens and pairs that are not listed. */
export function settingsFaults(
  input: Record<string, unknown>,
  tokens: Tokens,
  pairs: ReadonlyMap<string, Pick<PairCheck, 'base' | 'quote'>>,
): Fault[] {
  const form = checkForm(switchedSettingsSchema, input);
  const faults = form.faults ?? [];
  const { limits, reserve, off, follow, byHand, formulas } = switchedSettingsSchema.shape;
  // Each by itself, so that a fault in one field does not hide what is wrong with another.
  const parts = { limits: checkForm(limits, input.limits), reserve: checkForm(reserve, input.reserve) };
  if (parts.limits.value) faults.push(...faultsAt('limits', limitFaults(parts.limits.value, tokens)));
  if (parts.reserve.value) faults.push(...faultsAt('reserve', amountFaults(parts.reserve.value, tokens)));
  for (const pair of Object.keys(checkForm(off, input.off).value ?? {})) {
    if (!pairs.has(pair)) faults.push({ path: below('off', pair), message: 'is not a listed pair' });
  }
  faults.push(...faultsAt('follow', namedFaults(checkForm(follow, input.follow).value ?? [], pairs)));
  faults.push(...faultsAt('byHand', namedFaults(checkForm(byHand, input.byHand).value ?? [], pairs)));
  faults.push(...sourceFaults(input, pairs));
  const priced = checkForm(formulas, input.formulas).value ?? {};
  for (const [pair, formula] of Object.entries(priced)) {
    const path = below('formulas', pair);
    const listed = pairs.get(pair);
    if (listed === undefined) faults.push({ path, message: 'is not a listed pair' });
    else faults.push(...faultsAt(path, formulaFaults(formula, listed)));
    if (input.referenceUrl == null && withoutReference([pair], input.references).length > 0) {
      faults.push({ path, message: 'needs a reference: there is no mid to begin with' });
    }
    if (Array.isArray(input.follow) && input.follow.includes(pair)) {
      faults.push({ path, message: 'prices a pair that is to follow the reference: it can do one of the two' });
    }
  }
  const lost = input.referenceUrl == null ? withoutReference(input.follow, input.references) : [];
  if (lost.length > 0) faults.push({ path: 'follow', message: 'needs a reference: there is nothing to follow' });
  for (const field of ['rfqContract', 'maker', 'signer'] as const) {
    if (input[field] === ZERO_ADDRESS) faults.push({ path: field, message: 'must not be the zero address' });
  }
  faults.push(...faultsAt('takers', takerFaults(input, tokens)));
  const { serviceUrl } = input;
  if (typeof serviceUrl === 'string' && URL.canParse(serviceUrl) && !isSafeFromOthers(serviceUrl)) {
    faults.push({ path: 'serviceUrl', message: 'must be https, unless the service is on this machine' });
  }
  const nodes = [input.rpcUrl];
  if (typeof input.secondRpcUrl === 'string' && nodes.includes(input.secondRpcUrl)) {
    faults.push({ path: 'secondRpcUrl', message: 'must be another node than the first' });
  }
  nodes.push(input.secondRpcUrl);
  // A witness that is asked in the place of whom it confirms would confirm itself.
  for (const [index, url] of Array.isArray(input.spareRpcUrls) ? input.spareRpcUrls.entries() : []) {
    if (nodes.includes(url))
      faults.push({ path: `spareRpcUrls[${index}]`, message: 'must be another node than the others' });
    nodes.push(url);
  }
  const { fenceSoftBps: soft, fenceHardBps: hard } = input;
  if (typeof soft === 'number' && typeof hard === 'number' && hard > 0 && soft >= hard) {
    faults.push({ path: 'fenceSoftBps', message: `must be under the hard fence of ${hard}` });
  }
  const basePath = input.basePath;
  if (typeof basePath === 'string' && basePath.split('/').some((segment) => segment === '.' || segment === '..')) {
    faults.push({ path: 'basePath', message: 'must not have . or .. as a segment' });
  }
  return faults;
}

const ownContractsSchema = chainConfigSchema.pick({
  chainId: true,
  maker: true,
  signer: true,
  rfqContract: true,
  intentContract: true,
});

/** Takers that no order may name. What cannot be read is found elsewhere. */
function takerFaults(input: Record<string, unknown>, tokens: Tokens): Fault[] {
  const own = checkForm(ownContractsSchema.loose(), input).value;
  const takers = checkForm(chainConfigSchema.shape.takers, input.takers ?? []).value;
  if (own === null || takers === null) return [];
  const sound = [...tokens].flatMap(([id, { value }]) => (value ? [[id, value] as const] : []));
  const never = neverTakers(own, sound);
  return takers.flatMap((taker, index) => {
    const is = never.get(taker);
    return is === undefined ? [] : [{ path: `[${index}]`, message: `is ${is}: no order may name it as its taker` }];
  });
}

/** Limits on tokens that are not listed, or beyond what an order can carry. Paths are seen from the limits. */
export function limitFaults(limits: Limits, tokens: Tokens): Fault[] {
  return TOKEN_LIMITS.flatMap((name) => faultsAt(name, amountFaults(limits[name] ?? {}, tokens)));
}

/** Pairs that follow and name no sources of their own. */
function withoutReference(follow: unknown, references: unknown): unknown[] {
  const own = typeof references === 'object' && references !== null ? references : {};
  return Array.isArray(follow) ? follow.filter((pair) => !Object.hasOwn(own, String(pair))) : [];
}

function namedFaults(named: readonly string[], pairs: ReadonlyMap<string, unknown>): Fault[] {
  return named.flatMap((pair, index) => {
    if (!pairs.has(pair)) return [{ path: `[${index}]`, message: 'is not a listed pair' }];
    return named.indexOf(pair) === index ? [] : [{ path: `[${index}]`, message: 'is named twice' }];
  });
}

function amountFaults(amounts: Readonly<Record<string, string>>, tokens: Tokens): Fault[] {
  const faults: Fault[] = [];
  for (const [id, amount] of Object.entries(amounts)) {
    const token = tokens.get(id);
    const path = below('', id);
    if (token === undefined) faults.push({ path, message: 'is not a listed token' });
    else if (token.value && toRaw(amount, token.value.decimals) >= 2n ** 256n) {
      faults.push({ path, message: 'is 2^256 raw units or more, which no order can carry' });
    }
  }
  return faults;
}
