import type { Address, Hex } from './address.ts';
import { keccak } from './keccak.ts';
import type { Signable } from './signable.ts';
import { addressWord, hashText, typedHash, word } from './typed-words.ts';

/**
 * What the key of a maker signs of an order: `raw` the order's hash, as an account and plain contract makers have it;
 * `safe` that hash wrapped as a message of the maker contract, as wallets of the Safe kind have it.
 */
export type SigningForm = 'raw' | 'safe';

const SAFE_DOMAIN_TYPE_HASH = hashText('EIP712Domain(uint256 chainId,address verifyingContract)');
const SAFE_MESSAGE_TYPE_HASH = hashText('SafeMessage(bytes message)');

/**
 * The hash under the signature that makes `isValidSignature(hash, signature)` of the maker (EIP-1271; PROTOCOL 2.2, 2.3) say yes.
 * Wrapped, it is the EIP-712 hash of `SafeMessage(bytes message)` in the domain of the wallet and its chain, where the
 * message is the 32 bytes of `hash`.
 */
export function hashToSign(form: SigningForm, { chainId, maker }: { chainId: number; maker: Address }, hash: Hex): Hex {
  if (form === 'raw') return hash;
  const domain = SAFE_DOMAIN_TYPE_HASH + word(BigInt(chainId), 'chainId') + addressWord(maker, 'maker');
  const separator: Hex = `0x${keccak(Buffer.from(domain, 'hex'))}`;
  return typedHash(separator, SAFE_MESSAGE_TYPE_HASH + keccak(Buffer.from(hash.slice(2), 'hex')));
}

/**
 * What the key signs in that form.
 *
 * @example
 * signer.sign(inForm('safe', { chainId: 1, maker }, orderToSign(domain, order)))
 */
export function inForm(
  form: SigningForm,
  { chainId, maker }: { chainId: number; maker: Address },
  signable: Signable,
): Signable {
  if (form === 'raw') return signable;
  const typedData = {
    domain: { chainId, verifyingContract: maker },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: signable.hash },
  };
  return { hash: hashToSign(form, { chainId, maker }, signable.hash), whole: () => ({ typedData }) };
}
