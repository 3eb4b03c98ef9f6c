import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import {
  chainConfigSchema,
  counterpartySchema,
  deadManSchema,
  LEAST_SECRET,
  lockAfterSchema,
  serviceKeySchema,
  surfaceNamesSchema,
} from '../desk-file.ts';
import { chainIdSchema, timeSchema, tokenIdSchema } from '../names.ts';
import { remoteSignerSchema } from '../remote-signer.ts';
import { selfCheckSchema } from '../service-view.ts';
import { surfacePlaceSchema } from '../surface-place.ts';
import { may } from './base.ts';

/** `partial()`, but what is not given takes no usual value either: it is not there. */
const someOfChainSchema = z.object(
  Object.fromEntries(
    Object.entries(chainConfigSchema.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault || field instanceof z.ZodPrefault ? field.unwrap() : field).optional(),
    ]),
  ),
) as unknown as ReturnType<typeof chainConfigSchema.partial>;

/** A chain as its forms show it: its settings, and what it lists by name and number. */
const setUpChainSchema = chainConfigSchema
  .omit({ tokens: true, pairs: true, prices: true, blacklist: true, off: true })
  .extend({ tokenIds: z.array(tokenIdSchema), pairs: z.int() });
export type SetUpChain = z.infer<typeof setUpChainSchema>;

const replaced = z.object({ chains: z.int(), pairs: z.int() });

/** What a person sets up once: chains, who may ask, the key. Secrets go in and never come out. */
export const settingsContract = {
  /** Without secrets and without ladders: chains and counterparties, who signs, of whom a secret is kept (told by its fingerprint). */
  get: may('look').output(
    z.object({
      desk: z.object({
        chains: z.array(setUpChainSchema),
        counterparties: z.array(counterpartySchema),
        surfaceNames: surfaceNamesSchema,
      }),
      folder: z.string(),
      /** `locked`: whose key it is, is known; it signs nothing until it is unlocked. */
      signer: z.object({ address: addressSchema.nullable(), why: z.string().nullable(), locked: z.boolean() }),
      lockAfterMinutes: lockAfterSchema.nullable(),
      /** Who has the key, where it is not in the folder. */
      remoteSigner: remoteSignerSchema.nullable(),
      secrets: z.array(z.object({ domain: z.string(), fingerprint: z.string().nullable() })),
      /** Keys that newer ones took the place of and that are still taken, and when they were last used since the desk started. */
      earlierKeys: z.array(z.object({ domain: z.string(), fingerprint: z.string(), lastUsed: timeSchema.nullable() })),
      /** What came with the keys of a counterparty from where it may not ask, since the desk started; the last address may be untold. */
      refusedAddresses: z.array(
        z.object({ domain: z.string(), count: z.int(), address: z.string().nullable(), at: timeSchema }),
      ),
      /** The services that chains name, and what goes out as `X-API-KEY` there, told by its fingerprint. */
      services: z.array(
        z.object({ origin: z.string(), chainIds: z.array(chainIdSchema), fingerprint: z.string().nullable() }),
      ),
    }),
  ),
  /**
   * Adds a chain, or replaces its configuration; its tokens, pairs and prices stay unless they are given. A known one is
   * changed while it is halted, all else only while the desk is. With
   * `seen`, only where what it names is still as the person saw it, else `changed_meanwhile`; null: there was no such chain.
   */
  saveChain: may('settings')
    .input(
      z.object({
        chain: someOfChainSchema.extend({ chainId: chainIdSchema }),
        seen: someOfChainSchema.nullable().optional(),
      }),
    )
    .output(replaced),
  removeChain: may('settings')
    .input(z.object({ chainId: chainIdSchema }))
    .output(replaced),
  /**
   * Without keys those that are kept stay in force. Nothing but its own traffic stops. `seen` as for a chain. New keys end all others
   * at once, unless `earlierKeys` is `keep`: then those that they take the place of are taken as well, until it is `end`.
   * `no_running_desk` where they are to be kept and nothing runs.
   */
  saveCounterparty: may('settings')
    .input(
      z.object({
        counterparty: counterpartySchema.refine(
          ({ secretKey }) => (secretKey?.length ?? LEAST_SECRET) >= LEAST_SECRET,
          {
            path: ['secretKey'],
            message: `must be ${LEAST_SECRET} characters or more`,
          },
        ),
        seen: counterpartySchema.nullable().optional(),
        earlierKeys: z.enum(['keep', 'end']).optional(),
      }),
    )
    .output(replaced),
  /** The last one only while the desk is halted. */
  removeCounterparty: may('settings')
    .input(z.object({ domain: z.string() }))
    .output(replaced),
  /** The names that an unsigned surface answers to beside those of loopback, all of them. Only while halted. */
  saveSurfaceNames: may('settings')
    .input(z.object({ surfaceNames: surfaceNamesSchema, seen: surfaceNamesSchema.optional() }))
    .output(replaced),
  /** After how many minutes without an act of a person the key is locked; null: never by itself. Only while halted. */
  saveLockAfter: may('admin')
    .input(z.object({ minutes: lockAfterSchema.nullable() }))
    .output(replaced),
  /** Who has the key from now on; null: the folder. Only while halted. */
  saveRemoteSigner: may('admin')
    .input(z.object({ remoteSigner: remoteSignerSchema.nullable() }))
    .output(replaced),
  /** Has a key elsewhere sign something that nobody can use; how long that took, milliseconds. `signer_silent`, `wrong_signature`. */
  tryRemoteSigner: may('admin')
    .input(remoteSignerSchema)
    .output(z.object({ tookMs: z.int() })),
  /** After how many minutes without a sign of a person the desk halts; null: never for that. Only while halted. */
  saveDeadMan: may('settings')
    .input(z.object({ minutes: deadManSchema.nullable() }))
    .output(replaced),
  /** What goes out as `X-API-KEY` from now on to the service of a chain, whichever chain asks it; null: nothing any more. */
  setServiceKey: may('settings')
    .input(z.object({ chainId: chainIdSchema, key: serviceKeySchema.nullable() }))
    .output(z.object({ origin: z.string(), fingerprint: z.string().nullable() })),
  /**
   * Makes the surface listen elsewhere, now and at the next start of the app, unless that is told otherwise. Only while halted;
   * `port_taken`, `cannot_listen`, `surface_needs_counterparties`.
   */
  moveSurface: may('settings')
    .input(surfacePlaceSchema)
    .output(z.object({ url: z.string() })),
  /** Makes the desk's key, where it has none, under the passphrase the desk was started with. */
  makeKey: may('admin').output(z.object({ address: addressSchema })),
  /** Asks the node of a chain that is not configured yet, spare ones and a second one: that it is this chain, its RFQ contract, its tokens. */
  tryChain: may('settings')
    .input(
      chainConfigSchema.pick({
        chainId: true,
        rpcUrl: true,
        spareRpcUrls: true,
        secondRpcUrl: true,
        rfqContract: true,
        tokens: true,
      }),
    )
    .output(z.array(selfCheckSchema)),
};
