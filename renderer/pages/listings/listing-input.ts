import type { ChainConfig } from '../../../electron/contract/desk-file.ts';
import { readNumber } from '../../state/number-form.ts';
import { InputRefused } from '../../state/refusal-of.ts';
import type { Token } from '../../state/tokens.ts';

export type PairDefinition = ChainConfig['pairs'][string];

type TokenInput = Record<'symbol' | 'name' | 'address' | 'decimals' | 'description', string>;
type PairInput = Record<'base' | 'quote' | 'liquidityUSD', string>;

const WHOLE = /^[0-9]{1,2}$/;

/** The token as the desk is told, which judges what it means. Throws InputRefused for what cannot be read at all. */
export function tokenOf(input: TokenInput): Token {
  const decimals = input.decimals.trim();
  const description = input.description.trim();
  refuse([
    ...empty(input, ['symbol', 'name', 'address']),
    ...(WHOLE.test(decimals) ? [] : [{ path: 'decimals', message: 'must be a whole number from 0 to 77' }]),
  ]);
  return {
    symbol: input.symbol.trim(),
    name: input.name.trim(),
    address: input.address.trim() as Token['address'],
    decimals: Number(decimals),
    type: 'ERC20',
    ...(description === '' ? {} : { description }),
  };
}

/** The pair as the desk is told; `$1,000,000` is read as dollars too. Throws InputRefused as above. */
export function pairOf(input: PairInput): PairDefinition {
  const dollars = readNumber(input.liquidityUSD.replace(/^\s*\$/, ''));
  const fault = dollars.fault ?? 'must be an amount of dollars such as 1,000,000';
  refuse([
    ...empty(input, ['base', 'quote']),
    ...(dollars.text === null ? [{ path: 'liquidityUSD', message: fault }] : []),
  ]);
  return { base: input.base, quote: input.quote, liquidityUSD: Number(dollars.text) };
}

function empty<T extends string>(input: Record<T, string>, fields: readonly T[]) {
  return fields.filter((field) => input[field].trim() === '').map((path) => ({ path, message: 'must not be empty' }));
}

function refuse(faults: readonly { path: string; message: string }[]): void {
  if (faults.length > 0) throw new InputRefused(faults);
}
