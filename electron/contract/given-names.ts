import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { counterpartySchema } from './desk-file.ts';
import { actorSchema, nameSchema, timeSchema } from './names.ts';

/** Whom a name is for: a user by their address, on every chain, or a counterparty by its domain. */
export const namedSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('user'), id: addressSchema }),
  z.object({ of: z.literal('counterparty'), id: counterpartySchema.shape.domain }),
]);
export type Named = z.infer<typeof namedSchema>;

/** What a person called somebody, when and who. */
export const givenNameSchema = z.object({
  of: z.enum(['user', 'counterparty']),
  id: z.string(),
  name: nameSchema,
  since: timeSchema,
  actor: actorSchema,
});
export type GivenName = z.infer<typeof givenNameSchema>;

/** More than this nobody gives by hand. */
export const MOST_NAMES = 10_000;

/** Names by those that they are for, as `NamesOf` looks them up. */
export interface NamesOf {
  user(address: string | null): string | undefined;
  counterparty(domain: string | null): string | undefined;
}

/** Looks names up. Two may have the same name: who shows one shows the address or the domain beside it. */
export function namesOf(names: readonly Pick<GivenName, 'of' | 'id' | 'name'>[]): NamesOf {
  const known = new Map(names.map(({ of, id, name }) => [`${of} ${id}`, name]));
  return {
    user: (address) => known.get(`user ${address?.toLowerCase()}`),
    counterparty: (domain) => known.get(`counterparty ${domain}`),
  };
}
