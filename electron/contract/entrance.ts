import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { timeSchema } from './names.ts';
import { newPassphraseSchema, passphraseSchema } from './passphrase.ts';
import { refusing } from './refusing.ts';

/** Characters of a keystore file; they have a few hundred. */
const MOST_KEYSTORE = 100_000;
/** Characters of the sealed secrets; a few hundred a counterparty. */
const MOST_SECRETS = 10_000_000;

/**
 * What a window of the desktop app meets before there is a desk to show. `new`: the folder has none, and nobody has said yet
 * what it is to be. `locked`: its key or its secrets wait for the passphrase. `opening`, `open`: the desk itself.
 */
const entranceViewSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('new'), folder: z.string() }),
  z.object({
    stage: z.literal('locked'),
    folder: z.string(),
    /** Whose key it is; null where there is none yet, or its file does not say. */
    signer: addressSchema.nullable(),
    /** It was LIVE when it ended, and goes on LIVE once its checks pass. */
    comesBackLive: z.boolean(),
    /** Wrong passphrases since the app was started. */
    wrong: z.int().nonnegative(),
    /** When the next one is taken, Unix milliseconds; 0: now. */
    nextAt: timeSchema,
  }),
  z.object({ stage: z.literal('opening') }),
  z.object({ stage: z.literal('open') }),
]);
export type EntranceView = z.infer<typeof entranceViewSchema>;

/**
 * What a window of the desktop app and its desk's process say to each other about the passphrase, on a port of their own: no
 * console of a browser and no command has it. It is given here and never told.
 */
export const entranceContract = {
  /** The view now, and again whenever it changes. */
  watch: refusing.output(eventIterator(entranceViewSchema)),
  /** Opens a locked desk; answers once the passphrase is known to be right. `wrong_passphrase`, `unlock_waits`. */
  unlock: refusing.input(z.object({ passphrase: passphraseSchema })).output(z.object({})),
  /** Sets the passphrase of a new desk and opens it, without a key and without a chain. */
  begin: refusing.input(z.object({ passphrase: newPassphraseSchema })).output(z.object({})),
  /**
   * Takes the key of a keystore file (version 3) over into an open desk that has none: the file's passphrase opens it once, and it
   * is sealed anew under the desk's own. `keystore_exists`, `bad_keystore`, `wrong_passphrase`.
   */
  importKey: refusing
    .input(z.object({ keystore: z.string().max(MOST_KEYSTORE), passphrase: passphraseSchema }))
    .output(z.object({ address: addressSchema })),
  /**
   * Puts a backup of the journal in the place of the one in the folder, while no desk runs on it; what was there stays beside it.
   * With the backup's own sealed key and secrets where the folder has none, once `passphrase` has opened what of them is given: before
   * that nothing is replaced, and where they cannot be written none of them stays, so that it can be done again. The desk opens HALTED, and signs nothing until every
   * order that it may have signed since is over. `rows`, `lastAt`: of the backup, Unix milliseconds; `kept`: where the journal
   * lies that was there. `not_locked`, `keystore_exists`, `no_passphrase`, `bad_keystore`, `bad_seal`, `wrong_passphrase`,
   * `folder_locked`, `no_file`, `journal_foreign`, `journal_broken`, `journal_newer`, `backup_failed`.
   */
  putBack: refusing
    .input(
      z.object({
        file: z.string().min(1).max(4_096),
        keystore: z.string().max(MOST_KEYSTORE).nullable(),
        secrets: z.string().max(MOST_SECRETS).nullable(),
        /** Of key and secrets; a backup alone has none. */
        passphrase: passphraseSchema.optional(),
      }),
    )
    .output(z.object({ rows: z.int(), lastAt: timeSchema, kept: z.string().nullable(), missing: z.array(z.string()) })),
  /** Puts a practice desk in the place of a new one. Where it comes to be, its own ports are handed over and this is never answered. */
  practise: refusing.output(z.object({})),
};
