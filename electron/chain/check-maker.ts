import { encodeFunctionData, recoverAddress } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { keyProbe } from '../protocol/key-probe.ts';
import type { Signable } from '../protocol/signable.ts';
import { inForm, type SigningForm } from '../protocol/signing-form.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { ERC1271_ABI, ERC1271_WORD } from './erc1271-abi.ts';
import { bytesSchema } from './node-answers.ts';
import { type NodeClient, openNode, resultOf } from './node-client.ts';
import { revertReason } from './revert.ts';

export interface CheckedMaker {
  rpcUrl: string;
  spareRpcUrls?: readonly string[] | undefined;
  chainId: number;
  maker: Address;
  signer: Address;
  sign: (signable: Signable) => Hex | Promise<Hex>;
  /** 32 random bytes, another each time. */
  randomHash: () => Hex;
  timeoutMs?: number;
}

export interface MakerCheck {
  checks: ChainCheck[];
  /** What the key has to sign for the maker to stand by it; null unless that was found out. */
  form: SigningForm | null;
}

/**
 * Checks that what our key signs binds the maker (PROTOCOL 2.2, 2.3): either the maker is the signer, or it is a contract
 * that says so by EIP-1271 of a random probe, and does not say it of any other. The contract decides whether it is the
 * hash itself that has to be signed, or the hash wrapped as a message of the contract.
 */
export async function checkMaker(parts: CheckedMaker): Promise<MakerCheck> {
  const { maker, signer, sign, randomHash } = parts;
  const probe = keyProbe(randomHash());
  const signature = await sign(probe);
  const ours = await check('signer', () => recoversTo(signer, probe.hash, signature));
  if (ours.outcome !== 'passed') return { checks: [ours], form: null };
  if (maker === signer) {
    return { checks: [ours, await check('maker', async () => 'The maker signs for itself.')], form: 'raw' };
  }
  const node = openNode(parts);
  try {
    let form: SigningForm | null = null;
    const accepted = await check('maker', async () => {
      form = await formOf(node, parts);
      const wrapped = form === 'safe' ? ', wrapped as messages of the contract' : '';
      return `The maker contract ${maker} accepts signatures of ${signer}${wrapped}.`;
    });
    return { checks: [ours, accepted], form };
  } finally {
    node.close();
  }
}

async function recoversTo(signer: Address, hash: Hex, signature: Hex): Promise<string> {
  const recovered = await recoverAddress({ hash, signature }).catch(() => null);
  if (recovered?.toLowerCase() === signer) return `The key signs as ${signer}.`;
  throw checkFailed(
    `The key signs as ${recovered?.toLowerCase() ?? 'nobody'}, but the chain names ${signer} as its signer.`,
    'Import the right key, or correct the desk file.',
  );
}

/** The form of signature that the maker contract accepts. Throws when that is none, or one of anything. */
async function formOf(
  node: NodeClient,
  { chainId, maker, signer, sign, randomHash }: CheckedMaker,
): Promise<SigningForm> {
  const [probe, other] = [keyProbe(randomHash()), keyProbe(randomHash())];
  const forms: SigningForm[] = ['raw', 'safe'];
  const signed = await Promise.all(forms.map(async (form) => sign(inForm(form, { chainId, maker }, probe))));
  const ask = (of: Hex, signature: Hex) => {
    const data = encodeFunctionData({ abi: ERC1271_ABI, functionName: 'isValidSignature', args: [of, signature] });
    return { method: 'eth_call', params: [{ to: maker, data }, 'latest'] };
  };
  const [code, ...answers] = await node.ask([
    { method: 'eth_getCode', params: [maker, 'latest'] },
    ...[probe.hash, other.hash].flatMap((of) => signed.map((signature) => ask(of, signature))),
  ]);
  if (resultOf(node, 'eth_getCode', code, bytesSchema) === '0x') {
    throw checkFailed(
      `The maker ${maker} is neither the signer ${signer} nor a contract.`,
      'Let the signer be the maker, or name the contract that holds the funds as the maker.',
    );
  }
  const accepted = answers.map(
    (answer) => revertReason(answer) === null && resultOf(node, 'eth_call', answer, bytesSchema) === ERC1271_WORD,
  );
  const form = forms.find((_, index) => accepted[index]);
  if (form === undefined) {
    throw checkFailed(
      `The maker contract ${maker} does not accept signatures of ${signer} (EIP-1271), wrapped as its messages or not.`,
      'Make that key an owner or signer of the contract whose signature alone is enough, or correct the maker or the signer ' +
        'under Settings, Chains.',
    );
  }
  if (accepted.slice(forms.length).includes(true)) {
    throw checkFailed(
      `The maker contract ${maker} accepts a signature of another hash, so anybody could sign in its name.`,
      'Take its funds to a contract that checks signatures.',
    );
  }
  return form;
}
