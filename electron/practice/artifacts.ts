import type { Abi } from 'viem';
import contractMaker from '../../resources/contracts/built/ContractMaker.json' with { type: 'json' };
import rfqExecutor from '../../resources/contracts/built/RfqExecutor.json' with { type: 'json' };
import rfqSettlement from '../../resources/contracts/built/RfqSettlement.json' with { type: 'json' };
import testToken from '../../resources/contracts/built/TestToken.json' with { type: 'json' };
import type { Hex } from '../protocol/address.ts';

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
