import presets from '../../resources/networks/presets.json' with { type: 'json' };
import type { Address } from '../protocol/address.ts';

/** Contracts of the service that are public on a network; null where none is known. */
export interface NetworkPreset {
  router: Address | null;
  intentContract: Address | null;
  permit2: Address | null;
  takers: readonly Address[];
  /** Tokens that everybody knows by their addresses. */
  tokens: readonly Address[];
}

/** What is known of a chain without anybody having said it; of an unknown chain, nothing. */
export function presetOf(chainId: number): NetworkPreset {
  const preset = presets.find((network) => network.chainId === chainId);
  return {
    router: known(preset?.router),
    intentContract: known(preset?.intentContract),
    permit2: known(preset?.permit2),
    takers: (preset?.takers ?? []).map(lowerCase),
    tokens: (preset?.wellKnown ?? []).map(lowerCase),
  };
}

function known(address: string | undefined): Address | null {
  return address === undefined ? null : lowerCase(address);
}

function lowerCase(address: string): Address {
  return address.toLowerCase() as Address;
}
