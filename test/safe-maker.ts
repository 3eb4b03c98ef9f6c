import { encodeFunctionData, maxUint256 } from 'viem';
import { type Artifact, TEST_TOKEN } from '../electron/practice/chain/artifacts.ts';
import type { Address } from '../electron/protocol/address.ts';
import safeMaker from '../resources/contracts/built/SafeMaker.json' with { type: 'json' };
import type { TestChain } from './chain-fixture.ts';

export const SAFE_MAKER = safeMaker as Artifact;

/** A wallet of the Safe kind, owned by the chain's maker, that holds and has approved 1,000 WETH and 3,412,000 USDC. */
export async function deploySafeMaker({ accounts: { maker }, weth, usdc, rfqContract }: TestChain): Promise<Address> {
  const safe = await maker.deploy(SAFE_MAKER, [maker.address]);
  const data = encodeFunctionData({ abi: TEST_TOKEN.abi, functionName: 'approve', args: [rfqContract, maxUint256] });
  await Promise.all([
    maker.call(TEST_TOKEN, weth, 'mint', [safe, 1_000n * 10n ** 18n]),
    maker.call(TEST_TOKEN, usdc, 'mint', [safe, 3_412_000n * 10n ** 6n]),
    ...[weth, usdc].map((token) => maker.call(SAFE_MAKER, safe, 'execute', [token, data])),
  ]);
  return safe;
}
