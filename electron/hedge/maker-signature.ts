import { encodeFunctionData } from 'viem';
import { ERC1271_ABI, ERC1271_WORD } from '../chain/erc1271-abi.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { inForm } from '../protocol/signing-form.ts';
import { type ToSign, typedToSign } from '../protocol/typed-data.ts';
import type { Signer } from '../signer/signer.ts';
import type { HedgeNode } from './hedge-node.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';

interface Signing {
  parts: Pick<HedgeParts, 'book' | 'signerFor'>;
  node: (chainId: number) => HedgeNode;
}

/** The key that signs for a maker: its own, or that of the chain's signer where the maker is a contract. Null when it is not held. */
export function keyFor({ book, signerFor }: Signing['parts'], chainId: number, maker: Address): Signer | null {
  const { config } = chainOf({ book }, chainId);
  return signerFor(maker) ?? (maker === config.maker ? signerFor(config.signer) : null);
}

/** Whether the maker's own key is not held, so that it can only stand by what its contract accepts. */
export function isContractMaker({ signerFor }: Pick<HedgeParts, 'signerFor'>, maker: Address): boolean {
  return signerFor(maker) === null;
}

/**
 * Signs typed data for a maker. Of a contract the chain is asked first which signature it stands by: over the hash itself, or over
 * the hash wrapped as its message. Throws DeskError `no_key`, `contract_maker` where it accepts neither.
 */
export async function signForMaker(
  { parts, node }: Signing,
  { chainId, maker }: { chainId: number; maker: Address },
  toSign: ToSign,
): Promise<Hex> {
  const key = keyFor(parts, chainId, maker);
  if (key === null) throw new DeskError('no_key', `The key of ${maker} is not held by this desk.`);
  const signable = typedToSign(toSign);
  if (!isContractMaker(parts, maker)) return key.sign(signable);
  for (const form of ['raw', 'safe'] as const) {
    const signature = await key.sign(inForm(form, { chainId, maker }, signable));
    const data = encodeFunctionData({
      abi: ERC1271_ABI,
      functionName: 'isValidSignature',
      args: [signable.hash, signature],
    });
    const answer = await node(chainId)
      .client.call({ to: maker, data })
      .catch((error: unknown) => {
        // A contract that refuses may revert; a node that is away says nothing.
        if (/revert/i.test(String(error))) return { data: undefined };
        throw error;
      });
    if (answer.data === ERC1271_WORD) return signature;
  }
  throw new DeskError('contract_maker', `The maker contract ${maker} does not accept a signature of this desk’s key.`, {
    remedy: 'Make that key an owner of it whose signature alone is enough, or hedge on the market.',
  });
}
