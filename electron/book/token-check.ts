import { tokenIdSchema } from '../contract/names.ts';
import { ZERO_ADDRESS } from '../protocol/address.ts';
import { type Token, tokenSchema } from '../protocol/wire.ts';
import { type Checked, checkForm } from './checked.ts';
import type { Fault } from './faults.ts';

const known = new WeakMap<object, Checked<Token>>();

/** One token by itself: its ID, its form, and that it has an address (PROTOCOL 2.6). */
export function checkToken(id: string, input: unknown): Checked<Token> {
  const name = nameFaults(id, tokenIdSchema);
  if (name.length > 0) return { value: null, faults: name };
  if (typeof input !== 'object' || input === null) return checkForm(tokenSchema, input);
  let checked = known.get(input);
  if (checked === undefined) {
    checked = checkForm(tokenSchema, input);
    if (checked.value?.address === ZERO_ADDRESS) {
      checked = { value: null, faults: [{ path: 'address', message: 'must not be the zero address' }] };
    }
    known.set(input, checked);
  }
  return checked;
}

/** Groups of token IDs that name the same contract: nobody can say which of them is meant (PROTOCOL 2.6). */
export function tokensOfOneAddress(tokens: ReadonlyMap<string, Checked<Token>>): string[][] {
  const byAddress = new Map<string, string[]>();
  for (const [id, { value }] of tokens) {
    if (value === null) continue;
    const group = byAddress.get(value.address);
    if (group) group.push(id);
    else byAddress.set(value.address, [id]);
  }
  return [...byAddress.values()].filter((group) => group.length > 1);
}

/** What keeps a key of the document from being an ID. */
export function nameFaults(id: string, schema: typeof tokenIdSchema): Fault[] {
  // Every plain object answers to these names, so they would be found where nobody put them.
  if (id in Object.prototype) return [{ path: '', message: 'cannot be a name' }];
  return checkForm(schema, id).faults ?? [];
}
