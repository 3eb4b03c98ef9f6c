import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { timeSchema } from '../names.ts';
import { passphraseSchema } from '../passphrase.ts';
import { may } from './base.ts';

/** The lock of the key of a desk that runs. `no_running_desk` where none does. */
export const keyContract = {
  state: may('look').output(
    z.object({
      locked: z.boolean(),
      /** Wrong passphrases since the desk was started. */
      wrong: z.int().nonnegative(),
      /** When the next one is taken, Unix milliseconds; 0: now. */
      nextAt: timeSchema,
    }),
  ),
  /** Halts the desk, then the key and the passphrase leave its memory. `durable`: whether the halt is written down. */
  lock: may('trade').output(z.object({ at: timeSchema, durable: z.boolean() })),
  /**
   * Takes the passphrase again, from the command line alone; a window of the desktop app has its entrance for it. The desk stays
   * halted. `not_locked`, `wrong_passphrase`, `unlock_waits`, `unlock_elsewhere`, `other_key`, `overtaken_by_stop`.
   */
  unlock: may('admin')
    .input(z.object({ passphrase: passphraseSchema }))
    .output(z.object({ address: addressSchema })),
};
