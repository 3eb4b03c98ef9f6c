import type { CheckScope } from '../contract/service-view.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { faultReason } from './node-fault.ts';

/**
 * One thing that must hold before a chain, or one token of it, may be quoted. `unanswered` means that the node did not
 * say: then it may still hold and is to be asked again, while `failed` stays until a person mends it.
 */
export interface ChainCheck {
  /** `chain_id`, `rfq_contract`, `token WETH`, `signer`, `maker`. */
  name: string;
  /** What is closed while it has failed, and nothing else. */
  scope: CheckScope;
  outcome: 'passed' | 'warning' | 'failed' | 'unanswered';
  /** For a person; what is wrong and what to do about it, or what was found to hold. */
  sentence: string;
}

/** Makes one check: `look` gives the sentence of what holds, or throws. */
export async function check(
  name: string,
  look: () => Promise<string>,
  scope: CheckScope = { kind: 'chain' },
): Promise<ChainCheck> {
  try {
    return { name, scope, outcome: 'passed', sentence: await look() };
  } catch (error) {
    const failed = isDeskError(error, 'check_failed');
    return { name, scope, outcome: failed ? 'failed' : 'unanswered', sentence: faultReason(error) };
  }
}

/** What `look` throws when the thing does not hold. */
export function checkFailed(sentence: string, remedy: string): DeskError {
  return new DeskError('check_failed', sentence, { remedy });
}
