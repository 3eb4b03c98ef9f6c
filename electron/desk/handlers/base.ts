import { implement } from '@orpc/server';
import { consoleContract } from '../../contract/console-contract.ts';
import { EVERY_RIGHT, type Right } from '../../contract/rights.ts';

/** Under which name a console or command acts, and what it may do and have. */
export interface CallContext {
  /** Who it is, as the journal says it: the name of their token, whatever they call themselves. */
  actor: string;
  /** What they may do at this moment. */
  may: () => readonly Right[];
  /** Whether it is given secrets: the command line of the user who runs the desk is, no console ever. */
  givenSecrets?: boolean;
}

/** The user who runs the desk, under one of their names: its files are theirs, so they may do everything. */
export function asOwner(actor: string): CallContext {
  return { actor, may: () => EVERY_RIGHT };
}

/** The contract, ready to be answered. */
export const os = implement(consoleContract).$context<CallContext>();
