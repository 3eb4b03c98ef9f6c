import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';

const common = {
  /** Of the key. What comes back is recovered to it, and is used for nothing where it is another's. */
  address: addressSchema,
  /** How long one signature may take, milliseconds. */
  timeoutMs: z.int().min(100).max(10_000).default(1_500),
};

const plainUrlSchema = z.url({ protocol: /^https?$/ }).refine((url) => {
  if (!URL.canParse(url)) return true; // told already
  const { username, password, search, hash } = new URL(url);
  return `${username}${password}${search}${hash}` === '';
}, 'must have no user, password or key in it: the signer is reached over a network or a proxy that knows the desk');

/** Methods of JSON-RPC that sign EIP-712 typed data; the last is Clef's. Transactions are signed by the method that goes with it. */
export const SIGNER_METHODS = ['eth_signTypedData_v4', 'eth_signTypedData', 'account_signTypedData'] as const;

/** A key that is not in the desk's folder: who has it, and how it is asked to sign. */
export const remoteSignerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('json-rpc'),
    ...common,
    url: plainUrlSchema,
    method: z.enum(SIGNER_METHODS).default('eth_signTypedData_v4'),
  }),
  z.strictObject({
    kind: z.literal('aws-kms'),
    ...common,
    /** Key ID, ARN or alias. */
    keyId: z.string().min(1).max(2_048),
    region: z.string().regex(/^[a-z0-9-]{1,40}$/),
    /** Stands in the place of the service's own address. */
    endpoint: plainUrlSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('google-kms'),
    ...common,
    keyVersion: z
      .string()
      .regex(
        /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/[0-9]+$/,
        'must be projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/N',
      ),
    /** Stands in the place of the service's own address. */
    endpoint: plainUrlSchema.optional(),
  }),
]);
export type RemoteSignerConfig = z.infer<typeof remoteSignerSchema>;

/** Who has a key that is held elsewhere, in words. */
export function keeperOf(config: RemoteSignerConfig): string {
  if (config.kind === 'json-rpc') return `the signer at ${new URL(config.url).host}`;
  return config.kind === 'aws-kms' ? `AWS KMS in ${config.region}` : 'Google Cloud KMS';
}
