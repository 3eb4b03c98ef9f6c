import { allowanceOf } from '../../chain/read-amount.ts';
import { permitKind } from '../order-permit.ts';
import { inputOf } from './fill-part.ts';
import type { IntentChain } from './intent-chain.ts';
import { type OrderState, permit2Of, readFunds } from './read-intent.ts';
import type { SignedIntent } from './signed-intent.ts';

/** Whether the owner has what the next fill may take, and the intent contract may take it (PROTOCOL 13, SUSPENDED). */
export async function isCovered(
  chain: IntentChain,
  intent: SignedIntent,
  state: OrderState,
  amount: bigint,
): Promise<boolean> {
  if (state.parked) return true;
  const { owner, srcToken, permit } = intent;
  const needed = inputOf(intent, amount);
  const { balance, allowance } = await readFunds(chain, { owner, srcToken });
  if (balance < needed) return false;
  const kind = permitKind(permit);
  if (kind === 'permit2') {
    return (await allowanceOf(chain.chain.client, srcToken, owner, await permit2Of(chain))) >= needed;
  }
  // A permit of the token was good when the order was taken in, and is used by the first fill.
  return allowance >= needed || (kind === 'eip2612' && state.fills === 0);
}
