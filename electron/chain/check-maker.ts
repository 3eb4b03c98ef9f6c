import { encodeFunctionData, recoverAddress } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { ERC1271_ABI } from './erc1271-abi.ts';
import { bytesSchema } from './node-answers.ts';
import { type NodeClient, openNode, resultOf } from './node-client.ts';

export interface CheckedMaker {
  rpcUrl: string;
  maker: Address;
  signer: Address;
  sign: (hash: Hex) => Hex | Promise<Hex>;
  /** 32 random bytes, another each time. */
  randomHash: () => Hex;
  timeoutMs?: number;
}

/** What a contract must answer, exactly, for the RFQ contract to take a signature as its own. */
const MAGIC_WORD = `0x1626ba7e${'0'.repeat(56)}`;

/**
 * Checks that what our key signs binds the maker (spec 2.2, 2.3): either the maker is the signer, or it is a contract
 * that says so by EIP-1271 of a random hash, and does not say it of any other.
 */
export async function checkMaker(parts: CheckedMaker): Promise<ChainCheck[]> {
  const { rpcUrl, maker, signer, sign, randomHash, timeoutMs } = parts;
  const hash = randomHash();
  const signature = await sign(hash);
  const ours = await check('signer', () => recoversTo(signer, hash, signature));
  if (ours.outcome !== 'passed') return [ours];
  if (maker === signer) return [ours, { name: 'maker', outcome: 'passed', sentence: 'The maker signs for itself.' }];
  const node = openNode({ rpcUrl, timeoutMs });
  try {
    return [
      ours,
      await check('maker', () => acceptsOnly(node, maker, signer, { hash, other: randomHash(), signature })),
    ];
  } finally {
    node.close();
  }
}

async function recoversTo(signer: Address, hash: Hex, signature: Hex): Promise<string> {
  const recovered = await recoverAddress({ hash, signature }).catch(() => null);
  if (recovered?.toLowerCase() === signer) return `The key signs as ${signer}.`;
  throw checkFailed(
    `The key signs as ${recovered?.toLowerCase() ?? 'nobody'}, but signer in the desk file is ${signer}.`,
    'Import the right key, or correct the desk file.',
  );
}

async function acceptsOnly(
  node: NodeClient,
  maker: Address,
  signer: Address,
  { hash, other, signature }: { hash: Hex; other: Hex; signature: Hex },
): Promise<string> {
  const ask = (data: Hex) => ({ method: 'eth_call', params: [{ to: maker, data }, 'latest'] });
  const calldata = (of: Hex) =>
    encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [of, signature] });
  const [code, ours, wrong] = await node.ask([
    { method: 'eth_getCode', params: [maker, 'latest'] },
    ask(calldata(hash)),
    ask(calldata(other)),
  ]);
  if (resultOf(node, 'eth_getCode', code, bytesSchema) === '0x') {
    throw checkFailed(
      `The maker ${maker} is neither the signer ${signer} nor a contract.`,
      'Let signer be the maker, or name the contract that holds the funds as the maker.',
    );
  }
  const says = (answer: typeof ours) => {
    const reverted = answer?.ok === false && (answer.error.code === 3 || /revert/i.test(answer.error.message));
    return reverted ? null : resultOf(node, 'eth_call', answer, bytesSchema);
  };
  if (says(ours) !== MAGIC_WORD) {
    throw checkFailed(
      `The maker contract ${maker} does not accept signatures of ${signer} (EIP-1271).`,
      'Make that key an owner or signer of the contract, or correct maker and signer in the desk file.',
    );
  }
  if (says(wrong) === MAGIC_WORD) {
    throw checkFailed(
      `The maker contract ${maker} accepts a signature of another hash, so anybody could sign in its name.`,
      'Take its funds to a contract that checks signatures.',
    );
  }
  return `The maker contract ${maker} accepts signatures of ${signer}.`;
}
