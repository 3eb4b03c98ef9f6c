import { presetOf } from '../book/network-preset.ts';
import type { ChainConfig } from '../contract/desk-file.ts';
import { type Preparation, SERVICE_CONTRACTS, type ServiceContract } from '../contract/hedge.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Spender } from '../service/spender.ts';
import { chainOf, type HedgeParts } from './hedge-parts.ts';

/** Where Permit2 is on nearly every chain that has it. What is there has to prove itself before anything is signed for it. */
const USUAL_PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/** The contract of the service that may be given tokens on a chain: what a person has set, else what its network's preset says. */
export function pinnedOf(
  config: Pick<ChainConfig, 'chainId' | ServiceContract['field']>,
  { field }: Pick<ServiceContract, 'field'>,
): Address | null {
  return config[field] ?? presetOf(config.chainId)[field];
}

/** Permit2 on a chain, in the same way. */
export function permit2Of(config: Pick<ChainConfig, 'chainId' | 'permit2'>): Address {
  return config.permit2 ?? presetOf(config.chainId).permit2 ?? USUAL_PERMIT2;
}

/** A contract that the service names and nobody has confirmed; with what is pinned instead, null where nothing is. */
export type Unpinned = NonNullable<Preparation['unpinned']>;

/** What keeps a contract from being given anything; null when it is the pinned one, and where the service named none. */
export function unpinnedOf(parts: Pick<HedgeParts, 'book'>, chainId: number, spender: Spender | null): Unpinned | null {
  if (spender === null || spender.mode === 'rfq') return null;
  const pinned = pinnedOf(chainOf(parts, chainId).config, SERVICE_CONTRACTS[spender.mode]);
  return pinned === spender.address ? null : { mode: spender.mode, address: spender.address, pinned };
}

/** Nothing is approved, signed, sent or handed out for another contract than the pinned one. Throws DeskError `unpinned_contract`. */
export function expectPinned(parts: Pick<HedgeParts, 'book'>, chainId: number, spender: Spender | null): void {
  const unpinned = unpinnedOf(parts, chainId, spender);
  if (unpinned !== null) throw unpinnedFault(chainId, unpinned);
}

export function unpinnedFault(chainId: number, { mode, address, pinned }: Unpinned): DeskError {
  const known = pinned === null ? 'none is known for this chain' : `${pinned} is the one that is known`;
  return new DeskError(
    'unpinned_contract',
    `The service names ${address} as its ${SERVICE_CONTRACTS[mode].name} on chain ${chainId}, and ${known}.`,
    {
      remedy: 'Compare the address with what the service publishes, then confirm it on the Hedge page or in Settings.',
    },
  );
}
