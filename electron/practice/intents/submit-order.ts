import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Address, Hex } from '../../protocol/address.ts';
import { type intentKindSchema, intentSubmitBodySchema, type OnChainOrderType } from '../../protocol/intent-build.ts';
import { MOST_FEE_BPS, unpackPartnerAndFee } from '../../protocol/intent-order.ts';
import { isNative } from '../../protocol/route-token.ts';
import { typedDataHash } from '../../protocol/typed-data.ts';
import { allowanceOf } from '../chain/read-amount.ts';
import { parseInput } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { arrivingOf, laneFor, PRACTICE_BRIDGE } from './bridge-lanes.ts';
import { type IntentDesk, intentChain, isTokenSupported, type ServedChain } from './intent-desk.ts';
import { type IntentRow, type IntentStore, intentRecordSchema } from './intent-store.ts';
import type { IntentKind } from './kinds/kind.ts';
import { intentTypedData, kindOf, readValue, signedIntent } from './kinds/kinds.ts';
import { destinationOf, isBuy, isSliced, type SignedIntent } from './kinds/signed-intent.ts';
import { checkPermit, permitKind } from './order-permit.ts';
import { isSigned, permit2Of, readFunds } from './settle/intent-chain.ts';

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
  const kind = kindOf(submitted.order);
  const order = readValue(kind, submitted.order);
  const intent = signedIntent(kind.name, order);
  const orderHash = typedDataHash(intentTypedData({ chainId, intents: chain.addresses.intents }, kind.name, order));
  const isBound = await isSigned(chain, { owner: intent.owner, orderHash, signature });
  if (!isBound && signature !== NOT_SIGNED) throw new WireRefused('InvalidSignature', 'Invalid signature');
  const known = desk.store.byHash(chainId, orderHash);
  if (known !== null) return recordOf(known);
  checkOrder(desk, chain, { intent, kind, type });
  await checkFunds(chain, intent);
  const signed = { kind: kind.name, order, intent, orderHash };
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

/** What the bridge keeps: nothing, or one word. */
const FEE_WORD = /^0x([0-9a-fA-F]{64})?$/;

interface Checked {
  intent: SignedIntent;
  kind: IntentKind;
  type: z.infer<typeof intentKindSchema>;
}

/** What an order must be that is taken, whoever built it. @throws WireRefused with the texts of PROTOCOL 17 */
function checkOrder(desk: IntentDesk, chain: ServedChain, checked: Checked): void {
  const { intent, kind } = checked;
  const now = Math.floor(desk.market.now() / 1000);
  if (intent.deadline < BigInt(now)) throw new WireRefused('OrderExpired', 'Order expired');
  kind.checkSigned?.(intent, BigInt(now));
  checkTokens(desk, chain, intent);
  if (unpackPartnerAndFee(intent.partnerAndFee).feeBps > MOST_FEE_BPS) {
    throw new WireRefused('InvalidInput', `order.partnerAndFee is over ${MOST_FEE_BPS} bps`);
  }
  const { permit, owner, srcToken: token, srcAmount: amount } = intent;
  const isSettledLater = checked.type === 'LIMIT' || kind.isSliced;
  checkPermit(chain, { permit, owner, token, amount, isSettledLater, now });
}

/** Tokens that are traded here, and a bridge that leads where there is a lane. */
function checkTokens(desk: IntentDesk, chain: ServedChain, intent: SignedIntent): void {
  const { srcToken, destToken, srcAmount, destAmount, bridge } = intent;
  const isSupported = isTokenSupported(chain, srcToken) && isTokenSupported(chain, destToken) && !isNative(srcToken);
  if (!isSupported) throw new WireRefused('TokenNotSupported', 'Token not supported');
  if ((isBuy(intent) ? destAmount : srcAmount) === 0n) {
    throw new WireRefused('InvalidInput', `order.${isBuy(intent) ? 'dest' : 'src'}Amount must be above zero`);
  }
  const destChainId = destinationOf(intent);
  if (destChainId === null) return;
  const lane = laneFor(chain, intentChain(desk, destChainId), bridge.outputToken.toLowerCase() as Address);
  const isLane =
    lane?.from.address === destToken &&
    bridge.scalingFactor === lane.to.decimals - lane.from.decimals &&
    bridge.protocolSelector === PRACTICE_BRIDGE &&
    FEE_WORD.test(bridge.protocolData);
  if (!isLane) throw new WireRefused('InvalidInput', 'order.bridge leads over no lane');
}

/** The end of what ISO 8601 writes with four digits: some deadlines are never. */
const LATEST_MS = Date.UTC(9999, 11, 31);
const MAX_UINT256 = 2n ** 256n - 1n;

type Submitted = z.output<typeof intentSubmitBodySchema>;

/** A submitted order as it is kept from now on (PROTOCOL 12.5). `order` is what was signed, by its schema. */
export function newRow(
  { chainId, signature, partner = 'anon', type }: Submitted,
  signed: { kind: OnChainOrderType; order: Record<string, unknown>; intent: SignedIntent; orderHash: Hex },
  status: 'PENDING' | 'AWAITING_SIGNATURE',
): Parameters<IntentStore['insert']>[0] {
  const { kind, order, intent, orderHash } = signed;
  const destChainId = destinationOf(intent);
  return {
    id: randomUUID(),
    status,
    side: isBuy(intent) ? 'BUY' : 'SELL',
    type,
    onChainOrderType: kind,
    ...endsOf(intent, chainId),
    owner: intent.owner,
    beneficiary: intent.beneficiary,
    orderHash,
    partner,
    order,
    transactions: [],
    refunds: [],
    expiresAt: new Date(Math.min(Number(intent.deadline) * 1000, LATEST_MS)).toISOString(),
    chainId,
    destChainId,
    signature,
    cancelAskedAt: null,
    auctionStartedAt: null,
    nextSliceAt: null,
    bridgeState: null,
  };
}

/** Both ends, of all slices together; the output in what arrives at the other chain. */
function endsOf(intent: SignedIntent, chainId: number) {
  const { srcAmount, destAmount, expectedAmount, bridge } = intent;
  const destChainId = destinationOf(intent);
  const slices = isSliced(intent) ? intent.numSlices : 1n;
  const arriving = (amount: bigint) => (destChainId === null ? amount : arrivingOf(bridge, amount));
  const token = destChainId === null ? intent.destToken : bridge.outputToken;
  const [expectedIn, expectedOut] = isBuy(intent)
    ? [expectedAmount * slices, arriving(destAmount)]
    : [srcAmount, arriving(expectedAmount) * slices];
  const least = isBuy(intent) ? expectedOut : arriving(destAmount) * slices;
  // Nobody fills what goes beyond, and yet it may be signed.
  const raw = (amount: bigint) => `${amount > MAX_UINT256 ? MAX_UINT256 : amount}`;
  return {
    input: {
      chainId,
      token: intent.srcToken,
      amount: raw(srcAmount),
      expectedAmount: raw(expectedIn),
      executedAmount: '0',
    },
    output: {
      chainId: destChainId ?? chainId,
      token: token.toLowerCase() as typeof token,
      amount: raw(least),
      expectedAmount: raw(expectedOut),
      executedAmount: '0',
    },
  };
}
