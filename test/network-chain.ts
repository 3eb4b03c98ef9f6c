import { encodeDeployData } from 'viem';
import { type Artifact, EXECUTOR, SETTLEMENT, TEST_TOKEN } from '../electron/practice/chain/artifacts.ts';
import type { Address } from '../electron/protocol/address.ts';
import presets from '../resources/networks/presets.json' with { type: 'json' };
import { startTestChain, type TestAccount, type TestChain } from './chain-fixture.ts';

/** Where everybody on Ethereum knows these tokens. */
const WETH: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const USDC: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const GAS = 6_000_000n;

/** Ethereum as a desk finds it by its preset alone, on a node of this machine. */
export interface NetworkChain {
  chain: TestChain;
  /** At the places of the preset: the contract that settles, and its first execution contract. */
  rfqContract: Address;
  executor: Address;
  weth: Address;
  usdc: Address;
  /** Gives a maker 100 WETH, 500,000 USDC and ether for fees, and approves nothing. */
  fund(maker: Address): Promise<void>;
  /** Gives a user of the service 500,000 USDC, approved to the execution contract. */
  fundUser(user: TestAccount): Promise<void>;
  /** Fills a firm quote whole, as the user whom it is for. */
  fill(user: TestAccount, order: SignedOrder): Promise<void>;
}

/** A firm quote as it came over the wire. */
type SignedOrder = Readonly<Record<string, string | number>>;

/** A block a second, with real contracts at the addresses that the preset of Ethereum has. */
export async function startNetworkChain(): Promise<NetworkChain> {
  const [preset] = presets;
  const [first] = preset?.takers ?? [];
  if (preset === undefined || first === undefined) throw new Error('The first preset names no execution contract.');
  const { chainId, domainName } = preset;
  const [rfqContract, executor] = [preset.rfqContract as Address, first as Address];
  const chain = await startTestChain({ chainId, blockTimeSeconds: 1 });
  const { maker: owner } = chain.accounts;
  await place(chain, rfqContract, SETTLEMENT, [domainName]);
  await place(chain, executor, EXECUTOR, [rfqContract]);
  await place(chain, WETH, TEST_TOKEN, ['Wrapped Ether', 'WETH', 18]);
  await place(chain, USDC, TEST_TOKEN, ['USD Coin', 'USDC', 6]);
  const usd = 500_000n * 10n ** 6n;
  return {
    chain,
    rfqContract,
    executor,
    weth: WETH,
    usdc: USDC,
    async fund(maker) {
      await chain.control.setBalance({ address: maker, value: 10n ** 18n });
      await owner.call(TEST_TOKEN, WETH, 'mint', [maker, 100n * 10n ** 18n]);
      await owner.call(TEST_TOKEN, USDC, 'mint', [maker, usd]);
    },
    async fundUser(user) {
      await owner.call(TEST_TOKEN, USDC, 'mint', [user.address, usd]);
      await user.call(TEST_TOKEN, USDC, 'approve', [executor, usd]);
    },
    async fill(user, { signature, ...order }) {
      await user.call(EXECUTOR, executor, 'fill', [order, signature, BigInt(order.takerAmount ?? 0), 0n]);
    },
  };
}

/**
 * Puts a contract where the network has its own: what deploys it is run at that very address, once for what it keeps there and
 * once for the code that it leaves, in which the address may be a part.
 */
async function place(chain: TestChain, address: Address, { abi, bytecode }: Artifact, args: readonly unknown[]) {
  const { client, control, accounts } = chain;
  await control.setCode({ address, bytecode: encodeDeployData({ abi, bytecode, args }) });
  await accounts.maker.mined(await accounts.maker.send({ to: address, data: '0x', gas: GAS }));
  const { data } = await client.call({ to: address });
  if (data === undefined) throw new Error(`Nothing was left at ${address}.`);
  await control.setCode({ address, bytecode: data });
}
