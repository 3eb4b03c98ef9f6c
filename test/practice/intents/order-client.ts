import { expect } from 'vitest';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import type { IntentBuildAnswer, IntentBuildBody } from '../../../electron/protocol/intent-build.ts';
import type { IntentOrderRecord } from '../../../electron/protocol/intent-order-record.ts';
import type { IntentRoute } from '../../../electron/protocol/intent-wire.ts';
import { buildIntentOrder, submitIntentOrder } from '../../../electron/service/intent-orders.ts';
import { intentPrices } from '../../../electron/service/intent-prices.ts';
import type { IntentMarket } from './intent-market.ts';

export const ETHER = 10n ** 18n;
export const ORDERS = '/v2/intent/orders';
const SLICES = { interval: 60, numSlices: 3 };

/** What a test asks for besides what every build has. */
export type Wish = Partial<IntentBuildBody>;

/** Prices, builds and submits as the desk does, so that the desk's checks look at every answer. */
export interface OrderClient {
  owner: Address;
  /** One WETH sold for USDC, and 3,000 USDC bought with WETH. */
  sold: IntentRoute;
  bought: IntentRoute;
  route(changes?: {
    src?: string;
    dest?: string;
    amount?: string;
    side?: 'SELL' | 'BUY';
    destChainId?: number;
  }): Promise<IntentRoute>;
  /** A body for one of the two routes, good for an hour, with 1 % slippage and no partner's fee. */
  body(changes?: Wish): IntentBuildBody;
  build(changes?: Wish): Promise<IntentBuildAnswer>;
  /** Signed with the owner's key unless told. */
  signed(changes?: Wish, key?: Hex): Promise<{ chainId: number; order: Record<string, unknown>; signature: Hex }>;
  submit(changes?: Wish, more?: object): Promise<IntentOrderRecord>;
  /** Status and text of the answer to a POST; a refusal has its `errorType`. */
  answer(path: string, given: unknown): Promise<[number, string | undefined]>;
  /** The same for a build that the desk itself would not ask for. */
  answerToBuild(changes?: object): Promise<[number, string | undefined]>;
}

/** Three slices of one WETH, and of 3,000 USDC. */
export const twap = (changes: Wish = {}): Wish => ({
  orderType: 'TWAPOrder',
  ...SLICES,
  totalSrcAmount: `${3n * ETHER + 2n}`,
  ...changes,
});
export const twapBuy = (changes: Wish = {}): Wish => ({
  orderType: 'TWAPBuyOrder',
  ...SLICES,
  totalDestAmount: '9000000001',
  maxSrcAmount: `${4n * ETHER}`,
  ...changes,
});

export async function openOrderClient(market: IntentMarket): Promise<OrderClient> {
  const { client, floor } = market;
  const owner = floor.owner.address;
  const route: OrderClient['route'] = async ({ src = 'WETH', dest = 'USDC', ...rest } = {}) => {
    const price = await intentPrices(client, {
      chainId: 31337,
      srcToken: market.token(src),
      destToken: market.token(dest),
      amount: `${ETHER}`,
      srcDecimals: market.decimals(src),
      destDecimals: market.decimals(dest),
      partner: 'free',
      ...rest,
    });
    return price.route;
  };
  const [sold, bought] = [await route(), await route({ side: 'BUY', amount: '3000000000' })];
  const endOf = ({ route }: IntentBuildBody) => {
    const { token } = (route as IntentRoute).destination.output;
    const symbol = ['WETH', 'USDC', 'DAI', 'WNAT', 'ETH', 'WETH-', 'USDC-'].find(
      (one) => market.token(one).toLowerCase() === token.address.toLowerCase(),
    );
    return { ...token, decimals: market.decimals(symbol ?? '') };
  };
  const orders: OrderClient = {
    owner,
    sold,
    bought,
    route,
    body(changes = {}) {
      const given = changes.orderType === 'TWAPBuyOrder' || changes.side === 'BUY' ? bought : sold;
      return { route: given, owner, deadline: market.now() + 3_600, slippage: 100, partner: 'free', ...changes };
    },
    build: (changes) => {
      const body = orders.body(changes);
      const listed = new Map(
        ['WETH', 'USDC', 'DAI'].map((one) => [market.token(one).toLowerCase(), market.decimals(one)]),
      );
      return buildIntentOrder(client, body, {
        spender: floor.addresses.intents,
        slippageBps: 100,
        dest: endOf(body),
        listed,
      });
    },
    async signed(changes, key) {
      const { toSign } = await orders.build(changes);
      return { chainId: 31337, order: toSign.value, signature: await market.sign(toSign, key) };
    },
    submit: async (changes, more = {}) => submitIntentOrder(client, { ...(await orders.signed(changes)), ...more }),
    async answer(path, given) {
      const { status, body } = await market.post(path, given);
      const { errorType, details } = body as { errorType?: string; details?: string };
      if (status !== 200) expect(typeof errorType).toBe('string');
      return [status, details];
    },
    answerToBuild: (changes = {}) => orders.answer(`${ORDERS}/build`, { ...orders.body(), ...changes }),
  };
  return orders;
}
