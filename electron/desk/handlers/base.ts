import { implement } from '@orpc/server';
import { consoleContract } from '../../contract/console-contract.ts';

/** Under which name a console or command acts. */
export interface CallContext {
  actor: string;
}

/** The contract, ready to be answered. */
export const os = implement(consoleContract).$context<CallContext>();
