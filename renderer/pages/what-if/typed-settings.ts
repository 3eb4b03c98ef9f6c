import { type Formula, formulaOf } from '../../../electron/contract/formula.ts';
import { type Reprice, repriceSchema } from '../../../electron/contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../../../electron/contract/what-if.ts';
import { readNumber } from '../../state/number-form.ts';

/** What is done to the prices of a pair, as somebody types it: each of the three at most once; empty is as it was. */
export type TypedPrice = Record<PriceField, string>;
export type PriceField = (typeof PRICE_FIELDS)[number]['kind'];

/** The lines of the form. `signed`: below zero too. */
export const PRICE_FIELDS = [
  { kind: 'wider', label: 'Spread, each side +', unit: 'bps', signed: true, words: (by: string) => `${by} bps wider` },
  { kind: 'shift', label: 'Shift both sides', unit: 'bps', signed: true, words: (by: string) => `${by} bps up` },
  { kind: 'sizes', label: 'Sizes ×', unit: '', signed: false, words: (by: string) => `sizes × ${by}` },
] as const;

/** Whose prices a line of the form is about; null: all pairs. */
export type PriceScope = { readonly chainId: number; readonly pair: string } | null;

/** Other settings while somebody types them. Of a file also what this form has no fields for. */
export interface TypedSettings {
  readonly prices: ReadonlyMap<string, { readonly scope: PriceScope; readonly typed: TypedPrice }>;
  readonly more: NonNullable<WhatIfSettings['ladders']>;
  readonly formulas: NonNullable<WhatIfSettings['formulas']>;
  readonly limits: NonNullable<WhatIfSettings['limits']>;
  readonly protections: WhatIfSettings['protections'];
}

export const AS_THEY_WERE: TypedSettings = {
  prices: new Map(),
  more: [],
  formulas: {},
  limits: {},
  protections: undefined,
};
export const NO_CHANGE: TypedPrice = { wider: '', shift: '', sizes: '' };

export function scopeKey(scope: PriceScope): string {
  return scope === null ? '' : `${scope.chainId}:${scope.pair}`;
}

/** What was typed of a pair, or of all pairs. */
export function typedPriceOf(settings: TypedSettings, scope: PriceScope): TypedPrice {
  return settings.prices.get(scopeKey(scope))?.typed ?? NO_CHANGE;
}

/** The settings after one field was typed; a pair of which nothing is typed any more is as it was. */
export function withPrice(settings: TypedSettings, scope: PriceScope, typed: TypedPrice): TypedSettings {
  const prices = new Map(settings.prices);
  if (Object.values(typed).every((text) => text.trim() === '')) prices.delete(scopeKey(scope));
  else prices.set(scopeKey(scope), { scope, typed });
  return { ...settings, prices };
}

/** A pair that another formula would have priced. */
export interface FormulaTried {
  readonly chainId: number;
  readonly pair: string;
  readonly formula: Formula;
}

/** Every formula that is tried, one a pair. */
export function formulasIn({ formulas }: TypedSettings): FormulaTried[] {
  return Object.entries(formulas).flatMap(([chainId, ofPairs]) =>
    Object.entries(ofPairs).map(([pair, formula]) => ({ chainId: Number(chainId), pair, formula })),
  );
}

/** The formula that is tried of a pair, or null. */
export function triedFormula({ formulas }: TypedSettings, chainId: number, pair: string): Formula | null {
  return formulaOf({ formulas: formulas[`${chainId}`] }, pair);
}

/** The settings with a formula of a pair; without one the pair is priced as it was. */
export function withFormula(
  settings: TypedSettings,
  { chainId, pair }: { chainId: number; pair: string },
  formula: Formula | undefined,
): TypedSettings {
  const others = formulasIn(settings).filter((one) => one.chainId !== chainId || one.pair !== pair);
  const all = formula === undefined ? others : [...others, { chainId, pair, formula }];
  const formulas: Record<string, Record<string, Formula>> = {};
  for (const one of all) formulas[one.chainId] = { ...formulas[one.chainId], [one.pair]: one.formula };
  return { ...settings, formulas };
}

/** Why a field means nothing; null where it does. */
export function priceFault(field: PriceField, text: string): string | null {
  const read = text.trim() === '' ? null : readPrice(field, text);
  return read !== null && 'fault' in read ? read.fault : null;
}

function readPrice(kind: PriceField, text: string): Reprice | { fault: string } {
  const [, sign = '', digits = ''] = /^([+−-]?)(.*)$/.exec(text.trim()) ?? [];
  const { text: number, fault } = readNumber(digits);
  if (fault !== null || number === null) return { fault: fault ?? 'is missing' };
  const signed = sign === '' || sign === '+' ? number : `-${number}`;
  const read = repriceSchema.safeParse(kind === 'sizes' ? { kind, factor: signed } : { kind, bps: signed });
  if (read.success) return read.data;
  return { fault: kind === 'sizes' ? 'above 0, at most 100' : '−1,000 to 1,000, not 0' };
}

/** The settings that were typed, as the desk takes them; null while a field means nothing. */
export function settingsOf({ prices, more, formulas, limits, protections }: TypedSettings): WhatIfSettings | null {
  const ladders: NonNullable<WhatIfSettings['ladders']> = [...more];
  for (const { scope, typed } of prices.values()) {
    const changes = PRICE_FIELDS.flatMap(({ kind }) =>
      typed[kind].trim() === '' ? [] : [readPrice(kind, typed[kind])],
    );
    if (changes.some((change) => 'fault' in change)) return null;
    const of = scope === null ? {} : { pairs: [scope.pair], chains: [scope.chainId] };
    ladders.push({ ...of, changes: changes.filter((change): change is Reprice => !('fault' in change)) });
  }
  return {
    ...(Object.keys(formulas).length > 0 && { formulas }),
    ...(ladders.length > 0 && { ladders }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(protections !== undefined && { protections }),
  };
}

/** Settings of a file as the form has them. Where it has no fields for one of the changes to ladders all of them stay as they stand. */
export function typedOf({ ladders = [], formulas = {}, limits = {}, protections }: WhatIfSettings): TypedSettings {
  const rest: TypedSettings = { ...AS_THEY_WERE, formulas, limits, protections };
  let settings = rest;
  for (const one of ladders) {
    const scope = scopeOf(one);
    const places = one.changes.map((change) => PRICE_FIELDS.findIndex(({ kind }) => kind === change.kind));
    const isInOrder = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
    if (scope === undefined || !isInOrder || settings.prices.has(scopeKey(scope))) return { ...rest, more: ladders };
    const typed = { ...NO_CHANGE };
    for (const change of one.changes) typed[change.kind] = change.kind === 'sizes' ? change.factor : change.bps;
    settings = withPrice(settings, scope, typed);
  }
  return settings;
}

function scopeOf({ pairs, chains }: NonNullable<WhatIfSettings['ladders']>[number]): PriceScope | undefined {
  if (pairs === undefined && chains === undefined) return null;
  const [pair, chainId] = [pairs?.[0], chains?.[0]];
  return pairs?.length === 1 && chains?.length === 1 && pair !== undefined && chainId !== undefined
    ? { chainId, pair }
    : undefined;
}

/** How many things are otherwise. */
export function changesIn(settings: TypedSettings): number {
  const { prices, more, limits, protections } = settings;
  const typed = [...prices.values()].flatMap((one) => Object.values(one.typed).filter((text) => text.trim() !== ''));
  const tried = formulasIn(settings).length + Object.keys(limits).length + (protections === undefined ? 0 : 1);
  return typed.length + more.length + tried;
}

/** One pair's changes in words: `10 bps wider, sizes × 0.5`. */
export function priceWords(typed: TypedPrice): string {
  return PRICE_FIELDS.flatMap(({ kind, words }) => (typed[kind].trim() === '' ? [] : [words(typed[kind].trim())])).join(
    ', ',
  );
}
