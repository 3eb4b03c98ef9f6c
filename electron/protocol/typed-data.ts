import * as TypedData from 'ox/TypedData';
import { z } from 'zod';
import type { Hex } from './address.ts';
import { DeskError } from './desk-error.ts';
import { spelledAddressSchema } from './route-token.ts';
import type { Signable, TypedData as WholeTypedData } from './signable.ts';
import { verbatim } from './verbatim.ts';

/** Names as EIP-712 has them. Any other one could write the type of a struct that its fields are not. */
const nameSchema = z.string().regex(/^[A-Za-z_]\w*$/);
const fieldSchema = z.object({ name: nameSchema, type: z.string().regex(/^[A-Za-z_]\w*(\[\d*\])*$/) });

/** EIP-712 typed data as the service builds it (PROTOCOL 14.4), verbatim: it is signed as it came, and `value` is sent back. */
export const typedDataSchema = verbatim(
  z.looseObject({
    domain: z.looseObject({
      name: z.string(),
      version: z.string().optional(),
      chainId: z.union([z.int().positive(), z.string().regex(/^[1-9][0-9]{0,15}$/)]),
      verifyingContract: spelledAddressSchema,
    }),
    types: z.record(nameSchema, z.array(fieldSchema).min(1)),
    value: z.record(z.string(), z.unknown()),
  }),
);
export type ToSign = z.infer<typeof typedDataSchema>;

/** The struct that is signed: the one that no other holds. Throws DeskError `bad_typed_data` unless there is just one. */
export function primaryTypeOf(types: ToSign['types']): string {
  const names = Object.keys(types).filter((name) => name !== 'EIP712Domain');
  const held = new Set(
    Object.values(types)
      .flat()
      .map(({ type }) => type.replace(/(\[[0-9]*\])+$/, '')),
  );
  const [primary, ...others] = names.filter((name) => !held.has(name));
  if (primary === undefined || others.length > 0) {
    throw new DeskError('bad_typed_data', 'What is to be signed does not say which of its types is the outer one.');
  }
  return primary;
}

/**
 * The EIP-712 hash that a signature of this typed data is over. The type of its domain is made from the domain's own fields: one that
 * left the chain or the contract out would let the signature count elsewhere. Throws DeskError `bad_typed_data` when it cannot be encoded,
 * a value that does not fit its type included.
 */
export function typedDataHash(toSign: ToSign): Hex {
  return typedToSign(toSign).hash;
}

/** The EIP-712 hash of the outer struct alone, without its domain. Throws as `typedDataHash` does. */
export function structHash({ types, value }: ToSign): Hex {
  const { EIP712Domain: _, ...own } = types;
  const primaryType = primaryTypeOf(types);
  try {
    const data = unspelled(types, primaryType, value) as Record<string, unknown>;
    return TypedData.hashStruct({ data, primaryType, types: own } as never);
  } catch (cause) {
    throw new DeskError('bad_typed_data', 'What is to be signed does not fit its own types.', { cause });
  }
}

/** Typed data of the service to be signed. Throws as `typedDataHash` does. */
export function typedToSign({ domain, types, value }: ToSign): Signable {
  const { EIP712Domain: _, ...own } = types;
  const primaryType = primaryTypeOf(types);
  const verifyingContract = domain.verifyingContract.toLowerCase();
  try {
    const message = unspelled(types, primaryType, value) as WholeTypedData['message'];
    // A chain that came as a text is one all the same: as a text it would be left out of the type of the domain.
    const chainId = BigInt(domain.chainId);
    const typedData = { domain: { ...domain, chainId, verifyingContract }, types: own, primaryType, message };
    return { hash: TypedData.getSignPayload(typedData as never), whole: () => ({ typedData }) };
  } catch (cause) {
    throw new DeskError('bad_typed_data', 'What is to be signed does not fit its own types.', { cause });
  }
}

/** The value with its addresses in lower case: how they are spelled is not hashed, and a wrong checksum is no fault here. */
function unspelled(types: ToSign['types'], type: string, value: unknown): unknown {
  if (type.endsWith(']') && Array.isArray(value)) {
    const element = type.slice(0, type.lastIndexOf('['));
    return value.map((one) => unspelled(types, element, one));
  }
  if (type === 'address' && typeof value === 'string') return value.toLowerCase();
  const fields = types[type];
  if (fields === undefined || typeof value !== 'object' || value === null) return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field.name, unspelled(types, field.type, given[field.name])]));
}
