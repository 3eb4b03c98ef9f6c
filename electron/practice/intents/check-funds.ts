import { allowanceOf } from '../chain/read-amount.ts';
import type { ServedChain } from './intent-desk.ts';
import { IntentRefused } from './intent-refused.ts';
import { permitKind } from './order-permit.ts';
import { permit2Of, readFunds } from './settle/read-intent.ts';
import type { SignedIntent } from './settle/signed-intent.ts';

/**
 * The owner has what the order may take, all slices together, and lets the intent contract take it: by its allowance, by the
 * order's permit, or through Permit2.
 * @throws IntentRefused `InsufficientBalance`, `InsufficientAllowance` (PROTOCOL 17)
 */
export async function checkFunds(chain: ServedChain, intent: SignedIntent): Promise<void> {
  const { owner, srcToken, srcAmount, permit } = intent;
  const { balance, allowance } = await readFunds(chain, { owner, srcToken });
  if (balance < srcAmount) throw new IntentRefused('InsufficientBalance');
  const kind = permitKind(permit);
  if (kind === 'eip2612') return;
  const allowed =
    kind === 'none' ? allowance : await allowanceOf(chain.chain.client, srcToken, owner, await permit2Of(chain));
  if (allowed < srcAmount) throw new IntentRefused('InsufficientAllowance');
}
