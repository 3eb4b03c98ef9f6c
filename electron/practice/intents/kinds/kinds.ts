import type { Address } from '../../../protocol/address.ts';
import type { OnChainOrderType } from '../../../protocol/intent-build.ts';
import { INTENT_DOMAIN_VERSION } from '../../../protocol/intent-order.ts';
import type { ToSign } from '../../../protocol/typed-data.ts';
import { WireRefused } from '../../wire-refused.ts';
import type { IntentRow } from '../intent-store.ts';
import { EXTERNAL } from './external.ts';
import { type IntentKind, tupleFields, typesOf } from './kind.ts';
import { PLAIN } from './plain.ts';
import { PRODUCTIVE } from './productive.ts';
import { type SignedIntent, signedIntentSchema } from './signed-intent.ts';
import { TWAP, TWAP_BUY } from './twap.ts';

/** The kinds of intent orders, as the contract numbers them. */
const KINDS: readonly IntentKind[] = [PLAIN, EXTERNAL, PRODUCTIVE, TWAP, TWAP_BUY];

/** What the contract's tuple has of fields that an order's kind does not have. */
const NOTHING = Object.assign({}, ...KINDS.map((kind) => tupleFields(kind, null)));

export function kindNamed(name: OnChainOrderType): IntentKind {
  const found = KINDS.find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`${name} is no kind of order here`);
  return found;
}

/** Of what kind an order is, told by the field that only this kind has. */
export function kindOf(order: Readonly<Record<string, unknown>>): IntentKind {
  return KINDS.find(({ mark }) => mark !== null && mark in order) ?? PLAIN;
}

/** What is signed of an order, addresses in lower case. @throws WireRefused naming the field that is not of its kind */
export function readValue({ value }: IntentKind, order: unknown): Record<string, unknown> {
  const { data, error } = value.safeParse(order);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new WireRefused('InvalidInput', `order.${issue?.path.join('.')} ${issue?.message}`);
}

/** A signed value for the contract, with the fields of every kind. @throws ZodError when it is none of its kind */
export function signedIntent(name: OnChainOrderType, order: unknown): SignedIntent {
  const kind = kindNamed(name);
  const value = kind.value.parse(order);
  const intent = signedIntentSchema.parse({ ...value, ...kind.tuple?.(value), orderType: KINDS.indexOf(kind) });
  return { ...NOTHING, ...tupleFields(kind, value), ...intent };
}

/** The order of a row. */
export function intentOf({ onChainOrderType, order }: Pick<IntentRow, 'onChainOrderType' | 'order'>): SignedIntent {
  return signedIntent(onChainOrderType, order);
}

/** Name of the practice intent contract's EIP-712 domain. */
const INTENT_DOMAIN_NAME = 'Practice Intents';

/** What everything is signed under that is for the intent contract of a chain. */
export function intentDomain({ chainId, intents }: { chainId: number; intents: Address }): ToSign['domain'] {
  return { name: INTENT_DOMAIN_NAME, version: INTENT_DOMAIN_VERSION, chainId, verifyingContract: intents };
}

/** The typed data that an owner signs, for the intent contract of the source chain. */
export function intentTypedData(
  contract: { chainId: number; intents: Address },
  name: OnChainOrderType,
  value: Record<string, unknown>,
): ToSign {
  return { domain: intentDomain(contract), types: typesOf(kindNamed(name)), value };
}
