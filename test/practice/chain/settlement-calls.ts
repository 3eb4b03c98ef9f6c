import { parseEventLogs } from 'viem';
import { SETTLEMENT } from '../../../electron/practice/chain/artifacts.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../../electron/protocol/address.ts';
import type { ChainOrder, TestAccount, TestChain } from '../../chain-fixture.ts';

export const ONE = 10n ** 18n;
export const PRICE = 3_412n * 10n ** 6n;

let serial = 0n;

/** An order of the maker, one WETH for 3,412 USDC, open to anybody for 150 s and unlike any before it. */
export async function newOrder(chain: TestChain, changes: Partial<ChainOrder> = {}): Promise<ChainOrder> {
  serial += 1n;
  return {
    nonceAndMeta: serial << 160n,
    expiry: (await chain.now()) + 150n,
    makerAsset: chain.weth,
    takerAsset: chain.usdc,
    maker: chain.accounts.maker.address,
    taker: ZERO_ADDRESS,
    makerAmount: ONE,
    takerAmount: PRICE,
    ...changes,
  };
}

/** Calls the settlement contract; rejects with its reason. */
export function settle(
  chain: TestChain,
  by: TestAccount,
  functionName: string,
  args: readonly unknown[],
): Promise<Hex> {
  return by.call(SETTLEMENT, chain.rfqContract, functionName, args);
}

/** The settlement's events of a transaction: name and arguments, addresses in lower case. */
export async function eventsOf(chain: TestChain, hash: Hex) {
  const { logs } = await chain.client.getTransactionReceipt({ hash });
  const own = logs.filter(({ address }) => address.toLowerCase() === chain.rfqContract);
  return parseEventLogs({ abi: SETTLEMENT.abi, logs: own }).map(({ eventName, args }) => ({
    eventName,
    ...Object.fromEntries(Object.entries(args ?? {}).map(([name, value]) => [name, lower(value)])),
  }));
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

async function holdings(chain: TestChain, ...owners: Address[]): Promise<bigint[]> {
  const tokens = [chain.weth, chain.usdc];
  return Promise.all(owners.flatMap((owner) => tokens.map((token) => chain.balanceOf(token, owner))));
}

/** What a deed changes in the holdings of the owners: WETH and USDC of each. */
export async function changesIn(chain: TestChain, owners: Address[], deed: () => Promise<unknown>): Promise<bigint[]> {
  const before = await holdings(chain, ...owners);
  await deed();
  const after = await holdings(chain, ...owners);
  return after.map((amount, index) => amount - (before[index] ?? 0n));
}

/** A batch entry without permits. */
export function orderInfo(order: ChainOrder, signature: Hex, takerTokenFillAmount: bigint) {
  return { order, signature, takerTokenFillAmount, permitTakerAsset: '0x', permitMakerAsset: '0x' } as const;
}
