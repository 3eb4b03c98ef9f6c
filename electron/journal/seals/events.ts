import { sealSchema } from '../../contract/seal.ts';

export const SEAL_EVENTS = {
  /** The desk's key signed which row was the last of this journal. A row of it, so that the next seal covers this one. */
  journal_sealed: sealSchema,
};
