import { implement } from '@orpc/server';
import { consoleContract } from '../../contract/console-contract.ts';
import { EVERY_RIGHT, type Right } from '../../contract/rights.ts';

/** Under which name a console or command acts, and what it may do and have. */
export interface CallContext {
  /** Who it is, as the journal says it: the name of their token, whatever they call themselves. */
  actor: string;
  /** With which token they came; null is the user who runs the desk, whatever their consoles are called: one person. */
  token: string | null;
  /** What they may do at this moment. */
  may: () => readonly Right[];
  /** Whether it is given secrets: the command line of the user who runs the desk is, no console ever. */
  givenSecrets?: boolean;
  /** What came with the call beside its input. */
  reqHeaders?: Headers;
  /** A second person has said yes to this very call, or the program itself makes it: nobody else is asked. */
  isApproved?: boolean;
  /** Where a call was looked at before it is carried out: throws DeskError `changed_meanwhile` where that is not how things are any more. */
  still?: () => void;
}

/** The user who runs the desk, under one of their names: its files are theirs, so they may do everything. */
export function asOwner(actor: string): CallContext {
  return { actor, token: null, may: () => EVERY_RIGHT };
}

/** The contract, ready to be answered. */
export const os = implement(consoleContract).$context<CallContext>();
