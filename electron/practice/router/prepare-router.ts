import { keccak256, stringToHex, type TestClient } from 'viem';
import type { Address } from '../../protocol/address.ts';
import { FEE_VAULT, MARKET_ROUTER, PERMIT2, SWAP_POOL, WRAPPED_NATIVE } from '../chain/artifacts.ts';
import type { Deployment } from '../chain/deployment.ts';
import { areThere } from '../chain/preparation.ts';
import type { Sender } from '../chain/sender.ts';
import type { ChainFile } from '../market-file.ts';
import type { PlannedChain } from '../practice-desk.ts';
import type { PracticeLog } from '../practice-log.ts';
import { deployRouter } from './deploy-router.ts';
import { practicePools } from './practice-pools.ts';
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
