import type { z } from 'zod';
import { intentSubmitBodySchema, type OnChainOrderType } from '../../protocol/intent-build.ts';
import { typedDataHash } from '../../protocol/typed-data.ts';
import { allowanceOf } from '../chain/read-amount.ts';
import { parseInput } from '../router/parse-input.ts';
import { WireRefused } from '../wire-refused.ts';
import { checkOrder } from './check-order.ts';
import { type IntentDesk, intentChain, type ServedChain } from './intent-desk.ts';
import { type IntentRow, intentRecordSchema } from './intent-row.ts';
import { newRow } from './new-row.ts';
import { permitKind } from './order-permit.ts';
import { INTENT_VALUE_SCHEMAS, intentTypedData, orderTypeOf } from './order-types.ts';
import { isSigned, permit2Of, readFunds } from './settle/read-intent.ts';
import { type SignedIntent, signedIntent } from './settle/signed-intent.ts';

/** No signature: the owner signs on chain, and until then the order waits for it. */
const NOT_SIGNED = '0x';

export type IntentRecord = z.infer<typeof intentRecordSchema>;

/** What everybody sees of a row. */
export function recordOf(row: IntentRow): IntentRecord {
  return intentRecordSchema.parse(row);
}

/**
 * `POST /v2/intent/orders` (PROTOCOL 14.4): keeps an order whose signature, time, amounts and funds are right; the relayer takes it
 * from there. One that is kept already is given as it is.
 * @throws WireRefused with the texts of PROTOCOL 17, WireRefused naming a field
 */
export async function submitOrder(desk: IntentDesk, body: unknown): Promise<IntentRecord> {
  const submitted = readSubmit(body);
  const { chainId, signature, type } = submitted;
  const chain = intentChain(desk, chainId);
  const kind = orderTypeOf(submitted.order);
  const order = readValue(kind, submitted.order);
  const intent = signedIntent(kind, order);
  const orderHash = typedDataHash(intentTypedData({ chainId, intents: chain.addresses.intents }, kind, order));
  const isBound = await isSigned(chain, { owner: intent.owner, orderHash, signature });
  if (!isBound && signature !== NOT_SIGNED) throw new WireRefused('InvalidSignature', 'Invalid signature');
  const known = desk.store.byHash(chainId, orderHash);
  if (known !== null) return recordOf(known);
  checkOrder(desk, chain, { intent, kind, type });
  await checkFunds(chain, intent);
  const signed = { kind, order, intent, orderHash };
  return recordOf(insert(desk, chain, newRow(submitted, signed, isBound ? 'PENDING' : 'AWAITING_SIGNATURE')));
}

/** The same order may have come in twice while the chain was read. */
function insert({ store }: IntentDesk, { chain }: ServedChain, row: ReturnType<typeof newRow>): IntentRow {
  return store.byHash(chain.chainId, row.orderHash) ?? store.insert(row);
}

function readSubmit(body: unknown): z.output<typeof intentSubmitBodySchema> {
  const { data, error } = intentSubmitBodySchema.safeParse(body);
  if (data !== undefined) return data;
  if (error.issues.every(({ path: [field] }) => field === 'signature')) {
    throw new WireRefused('InvalidSignature', 'Invalid signature');
  }
  return parseInput(intentSubmitBodySchema, body);
}

function readValue(kind: OnChainOrderType, given: unknown): Record<string, unknown> {
  const { data, error } = INTENT_VALUE_SCHEMAS[kind].safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new WireRefused('InvalidInput', `order.${issue?.path.join('.')} ${issue?.message}`);
}

/**
 * The owner has what the order may take, all slices together, and lets the intent contract take it: by its allowance, by the
 * order's permit, or through Permit2.
 * @throws WireRefused `InsufficientBalance`, `InsufficientAllowance` (PROTOCOL 17)
 */
async function checkFunds(chain: ServedChain, intent: SignedIntent): Promise<void> {
  const { owner, srcToken, srcAmount, permit } = intent;
  const { balance, allowance } = await readFunds(chain, { owner, srcToken });
  if (balance < srcAmount) throw new WireRefused('InsufficientBalance');
  const kind = permitKind(permit);
  if (kind === 'eip2612') return;
  const allowed =
    kind === 'none' ? allowance : await allowanceOf(chain.chain.client, srcToken, owner, await permit2Of(chain));
  if (allowed < srcAmount) throw new WireRefused('InsufficientAllowance');
}
