import { encodeFunctionData, type Hex, maxUint256, type TestClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startAnvil } from '../../../../electron/practice/chain/anvil.ts';
import {
  type Artifact,
  CONTRACT_MAKER,
  FEE_VAULT,
  INTENT_SETTLEMENT,
  PERMIT2,
  TEST_TOKEN,
  WRAPPED_NATIVE,
} from '../../../../electron/practice/chain/artifacts.ts';
import { openControl } from '../../../../electron/practice/chain/preparation.ts';
import { balanceOf, readAmount } from '../../../../electron/practice/chain/read-amount.ts';
import { openSender, type Sender } from '../../../../electron/practice/chain/sender.ts';
import { intentTypedData, signedIntent } from '../../../../electron/practice/intents/kinds/kinds.ts';
import { deployIntents } from '../../../../electron/practice/intents/prepare-intents.ts';
import type { IntentChain } from '../../../../electron/practice/intents/settle/intent-chain.ts';
import type { Address } from '../../../../electron/protocol/address.ts';
import { compactSignature } from '../../../../electron/protocol/compact-signature.ts';
import type { OnChainOrderType } from '../../../../electron/protocol/intent-build.ts';
import { packPartnerAndFee } from '../../../../electron/protocol/intent-order.ts';
import { NATIVE_TOKEN } from '../../../../electron/protocol/route-token.ts';
import { typedDataHash } from '../../../../electron/protocol/typed-data.ts';
import { keptChain } from '../../../kept-chain.ts';

export const ETHER = 10n ** 18n;
export const DOLLAR = 10n ** 6n;
export const PARTNER: Address = `0x${'9a'.repeat(20)}`;
export const BENEFICIARY: Address = `0x${'be'.repeat(20)}`;

const key = (byte: string): Hex => `0x${byte.repeat(32)}`;
const KEYS = { owner: key('21'), bank: key('22'), operator: key('23'), stranger: key('24') };
export const OPERATOR_KEY = KEYS.operator;
export const SOLVER_KEYS = { swift: key('31'), steady: key('32'), patient: key('33') };

type Token = 'WETH' | 'USDC' | 'WNAT' | 'ETH';
type Value = Record<string, unknown>;

/** An order with its signature, as it is submitted. */
export interface Signed {
  type: OnChainOrderType;
  value: Value;
  hash: Hex;
  signature: Hex;
}

export interface IntentFloor extends IntentChain {
  rpcUrl: string;
  control: TestClient<'anvil'>;
  feeVault: Address;
  permit2: Address;
  /** Has 100 WETH and 1,000,000 USDC, and has approved the intent contract for both. */
  owner: Sender & { key: Hex };
  operator: Sender;
  stranger: Sender;
  solvers: Record<keyof typeof SOLVER_KEYS, Sender>;
  /** A wallet of the owner that is a contract, with the same funds and approvals. */
  wallet: Address;
  token(symbol: Token): Address;
  /** An order of 1 WETH for at least 3,000 USDC, good for an hour, with changes; signed in the form of EIP-2098 unless told. */
  order(type: OnChainOrderType, changes?: Value, by?: { key?: Hex; long?: boolean }): Promise<Signed>;
  /** Fills as a solver. Throws the contract's reason. */
  fill(order: Signed, step: { fills?: number; amount: bigint; offer: bigint }, by?: Sender): Promise<Hex>;
  /** Calls the contract with the order. */
  act(by: Sender, functionName: 'park' | 'cancel', order: Signed): Promise<Hex>;
  call(by: Sender, artifact: Artifact, to: Address, functionName: string, args: readonly unknown[]): Promise<Hex>;
  balance(token: Token, owner: Address): Promise<bigint>;
  /** What a deed changes in balances, in the order of the pairs. */
  changes(of: readonly (readonly [Token, Address])[], deed: () => Promise<unknown>): Promise<bigint[]>;
  owed(token: Token, owner: Address): Promise<bigint>;
  /** The latest block's time in Unix seconds. */
  seconds(): Promise<number>;
  /** The next block comes so many seconds after the latest, and is mined. */
  pass(seconds: number): Promise<void>;
  /** So many of the newest blocks are gone, with all that was in them. */
  reorg(blocks: number): Promise<unknown>;
  close(): Promise<void>;
}

let lastNonce = 0;

/** `keptBlocks`: the chain forgets the logs of older ones. */
export async function openIntentFloor(chainId = 31337, keptBlocks?: number): Promise<IntentFloor> {
  const anvil = await startAnvil({ port: 0, chainId, ...(keptBlocks !== undefined && { keptBlocks }) });
  const { rpcUrl } = anvil;
  const control = openControl(rpcUrl);
  const open = (privateKey: Hex) => ({ ...openSender(rpcUrl, privateKey, chainId), key: privateKey });
  const [owner, bank, operator, stranger] = [KEYS.owner, KEYS.bank, KEYS.operator, KEYS.stranger].map(open) as [
    ReturnType<typeof open>,
    ...Sender[],
  ] as [ReturnType<typeof open>, Sender, Sender, Sender];
  const solvers = {
    swift: open(SOLVER_KEYS.swift),
    steady: open(SOLVER_KEYS.steady),
    patient: open(SOLVER_KEYS.patient),
  };
  const { client } = bank;
  const giveEther = async (address: Address, wei: bigint) =>
    control.setBalance({ address, value: (await client.getBalance({ address })) + wei });
  async function call(by: Sender, { abi }: Artifact, to: Address, functionName: string, args: readonly unknown[]) {
    const data = encodeFunctionData({ abi, functionName, args });
    await client.simulateContract({ account: by.address, address: to, abi, functionName, args });
    const hash = await by.send({ to, data, gas: 2_000_000n });
    await by.mined(hash);
    return hash;
  }
  async function deploy() {
    const payers = [owner, bank, stranger, ...Object.values(solvers)];
    await Promise.all(payers.map(({ address }) => giveEther(address, 1_000n * ETHER)));
    const [weth, usdc, wrappedNative, feeVault, permit2, wallet] = await Promise.all([
      bank.deploy(TEST_TOKEN, ['Wrapped Ether', 'WETH', 18]),
      bank.deploy(TEST_TOKEN, ['USD Coin', 'USDC', 6]),
      bank.deploy(WRAPPED_NATIVE, ['Wrapped native', 'WNAT']),
      bank.deploy(FEE_VAULT, []),
      bank.deploy(PERMIT2, []),
      bank.deploy(CONTRACT_MAKER, [owner.address]),
    ]);
    const addresses = await deployIntents(bank, {
      market: { wrappedNative, feeVault, permit2 },
      operator: operator.address,
      solvers: Object.values(solvers),
      tokens: [
        { address: weth, decimals: 18 },
        { address: usdc, decimals: 6 },
      ],
      giveEther,
    });
    const funds = [
      [weth, 100n * ETHER],
      [usdc, 1_000_000n * DOLLAR],
    ] as const;
    for (const [token, amount] of funds) {
      for (const holder of [owner.address, wallet]) await call(bank, TEST_TOKEN, token, 'mint', [holder, amount]);
      const args = [addresses.intents, maxUint256];
      await call(owner, TEST_TOKEN, token, 'approve', args);
      const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args });
      await call(owner, CONTRACT_MAKER, wallet, 'execute', [token, data]);
    }
    return { weth, usdc, wrappedNative, feeVault, permit2, wallet, addresses };
  }
  const { weth, usdc, wrappedNative, feeVault, permit2, wallet, addresses } = await (keptBlocks === undefined
    ? keptChain(`intents-${chainId}`, control, deploy)
    : deploy());
  const tokens: Record<Token, Address> = { WETH: weth, USDC: usdc, WNAT: wrappedNative, ETH: NATIVE_TOKEN };
  const { intents } = addresses;
  const floor: IntentFloor = {
    chain: { chainId, name: `Chain ${chainId}`, client },
    addresses,
    rpcUrl,
    control,
    feeVault,
    permit2,
    owner,
    operator,
    stranger,
    solvers,
    wallet,
    token: (symbol) => tokens[symbol],
    async order(type, changes = {}, { key: by = KEYS.owner, long = false } = {}) {
      const sliced = type === 'TWAPOrder' || type === 'TWAPBuyOrder';
      const value = {
        owner: owner.address,
        beneficiary: BENEFICIARY,
        srcToken: weth,
        destToken: usdc,
        ...(type === 'TWAPOrder' ? { totalSrcAmount: `${ETHER}`, destAmount: `${1_000n * DOLLAR}` } : {}),
        ...(type === 'TWAPBuyOrder' ? { totalDestAmount: `${3_000n * DOLLAR}`, maxSrcAmount: `${ETHER}` } : {}),
        ...(sliced ? {} : { srcAmount: `${ETHER}`, destAmount: `${3_000n * DOLLAR}` }),
        expectedAmount: type === 'TWAPBuyOrder' ? `${ETHER / 3n}` : `${(sliced ? 1_000n : 3_000n) * DOLLAR}`,
        deadline: `${(await floor.seconds()) + 3_600}`,
        ...(sliced ? { interval: '60', numSlices: '3' } : { kind: 0 }),
        nonce: `${++lastNonce}`,
        partnerAndFee: '0',
        permit: '0x',
        metadata: '0x',
        ...(type === 'ExternalOrder' ? { handler: addresses.handler, data: '0x' } : {}),
        ...(type === 'ProductiveOrder' ? { strategy: addresses.strategy } : {}),
        bridge: {
          protocolSelector: '0x00000000',
          destinationChainId: '0',
          outputToken: `0x${'0'.repeat(40)}`,
          scalingFactor: 0,
          protocolData: '0x',
        },
        ...changes,
      };
      const hash = typedDataHash(intentTypedData({ chainId, intents }, type, value));
      const signature = await privateKeyToAccount(by).sign({ hash });
      return { type, value, hash, signature: long ? signature : compactSignature(signature) };
    },
    fill({ type, value, signature }, { fills = 0, amount, offer }, by = solvers.swift) {
      const step = { fills: BigInt(fills), amount, offer };
      return floor.call(by, INTENT_SETTLEMENT, intents, 'fill', [signedIntent(type, value), signature, step]);
    },
    act(by, functionName, { type, value, signature }) {
      const args = [signedIntent(type, value), ...(functionName === 'park' ? [signature] : [])];
      return floor.call(by, INTENT_SETTLEMENT, intents, functionName, args);
    },
    call,
    balance: (symbol, of) =>
      symbol === 'ETH' ? client.getBalance({ address: of }) : balanceOf(client, tokens[symbol], of),
    async changes(of, deed) {
      const read = () => Promise.all(of.map(([symbol, account]) => floor.balance(symbol, account)));
      const before = await read();
      await deed();
      return (await read()).map((amount, index) => amount - (before[index] ?? 0n));
    },
    owed: (symbol, of) => readAmount(client, FEE_VAULT, feeVault, 'balanceOf', [tokens[symbol], of]),
    seconds: async () => Number((await client.getBlock()).timestamp),
    async pass(seconds) {
      await control.setNextBlockTimestamp({ timestamp: BigInt((await floor.seconds()) + seconds) });
      await control.mine({ blocks: 1 });
    },
    reorg: (blocks) => control.request({ method: 'anvil_reorg', params: [blocks, []] } as never),
    close: anvil.close,
  };
  return floor;
}

/** `partnerAndFee` of the partner, as text. */
export function partnerFee(feeBps: number, flags = 0): string {
  return `${packPartnerAndFee({ partner: PARTNER, flags, feeBps })}`;
}
