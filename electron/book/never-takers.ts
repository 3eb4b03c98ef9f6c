import type { ChainConfig } from '../contract/desk-file.ts';
import { type Address, ZERO_ADDRESS } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import { presetOf } from './network-preset.ts';

export type OwnContracts = Pick<ChainConfig, 'chainId' | 'maker' | 'signer' | 'rfqContract'> & {
  intentContract?: Address | null | undefined;
};

/**
 * The addresses of a chain that no order may name as its taker or its user, with what each is. An order for one of them
 * would be filled by ourselves, by nobody, or by whoever gets a contract of the trade to call.
 */
export function neverTakers(
  config: OwnContracts,
  tokens: Iterable<readonly [string, Pick<Token, 'address'>]>,
): ReadonlyMap<Address, string> {
  const never = new Map<Address, string>();
  for (const [id, { address }] of tokens) never.set(address, `the token ${id}`);
  const intentContract = config.intentContract ?? presetOf(config.chainId).intentContract;
  if (intentContract !== null) never.set(intentContract, 'the intent contract');
  never.set(config.rfqContract, 'the RFQ contract');
  never.set(config.signer, 'the signer');
  never.set(config.maker, 'the maker');
  never.set(ZERO_ADDRESS, 'the zero address, with which anybody may fill');
  return never;
}
