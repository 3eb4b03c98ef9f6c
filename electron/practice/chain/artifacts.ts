import type { Abi } from 'viem';
import contractMaker from '../../../resources/contracts/built/ContractMaker.json' with { type: 'json' };
import daiToken from '../../../resources/contracts/built/DaiToken.json' with { type: 'json' };
import feeVault from '../../../resources/contracts/built/FeeVault.json' with { type: 'json' };
import intentBridgeEscrow from '../../../resources/contracts/built/IntentBridgeEscrow.json' with { type: 'json' };
import intentSavings from '../../../resources/contracts/built/IntentSavings.json' with { type: 'json' };
import intentSettlement from '../../../resources/contracts/built/IntentSettlement.json' with { type: 'json' };
import intentSplitter from '../../../resources/contracts/built/IntentSplitter.json' with { type: 'json' };
import marketRouter from '../../../resources/contracts/built/MarketRouter.json' with { type: 'json' };
import permit2 from '../../../resources/contracts/built/Permit2.json' with { type: 'json' };
import plainToken from '../../../resources/contracts/built/PlainToken.json' with { type: 'json' };
import rfqExecutor from '../../../resources/contracts/built/RfqExecutor.json' with { type: 'json' };
import rfqSettlement from '../../../resources/contracts/built/RfqSettlement.json' with { type: 'json' };
import swapPool from '../../../resources/contracts/built/SwapPool.json' with { type: 'json' };
import testToken from '../../../resources/contracts/built/TestToken.json' with { type: 'json' };
import wrappedNative from '../../../resources/contracts/built/WrappedNative.json' with { type: 'json' };
import zeroFirstToken from '../../../resources/contracts/built/ZeroFirstToken.json' with { type: 'json' };
import type { Hex } from '../../protocol/address.ts';

/** A compiled contract of resources/contracts: what is needed to deploy and to call it. */
export interface Artifact {
  contract: string;
  abi: Abi;
  bytecode: Hex;
}

function artifact(json: { contract: string; abi: readonly object[]; bytecode: string }): Artifact {
  return { contract: json.contract, abi: json.abi as Abi, bytecode: json.bytecode as Hex };
}

export const SETTLEMENT: Artifact = artifact(rfqSettlement);
export const EXECUTOR: Artifact = artifact(rfqExecutor);
export const CONTRACT_MAKER: Artifact = artifact(contractMaker);
export const TEST_TOKEN: Artifact = artifact(testToken);
/** Without a permit of its own; with an allowance that goes through zero; with the permit that DAI has. */
export const PLAIN_TOKEN: Artifact = artifact(plainToken);
export const ZERO_FIRST_TOKEN: Artifact = artifact(zeroFirstToken);
export const DAI_TOKEN: Artifact = artifact(daiToken);
export const MARKET_ROUTER: Artifact = artifact(marketRouter);
export const SWAP_POOL: Artifact = artifact(swapPool);
export const FEE_VAULT: Artifact = artifact(feeVault);
export const PERMIT2: Artifact = artifact(permit2);
export const WRAPPED_NATIVE: Artifact = artifact(wrappedNative);
export const INTENT_SETTLEMENT: Artifact = artifact(intentSettlement);
export const INTENT_BRIDGE_ESCROW: Artifact = artifact(intentBridgeEscrow);
export const INTENT_SPLITTER: Artifact = artifact(intentSplitter);
export const INTENT_SAVINGS: Artifact = artifact(intentSavings);
