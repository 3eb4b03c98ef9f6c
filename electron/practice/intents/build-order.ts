import { type IntentBuildAnswer, intentBuildBodySchema, onChainOrderTypeSchema } from '../../protocol/intent-build.ts';
import { typedDataHash } from '../../protocol/typed-data.ts';
import { parseInput } from '../router/parse-input.ts';
import { WireRefused } from '../wire-refused.ts';
import { type IntentDesk, intentChain, type ServedChain } from './intent-desk.ts';
import { checkPermit, isSettledLater } from './order-permit.ts';
import { type BuildAsk, checkKind, KIND_FIELDS, sideOf } from './order-rules.ts';
import { intentTypedData } from './order-types.ts';
import { orderValue } from './order-value.ts';
import { partnerAndFee } from './partner-fee.ts';
import { checkRouteSeal } from './route-seal.ts';

/**
 * `POST /v2/intent/orders/build` (PROTOCOL 14.4): typed data of one of the five kinds, out of a route that this service gave.
 * Nothing is kept: an order is there once it is submitted.
 * @throws WireRefused with the texts of PROTOCOL 17, WireRefused `Partner not allowed`
 */
export function buildOrder(desk: IntentDesk, body: unknown): IntentBuildAnswer {
  const ask = readBuild(body);
  checkRouteSeal(desk.market.key, sideOf(ask), ask.route);
  const chain = intentChain(desk, ask.route.origin.input.token.chainId);
  checkKind(ask);
  const value = orderValue(ask, partnerAndFee(desk, ask));
  checkPermitRules(desk, chain, ask, value);
  const toSign = intentTypedData(
    { chainId: chain.chain.chainId, intents: chain.addresses.intents },
    ask.orderType,
    value,
  );
  return { toSign, orderHash: typedDataHash(toSign) };
}

/** Rules 6 to 8 of PROTOCOL 15. */
function checkPermitRules(desk: IntentDesk, chain: ServedChain, ask: BuildAsk, value: Record<string, unknown>): void {
  const { permit = '0x', owner, route } = ask;
  const token = route.origin.input.token.address;
  if (permit === '0x') {
    if (!chain.permitOnly.has(token)) return;
    throw new WireRefused('PermitRequired', 'Permit / Permit2 required');
  }
  if (isSettledLater(ask)) {
    throw new WireRefused('InvalidPermit', 'Limit and TWAP orders need an approval, not a permit');
  }
  const amount = BigInt(String(value.srcAmount));
  const now = Math.floor(desk.market.now() / 1000);
  checkPermit(permit, { owner, spender: chain.addresses.intents, token, amount, now });
}

/**
 * The body of a build.
 * @throws WireRefused `route validation failed`, `missing deadline`, or the text for the fields of its kind (PROTOCOL 17); else
 * WireRefused naming the field
 */
function readBuild(body: unknown): BuildAsk {
  const { data, error } = intentBuildBodySchema.safeParse(body);
  if (data !== undefined) return data;
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const faulty = new Set(error.issues.map(({ path: [field] }) => field));
  if (faulty.has('route')) throw new WireRefused('InvalidRoute', 'route validation failed');
  if (given.deadline === undefined) throw new WireRefused('MissingDeadline', 'missing deadline');
  const { data: kind } = onChainOrderTypeSchema.safeParse(given.orderType);
  const needed = kind === undefined ? undefined : KIND_FIELDS[kind];
  if (needed?.fields.some((field) => faulty.has(field))) throw new WireRefused(needed.fault);
  return parseInput(intentBuildBodySchema, body);
}
