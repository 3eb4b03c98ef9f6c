import { encodeFunctionData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { z } from 'zod';
import { TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { openControl } from '../../../electron/practice/chain/preparation.ts';
import { balanceOf } from '../../../electron/practice/chain/read-amount.ts';
import { openClient, openSender } from '../../../electron/practice/chain/sender.ts';
import { intentRecordSchema } from '../../../electron/practice/intents/intent-store.ts';
import type { MarketPlace } from '../../../electron/practice/market.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import { compactSignature } from '../../../electron/protocol/compact-signature.ts';
import type { IntentStatus } from '../../../electron/protocol/intent-order-record.ts';
import type { IntentRoute } from '../../../electron/protocol/intent-wire.ts';
import { type ToSign, typedDataHash } from '../../../electron/protocol/typed-data.ts';

const ETHER = 10n ** 18n;
const ORDERS = '/v2/intent/orders';

type IntentRecord = z.infer<typeof intentRecordSchema>;

/** Where a practice market is, which may be in another process. */
export interface Market {
  serviceUrl: string;
  chains: readonly MarketPlace[];
}

/** Somebody who gives intent orders to a practice market over HTTP, and looks at the chains themselves. */
export interface MarketOwner {
  address: Address;
  key: Hex;
  /** Has so much of a token on the first chain, and has approved the intent contract for it unless told. */
  gets(token: Address, amount: bigint, spender?: Address | null): Promise<void>;
  get(path: string, query?: Record<string, unknown>): Promise<{ status: number; body: unknown }>;
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  /** The route of one token of the first chain sold. */
  route(query: Record<string, unknown>): Promise<IntentRoute>;
  /** Builds, signs and submits an order of the route; gives its id. */
  submit(route: IntentRoute, wish?: Record<string, unknown>): Promise<string>;
  build(route: IntentRoute, wish?: Record<string, unknown>): Promise<{ status: number; body: unknown }>;
  /** Status and text of the answer to a signed cancellation. */
  cancel(id: string): Promise<[number, string | undefined]>;
  record(id: string): Promise<IntentRecord>;
  reaches(id: string, status: IntentStatus): Promise<IntentRecord>;
  /** What they have of a token on the chain of this index. */
  has(token: Address, chain?: number): Promise<bigint>;
}

/** `market` is asked again for every request: it may have been opened anew. */
export function openMarketOwner(market: () => Market): MarketOwner {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase() as Address;
  const place = (index = 0) => market().chains[index] as MarketPlace;
  const sign = async (toSign: ToSign) => compactSignature(await account.sign({ hash: typedDataHash(toSign) }));

  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(`${market().serviceUrl}${path}`, init);
    return { status: response.status, body: (await response.json()) as unknown };
  }

  const owner: MarketOwner = {
    address,
    key,
    async gets(token, amount, spender = place().addresses.intents) {
      const { rpcUrl, chainId } = place();
      await openControl(rpcUrl).setBalance({ address, value: 10n * ETHER });
      const sender = openSender(rpcUrl, key, chainId);
      const calls = [
        ['mint', [address, amount]],
        ...(spender === null ? [] : [['approve', [spender, amount]]]),
      ] as const;
      for (const [functionName, args] of calls) {
        const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: `${functionName}`, args: [...args] });
        await sender.mined(await sender.send({ to: token, data }));
      }
    },
    get: (path, query = {}) => ask(`${path}?${new URLSearchParams(query as Record<string, string>)}`),
    post: (path, body) => ask(path, { method: 'POST', body: JSON.stringify(body) }),
    async route(query) {
      const common = { chainId: place().chainId, srcDecimals: 18, userAddress: address, partner: 'makerdesk' };
      const { status, body } = await owner.get('/v2/intent/prices', { ...common, amount: `${ETHER}`, ...query });
      expect(status, JSON.stringify(body)).toBe(200);
      return (body as { route: IntentRoute }).route;
    },
    build: (route, wish = {}) =>
      owner.post(`${ORDERS}/build`, {
        route,
        owner: address,
        deadline: Math.floor(Date.now() / 1_000) + 600,
        slippage: 100,
        partner: 'makerdesk',
        ...wish,
      }),
    async submit(route, wish) {
      const built = await owner.build(route, wish);
      expect(built.status, JSON.stringify(built.body)).toBe(200);
      const { toSign } = built.body as { toSign: ToSign };
      const order = { chainId: place().chainId, order: toSign.value, signature: await sign(toSign) };
      const { status, body } = await owner.post(ORDERS, order);
      expect(status, JSON.stringify(body)).toBe(200);
      return (body as IntentRecord).id;
    },
    async cancel(id) {
      const { body } = await owner.post(`${ORDERS}/build/cancellation`, { orderIds: [id] });
      const signature = await sign((body as { toSign: ToSign }).toSign);
      const answer = await owner.post(`${ORDERS}/cancel`, { orderIds: [id], signature });
      return [answer.status, (answer.body as { details?: string }).details];
    },
    async record(id) {
      const { status, body } = await owner.get(`${ORDERS}/${id}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return intentRecordSchema.parse(body);
    },
    reaches: (id, status) =>
      vi.waitFor(
        async () => {
          const record = await owner.record(id);
          expect(record.status).toBe(status);
          return record;
        },
        { timeout: 90_000, interval: 50 },
      ),
    has: (token, chain = 0) => balanceOf(openClient(place(chain).rpcUrl), token, address),
  };
  return owner;
}
