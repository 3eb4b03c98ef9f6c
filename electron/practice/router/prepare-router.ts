import { BigNumber } from 'bignumber.js';
import { encodeFunctionData, keccak256, stringToHex, type TestClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import type { Token } from '../../protocol/wire.ts';
import { FEE_VAULT, MARKET_ROUTER, PERMIT2, SWAP_POOL, TEST_TOKEN, WRAPPED_NATIVE } from '../chain/artifacts.ts';
import type { Deployment } from '../chain/deployment.ts';
import { areThere } from '../chain/preparation.ts';
import type { Sender } from '../chain/sender.ts';
import { depthOf } from '../consumer/expected-amount.ts';
import type { ChainFile } from '../market-file.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { RouterAddresses } from './router-chain.ts';

/** The native asset's ERC-20 form. `WETH` of the practice chains is a token like the others. */
export const WRAPPED = { name: 'Wrapped native', symbol: 'WNAT' };
/** The token that the native asset is worth as much as. */
export const NATIVE_TWIN = 'WETH';
/** So many times the ether that pools begin with is there to be unwrapped: what is sold to them later is minted as well. */
const TIMES_BACKED = 1_000n;

/**
 * Goes on with the market's contracts that the chain has kept in this version, or deploys them beside those of makers: a chain
 * from before there was a router gets one and keeps all it has.
 */
export async function prepareRouter(options: {
  bank: Sender;
  control: TestClient<'anvil'>;
  plan: PlannedChain;
  contracts: Deployment;
  before: ChainFile['router'];
  log: PracticeLog;
}): Promise<NonNullable<ChainFile['router']>> {
  const { bank, control, plan, contracts, before, log } = options;
  const codeHash = versionNow();
  if (before?.codeHash === codeHash && (await areThere(bank.client, addressesIn(before.addresses)))) return before;
  const addresses = await deployRouter(bank, {
    rfqContract: contracts.rfqContract,
    native: WRAPPED,
    pools: practicePools(plan, contracts.tokens, NATIVE_TWIN),
    giveEther: (address, wei) => control.setBalance({ address, value: wei * TIMES_BACKED }),
  });
  log.info(`chain ${plan.chainId}: router ${addresses.router} deployed, with ${addresses.pools.length} pools`);
  return { codeHash, addresses };
}

function versionNow() {
  const parts = [MARKET_ROUTER, SWAP_POOL, FEE_VAULT, PERMIT2, WRAPPED_NATIVE];
  return keccak256(stringToHex(parts.map(({ bytecode }) => bytecode).join()));
}

function addressesIn({ pools, ...parts }: RouterAddresses): Address[] {
  return [...Object.values(parts), ...pools.map(({ address }) => address)];
}

const EXCHANGE = 'PracticeSwap';
const PAIR_FEE_BPS = 30;
const NATIVE_FEE_BPS = 5;
/** So many times what the deeper side of the grid holds lies in the pool of its pair: a usual hedge hardly moves its price. */
const TIMES_THE_GRID = 100;

/**
 * The pools of a practice chain: one for every pair of the practice grid, at its middle, and one that trades the wrapped
 * native asset one for one against `wrapped`, a token ID, when the chain has it.
 */
export function practicePools(
  { tokens, pairs, prices }: Pick<PlannedChain, 'tokens' | 'pairs' | 'prices'>,
  addresses: Readonly<Record<string, Address>>,
  wrapped: string,
): PoolPlan[] {
  const pools = Object.entries(pairs).flatMap(([id, { base, quote }]): PoolPlan[] => {
    const { bids = [], asks = [] } = prices[id] ?? {};
    const [[bid] = [], [ask] = []] = [bids[0], asks[0]];
    const [baseToken, quoteToken] = [tokens[base], tokens[quote]];
    const at = [addresses[base], addresses[quote]] as const;
    if (!baseToken || !quoteToken || !at[0] || !at[1] || bid === undefined || ask === undefined) return [];
    const mid = new BigNumber(bid).plus(ask).dividedBy(2);
    const depth = BigNumber.maximum(depthOf(bids).base, depthOf(asks).base).times(TIMES_THE_GRID);
    const amounts = [rawUnits(depth, baseToken), rawUnits(depth.times(mid), quoteToken)] as const;
    return [{ exchange: EXCHANGE, tokens: [at[0], at[1]], amounts, feeBps: PAIR_FEE_BPS }];
  });
  const partner = addresses[wrapped];
  const own = pools.find(({ tokens: [first] }) => first === partner);
  if (partner === undefined || own === undefined) return pools;
  const amounts = [own.amounts[0], own.amounts[0]] as const;
  return [...pools, { exchange: EXCHANGE, tokens: ['native', partner], amounts, feeBps: NATIVE_FEE_BPS }];
}

function rawUnits(amount: BigNumber, { decimals }: Pick<Token, 'decimals'>): bigint {
  return BigInt(amount.shiftedBy(decimals).toFixed(0, BigNumber.ROUND_DOWN));
}

/** A pool to make, with what is in it at first in raw units. `native` stands for the wrapped native asset. */
interface PoolPlan {
  exchange: string;
  tokens: readonly [Address | 'native', Address | 'native'];
  amounts: readonly [bigint, bigint];
  feeBps: number;
}

/**
 * Deploys the market's contracts beside those of the RFQ market, and fills the pools, whose tokens anybody may mint. The same
 * account with the same number of transactions before comes to the same addresses.
 */
export async function deployRouter(
  sender: Sender,
  options: {
    rfqContract: Address;
    native: { name: string; symbol: string };
    pools: readonly PoolPlan[];
    /** Gives an address so much more ether: wrapped ether that pools begin with is minted, and must be there to be unwrapped. */
    giveEther(address: Address, wei: bigint): Promise<unknown>;
  },
): Promise<RouterAddresses> {
  const { rfqContract, native, pools, giveEther } = options;
  const [wrappedNative, feeVault, permit2] = await Promise.all([
    sender.deploy(WRAPPED_NATIVE, [native.name, native.symbol]),
    sender.deploy(FEE_VAULT, []),
    sender.deploy(PERMIT2, []),
  ]);
  const parts = [rfqContract, wrappedNative, feeVault, permit2];
  const [router, legacyRouter] = await Promise.all([
    sender.deploy(MARKET_ROUTER, parts),
    sender.deploy(MARKET_ROUTER, parts),
  ]);
  const wrapped = pools.reduce((sum, { tokens, amounts }) => {
    return sum + tokens.reduce((own, token, index) => own + (token === 'native' ? (amounts[index] ?? 0n) : 0n), 0n);
  }, 0n);
  await giveEther(wrappedNative, wrapped);
  const planned = pools.map(({ exchange, tokens, amounts, feeBps }) => {
    const [token0, token1] = tokens.map((token) => (token === 'native' ? wrappedNative : token)) as [Address, Address];
    return { exchange, tokens: [token0, token1] as [Address, Address], amounts, feeBps };
  });
  const made = await Promise.all(
    planned.map(async ({ feeBps, ...pool }) => {
      return { ...pool, address: await sender.deploy(SWAP_POOL, [...pool.tokens, feeBps]) };
    }),
  );
  const filled = await Promise.all(made.flatMap((pool) => fillCalls(pool)).map((call) => sender.send(call)));
  await Promise.all(filled.map((hash) => sender.mined(hash)));
  const places = made.map(({ exchange, address, tokens }) => ({ exchange, address, tokens }));
  return { router, legacyRouter, feeVault, permit2, wrappedNative, pools: places };
}

/** Mints what a pool begins with, and lets it take that in: in this order. */
function fillCalls(pool: { address: Address; tokens: readonly Address[]; amounts: readonly bigint[] }) {
  const { address, tokens, amounts } = pool;
  const mints = tokens.map((to, index) => {
    const args = [address, amounts[index]];
    return { to, data: encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'mint', args }) };
  });
  return [...mints, { to: address, data: encodeFunctionData({ abi: SWAP_POOL.abi, functionName: 'sync' }) }];
}
