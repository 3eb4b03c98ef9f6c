import {
  createTestClient,
  encodeFunctionData,
  hashTypedData,
  http,
  maxUint256,
  type PublicClient,
  type TestClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { PRACTICE_CHAIN_ID, startAnvil } from '../electron/practice/chain/anvil.ts';
import { type Artifact, CONTRACT_MAKER, SETTLEMENT, TEST_TOKEN } from '../electron/practice/chain/artifacts.ts';
import { type Deployment, deployMarket } from '../electron/practice/chain/deployment.ts';
import { balanceOf, readAmount } from '../electron/practice/chain/read-amount.ts';
import { openSender, type Sender } from '../electron/practice/chain/sender.ts';
import type { Address, Hex } from '../electron/protocol/address.ts';
import { keptChain } from './kept-chain.ts';
import { ORDER_TYPES } from './vectors/order-types.ts';

const TEST_DOMAIN_NAME = 'TEST RFQ';

export interface ChainOrder {
  nonceAndMeta: bigint;
  expiry: bigint;
  makerAsset: Address;
  takerAsset: Address;
  maker: Address;
  taker: Address;
  makerAmount: bigint;
  takerAmount: bigint;
}

export interface TestDeployment extends Deployment {
  /** 18 decimals. */
  weth: Address;
  /** 6 decimals. */
  usdc: Address;
}

/** An account with ether, 10,000 WETH, 34,120,000 USDC, and full approvals to the settlement and the execution contract. */
export interface TestAccount extends Sender {
  privateKey: Hex;
  /** Tries the call, which throws with the contract's reason, then sends it and waits for its block. */
  call(artifact: Artifact, to: Address, functionName: string, args: readonly unknown[]): Promise<Hex>;
}

export interface TestChain extends TestDeployment {
  rpcUrl: string;
  chainId: number;
  domainName: string;
  client: PublicClient;
  /** Mines, sets time, takes snapshots: anvil's own calls. */
  control: TestClient<'anvil'>;
  /** `maker` also owns `contractMaker`, which holds the same funds and approvals. */
  accounts: { maker: TestAccount; user: TestAccount; other: TestAccount };
  orderHash(order: ChainOrder): Hex;
  sign(order: ChainOrder, by?: TestAccount): Promise<Hex>;
  balanceOf(token: Address, owner: Address): Promise<bigint>;
  /** The latest block's time in Unix seconds. */
  now(): Promise<bigint>;
  close(): Promise<void>;
}

/**
 * A real chain with the practice contracts on it and funded accounts, in well under a second. Every transaction makes
 * a block at once unless `blockTimeSeconds` is given. With an `rpcPort`, of which 0 is any free one, it is a chain begun anew.
 * `chainId` is 31337 unless it is given.
 */
export async function startTestChain(
  options: { blockTimeSeconds?: number; rpcPort?: number; chainId?: number } = {},
): Promise<TestChain> {
  const { chainId = PRACTICE_CHAIN_ID } = options;
  const anvil = await startAnvil({ port: options.rpcPort ?? 0, chainId });
  const { rpcUrl } = anvil;
  const control = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { timeout: 60_000 }), chain: undefined });
  const [maker, user, other] = ['11', '22', '33'].map((byte) => account(rpcUrl, `0x${byte.repeat(32)}`, chainId)) as [
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  const make = async () => {
    await Promise.all([maker, user, other].map(({ address }) => control.setBalance({ address, value: 10n ** 22n })));
    const made = await deployTestMarket(maker);
    await fund(made, { maker, user, other });
    return made;
  };
  const deployment = await (options.rpcPort === undefined ? keptChain('test-chain', control, make) : make());
  if (options.blockTimeSeconds !== undefined) await control.setIntervalMining({ interval: options.blockTimeSeconds });
  const domain = {
    name: TEST_DOMAIN_NAME,
    version: '1',
    chainId,
    verifyingContract: deployment.rfqContract,
  };
  const typedData = (order: ChainOrder) => ({
    domain,
    types: ORDER_TYPES,
    primaryType: 'Order' as const,
    message: order,
  });
  return {
    ...deployment,
    rpcUrl,
    chainId,
    domainName: TEST_DOMAIN_NAME,
    client: maker.client,
    control,
    accounts: { maker, user, other },
    orderHash: (order) => hashTypedData(typedData(order)),
    sign: (order, by = maker) => privateKeyToAccount(by.privateKey).signTypedData(typedData(order)),
    balanceOf: (token, owner) => balanceOf(maker.client, token, owner),
    now: async () => (await maker.client.getBlock()).timestamp,
    close: anvil.close,
  };
}

/** Both tokens and all approvals, for the three and for the contract maker. */
async function fund(market: TestDeployment, { maker, user, other }: TestChain['accounts']): Promise<void> {
  const { weth, usdc, rfqContract, executor, contractMaker } = market;
  const approve = { abi: TEST_TOKEN.abi, functionName: 'approve', args: [rfqContract, maxUint256] };
  const amounts = [
    [weth, 10_000n * 10n ** 18n],
    [usdc, 34_120_000n * 10n ** 6n],
  ] as const;
  const holders = [maker.address, user.address, other.address, contractMaker];
  await Promise.all(
    amounts.flatMap(([token, amount]) => [
      ...holders.map((holder) => maker.call(TEST_TOKEN, token, 'mint', [holder, amount])),
      ...[maker, user, other].flatMap((owner) =>
        [rfqContract, executor].map((spender) => owner.call(TEST_TOKEN, token, 'approve', [spender, maxUint256])),
      ),
      maker.call(CONTRACT_MAKER, contractMaker, 'execute', [token, encodeFunctionData(approve)]),
    ]),
  );
}

/** The practice contracts with two tokens, deployed by the maker, who owns the contract maker. */
export async function deployTestMarket(maker: Sender): Promise<TestDeployment> {
  const deployed = await deployMarket(maker, {
    domainName: TEST_DOMAIN_NAME,
    owner: maker.address,
    tokens: {
      WETH: { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 },
      USDC: { name: 'USD Coin', symbol: 'USDC', decimals: 6 },
    },
  });
  const { WETH: weth = '0x', USDC: usdc = '0x' } = deployed.tokens;
  return { ...deployed, weth, usdc };
}

function account(rpcUrl: string, privateKey: Hex, chainId: number): TestAccount {
  const sender = openSender(rpcUrl, privateKey, chainId);
  return {
    ...sender,
    privateKey,
    async call({ abi }, to, functionName, args) {
      const { client, address: from } = sender;
      const gas = await client.estimateContractGas({ account: from, address: to, abi, functionName, args });
      const hash = await sender.send({ to, data: encodeFunctionData({ abi, functionName, args }), gas: gas * 2n });
      await sender.mined(hash);
      return hash;
    },
  };
}

/** `remaining` of the settlement contract: 0 unseen, 1 finished, n > 1 means n - 1 units left. */
export function readRemaining(chain: TestChain, maker: Address, orderHash: Hex): Promise<bigint> {
  return readAmount(chain.client, SETTLEMENT, chain.rfqContract, 'remaining', [maker, orderHash]);
}
