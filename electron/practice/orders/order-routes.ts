import type { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { hash32Schema, type OrderType } from '../../protocol/order-record.ts';
import type { PracticeLog } from '../practice-log.ts';
import { failure, type ServiceAnswer, type ServiceRequest } from '../service/route.ts';
import { acceptOrder, chainOf, type OrderDesk, readOrder } from './accept-order.ts';
import { firstFault, parsePosted, typeOf } from './order-input.ts';
import { type ListRole, parseListQuery, readList } from './order-list.ts';
import { OrderRefused } from './order-refused.ts';

interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  answer(desk: OrderDesk, parts: string[], request: ServiceRequest): Promise<unknown>;
}

/** The order endpoints of PROTOCOL 4.1 and 4.2. `p2p` lists orders with a named counterparty, `orders` open ones. */
const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/ft\/order\/([^/]+)$/,
    answer: async (desk, [hash]) => readOrder(desk, checked(hash32Schema, 'orderHash', hash)),
  },
  {
    method: 'POST',
    path: /^\/ft\/(p2p|orders)\/([^/]+)$/,
    answer: async (desk, [surface, chain], { body }) => {
      const { chainId } = chainNamed(desk, chain);
      const order = parsePosted(body);
      if (typeOf(order) !== typeUnder(surface)) throw misplaced(typeOf(order));
      return acceptOrder(desk, chainId, order, 'posted');
    },
  },
  {
    method: 'GET',
    path: /^\/ft\/(p2p|orders)\/([^/]+)\/(maker|taker)\/([^/]+)$/,
    answer: async (desk, [surface, chain, role, account], { query }) => {
      const { chainId } = chainNamed(desk, chain);
      const asked = parseListQuery(query);
      const type = asked.type ?? typeUnder(surface);
      const which = { chainId, role: role as ListRole, account: addressNamed('account', account), type };
      return readList(desk, which, asked);
    },
  },
  {
    method: 'GET',
    path: /^\/ft\/fillablebalance\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/,
    answer: async (desk, [chain, account, token]) => {
      const { chainId } = chainNamed(desk, chain);
      const maker = addressNamed('account', account);
      return openAmounts(desk, chainId, maker, token === undefined ? null : addressNamed('token', token));
    },
  },
];

/** Answers a path under `/ft/`, refusals as `{errorType, details}` (PROTOCOL 7); null for any other path. Never rejects. */
export async function answerOrderRoute(
  desk: OrderDesk,
  request: ServiceRequest,
  log: PracticeLog,
): Promise<ServiceAnswer | null> {
  const here = ROUTES.flatMap((route) => {
    const [whole, ...parts] = route.path.exec(request.path) ?? [];
    return whole === undefined ? [] : [{ route, parts }];
  });
  if (here.length === 0) return null;
  try {
    const found = here.find(({ route }) => route.method === request.method);
    if (found === undefined) {
      throw new OrderRefused('InvalidInput', `Only ${here[0]?.route.method} is answered here.`, { status: 405 });
    }
    return { status: 200, body: await found.route.answer(desk, found.parts, request) };
  } catch (error) {
    if (!(error instanceof OrderRefused)) log.warn(`orders: ${request.method} ${request.path} failed: ${error}`);
    const refused = error instanceof OrderRefused ? error : new OrderRefused('InternalError', 'The service failed.');
    return failure(refused.status, refused.code, refused.message);
  }
}

/** What the open orders of a maker still want, by token (PROTOCOL 2.5, `fillableBalance`), or of one token only. */
async function openAmounts(desk: OrderDesk, chainId: number, maker: Address, token: Address | null) {
  await chainOf(desk, chainId).follower.freshen();
  desk.ledger.expire(chainId);
  const sums = new Map<Address, bigint>(token === null ? [] : [[token, 0n]]);
  for (const { maker_asset, fillable } of desk.ledger.orders.openOfMaker.all(chainId, maker)) {
    if (token === null || token === maker_asset) {
      sums.set(maker_asset, (sums.get(maker_asset) ?? 0n) + BigInt(fillable));
    }
  }
  return Object.fromEntries([...sums].map(([asset, sum]) => [asset, `${sum}`]));
}

/** Which orders live under `/ft/p2p` and under `/ft/orders`. */
function typeUnder(surface: string | undefined): OrderType {
  return surface === 'p2p' ? 'P2P' : 'LIMIT';
}

function misplaced(type: OrderType): OrderRefused {
  const [names, path] = type === 'P2P' ? ['a counterparty', 'p2p'] : ['no counterparty', 'orders'];
  return new OrderRefused('InvalidInput', `nonceAndMeta names ${names}: such orders are posted to /ft/${path}.`);
}

function chainNamed(desk: OrderDesk, text = '') {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new OrderRefused('InvalidInput', 'chainId must be a whole number.');
  return chainOf(desk, Number(text));
}

function addressNamed(name: string, text: string | undefined): Address {
  return checked(addressSchema, name, text);
}

function checked<Value>(schema: z.ZodType<Value>, name: string, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OrderRefused('InvalidInput', `${name} ${firstFault(parsed.error)}.`);
}
