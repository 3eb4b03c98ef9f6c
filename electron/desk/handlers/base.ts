import { implement } from '@orpc/server';
import { consoleContract } from '../../contract/console-contract.ts';

/** Under which name a console or command acts, and what it may have. */
export interface CallContext {
  actor: string;
  /** Whether it is given secrets: the command line of the user who runs the desk is, no console ever. */
  givenSecrets?: boolean;
}

/** The contract, ready to be answered. */
export const os = implement(consoleContract).$context<CallContext>();
