import type { z } from 'zod';
import { type Address, addressSchema } from '../../protocol/address.ts';
import { hash32Schema, type OrderType } from '../../protocol/order-record.ts';
import type { PracticeLog } from '../practice-log.ts';
import { answerOperations, type Operation } from '../service/operations.ts';
import type { RouteHandler } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { acceptOrder, chainOf, type OrderDesk, readOrder } from './accept-order.ts';
import { firstFault, parsePosted, typeOf } from './order-input.ts';
import { type ListRole, parseListQuery, readList } from './order-list.ts';

/**
 * Answers the order endpoints of PROTOCOL 4.1 and 4.2, under `/ft/`; null for any other path. Never rejects. `p2p` lists orders
 * with a named counterparty, `orders` open ones.
 */
export function orderRoute(desk: OrderDesk, log: PracticeLog): RouteHandler {
  return answerOperations(operationsOf(desk), { name: 'orders', log });
}

const operationsOf = (desk: OrderDesk): Operation[] => [
  {
    method: 'GET',
    path: /^\/ft\/order\/([^/]+)$/,
    answer: (_, [hash]) => readOrder(desk, checked(hash32Schema, 'orderHash', hash)),
  },
  {
    method: 'POST',
    path: /^\/ft\/(p2p|orders)\/([^/]+)$/,
    answer({ body }, [surface, chain]) {
      const { chainId } = chainNamed(desk, chain);
      const order = parsePosted(body);
      if (typeOf(order) !== typeUnder(surface)) throw misplaced(typeOf(order));
      return acceptOrder(desk, chainId, order, 'posted');
    },
  },
  {
    method: 'GET',
    path: /^\/ft\/(p2p|orders)\/([^/]+)\/(maker|taker)\/([^/]+)$/,
    answer({ query }, [surface, chain, role, account]) {
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
    answer(_, [chain, account, token]) {
      const { chainId } = chainNamed(desk, chain);
      const maker = addressNamed('account', account);
      return openAmounts(desk, chainId, maker, token === undefined ? null : addressNamed('token', token));
    },
  },
];

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

function misplaced(type: OrderType): WireRefused {
  const [names, path] = type === 'P2P' ? ['a counterparty', 'p2p'] : ['no counterparty', 'orders'];
  return new WireRefused('InvalidInput', `nonceAndMeta names ${names}: such orders are posted to /ft/${path}.`);
}

function chainNamed(desk: OrderDesk, text = '') {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new WireRefused('InvalidInput', 'chainId must be a whole number.');
  return chainOf(desk, Number(text));
}

function addressNamed(name: string, text: string | undefined): Address {
  return checked(addressSchema, name, text);
}

function checked<Value>(schema: z.ZodType<Value>, name: string, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireRefused('InvalidInput', `${name} ${firstFault(parsed.error)}.`);
}
