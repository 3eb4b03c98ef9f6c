import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { type OrderService, openOrderService } from '../../../electron/practice/orders/order-service.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import { type OrderRecord, orderRecordSchema } from '../../../electron/protocol/order-record.ts';
import type { ChainOrder, TestAccount, TestChain } from '../../chain-fixture.ts';
import { collectLog } from '../collected-log.ts';

/** The order service on a real chain, with a file of its own, as a test works with it. */
export interface OrdersOnChain {
  readonly service: OrderService;
  lines: string[];
  /** Adds to the service's clock, in milliseconds. */
  shiftClock(by: number): void;
  /** From now on the service's clock stands there, Unix milliseconds. */
  stopClock(at: number): void;
  get(path: string): Promise<{ status: number; body: unknown }>;
  postBody(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  /** Signs, posts and gives the record; fails when it is refused. */
  post(order: ChainOrder, surface?: 'p2p' | 'orders'): Promise<OrderRecord>;
  /** The record as `GET /ft/order/{orderHash}` gives it, once the service has seen what the chain did until now. */
  record(orderHash: string): Promise<OrderRecord>;
  /** Ends the service and opens it again on the same file. */
  restart(whileClosed?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export function openOrdersOnChain(chain: TestChain): OrdersOnChain {
  const folder = mkdtempSync(join(tmpdir(), 'orders-'));
  const log = collectLog();
  let shift = 0;
  let stoppedAt: number | null = null;
  const open = () =>
    openOrderService({
      file: join(folder, 'orders.db'),
      chains: [{ ...chain, name: 'Test', basePath: '/31337', takers: [chain.executor] }],
      now: () => (stoppedAt ?? Date.now()) + shift,
      log,
      pollEveryMs: 50,
    });
  let service = open();

  async function ask(method: string, target: string, body: string) {
    const url = new URL(target, 'http://practice');
    const answer = await service.route({ method, path: url.pathname, query: url.searchParams, body });
    if (answer === null) throw new Error(`nothing answers ${method} ${target}`);
    return { ...answer, body: JSON.parse(JSON.stringify(answer.body)) as unknown };
  }

  const orders: OrdersOnChain = {
    get service() {
      return service;
    },
    lines: log.lines,
    shiftClock(by) {
      shift += by;
    },
    stopClock(at) {
      stoppedAt = at;
    },
    get: (path) => ask('GET', path, ''),
    postBody: (path, body) => ask('POST', path, typeof body === 'string' ? body : JSON.stringify(body)),
    async post(order, surface = 'p2p') {
      const answer = await orders.postBody(`/ft/${surface}/${chain.chainId}`, await signedBody(chain, order));
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
      return orderRecordSchema.parse(answer.body);
    },
    async record(orderHash) {
      await service.caughtUp();
      const answer = await orders.get(`/ft/order/${orderHash}`);
      expect(answer.status).toBe(200);
      return orderRecordSchema.parse(answer.body);
    },
    async restart(whileClosed) {
      await service.close();
      await whileClosed?.();
      service = open();
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return orders;
}

/** The eight fields as they go over the wire, the signature of `by` (the maker unless told), and no permit. */
export async function signedBody(chain: TestChain, order: ChainOrder, by?: TestAccount) {
  return { ...wireFields(order), signature: await chain.sign(order, by), permitMakerAsset: null };
}

export function wireFields(order: ChainOrder) {
  return {
    ...order,
    nonceAndMeta: `${order.nonceAndMeta}`,
    expiry: Number(order.expiry),
    makerAmount: `${order.makerAmount}`,
    takerAmount: `${order.takerAmount}`,
  };
}

/** Gives the maker exactly this balance and allowance of a token, in raw units. */
export async function setFunds(
  chain: TestChain,
  token: Address,
  { balance, allowance = 2n ** 256n - 1n }: { balance: bigint; allowance?: bigint },
): Promise<void> {
  const { maker, other } = chain.accounts;
  const has = await chain.balanceOf(token, maker.address);
  if (has > balance) await maker.call(TEST_TOKEN, token, 'transfer', [other.address, has - balance]);
  if (has < balance) await maker.call(TEST_TOKEN, token, 'mint', [maker.address, balance - has]);
  await maker.call(TEST_TOKEN, token, 'approve', [chain.rfqContract, allowance]);
}
