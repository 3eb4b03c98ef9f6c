import { encodeFunctionData } from 'viem';
import { SETTLEMENT, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../electron/protocol/address.ts';
import type { ChainOrder, TestChain } from '../chain-fixture.ts';

export const ONE = 10n ** 18n;
export const PRICE = 3_400n * 10n ** 6n;

/** Acts on a test chain through accounts of the node's own, so that a reorganisation cannot confuse our nonces. */
export interface MarketDriver {
  /** A fresh order of the maker: `weth` for USDC at 3,400. */
  order(weth: bigint): ChainOrder;
  /** Fills in a block of its own, wholly or for `takerAmount`; the order is signed by the maker. */
  fill(order: ChainOrder, takerAmount?: bigint): Promise<Hex>;
  cancel(order: ChainOrder, by?: Address): Promise<Hex>;
  approve(token: Address, amount: bigint): Promise<Hex>;
  mine(blocks?: number): Promise<void>;
  block(): Promise<{ number: number; hash: Hex }>;
  /** Takes the newest blocks away; the ones mined next differ from them. */
  rollBack(blocks: number): Promise<void>;
  rpc(method: string, params: unknown[]): Promise<unknown>;
}

/**
 * `change` wraps whatever makes or drops a block. Anvil has a block's balances a moment before it has the block (and
 * when it rolls back, after), so a test that compares every single view lets nothing be read meanwhile.
 */
export async function driveMarket(
  chain: TestChain,
  change: <T>(act: () => Promise<T>) => Promise<T> = (act) => act(),
): Promise<MarketDriver> {
  const { maker, user, other } = chain.accounts;
  let serial = 0n;
  let coinbase = 1n;
  const rpc = (method: string, params: unknown[]): Promise<unknown> =>
    chain.client.request({ method, params } as never);
  for (const { address } of [maker, user, other]) await rpc('anvil_impersonateAccount', [address]);

  const send = (from: Address, to: Address, data: Hex) => change(() => sendNow(from, to, data));

  async function sendNow(from: Address, to: Address, data: Hex): Promise<Hex> {
    const hash = (await rpc('eth_sendTransaction', [
      { from, to, data, gas: '0x1e8480', gasPrice: '0x174876e800' },
    ])) as Hex;
    const { status } = await chain.client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`transaction ${hash} was reverted`);
    return hash;
  }

  return {
    order(weth) {
      serial += 1n;
      return {
        nonceAndMeta: (serial << 160n) + BigInt(user.address),
        expiry: 0n,
        makerAsset: chain.weth,
        takerAsset: chain.usdc,
        maker: maker.address,
        taker: `0x${'0'.repeat(40)}`,
        makerAmount: weth,
        takerAmount: (weth * PRICE) / ONE,
      };
    },
    async fill(order, takerAmount = order.takerAmount) {
      const args = [order, await chain.sign(order), takerAmount];
      const data = encodeFunctionData({ abi: SETTLEMENT.abi, functionName: 'partialFillOrder', args });
      return send(user.address, chain.rfqContract, data);
    },
    cancel(order, by = maker.address) {
      const args = [chain.orderHash(order)];
      return send(
        by,
        chain.rfqContract,
        encodeFunctionData({ abi: SETTLEMENT.abi, functionName: 'cancelOrder', args }),
      );
    },
    approve(token, amount) {
      const args = [chain.rfqContract, amount];
      return send(maker.address, token, encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args }));
    },
    mine: (blocks = 1) => change(() => chain.control.mine({ blocks })),
    async block() {
      const { number, hash } = await chain.client.getBlock();
      return { number: Number(number), hash };
    },
    async rollBack(blocks) {
      await change(() => rpc('anvil_rollback', [blocks]));
      coinbase += 1n;
      await rpc('anvil_setCoinbase', [`0x${coinbase.toString(16).padStart(40, '0')}`]);
    },
    rpc,
  };
}
