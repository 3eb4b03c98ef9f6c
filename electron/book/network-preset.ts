import presets from '../../resources/networks/presets.json' with { type: 'json' };
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';

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

/** A chain of a desk file as far as it is public: the service, its contracts and its execution contracts. */
export type PresetChain = Omit<(typeof presets)[number], 'wellKnown'>;

/** The network of this name or chain id. Throws DeskError `unknown_chain`, which says the names that there are. */
export function networkNamed(text: string): PresetChain {
  const wanted = text.trim().toLowerCase();
  const preset = presets.find(({ name, chainId }) => [name.toLowerCase(), `${chainId}`].includes(wanted));
  if (preset === undefined) {
    throw new DeskError('unknown_chain', `There is no preset for the network “${text.slice(0, 80)}”.`, {
      remedy: `Name one of these, or its chain id: ${presets.map(({ name }) => name).join(', ')}.`,
    });
  }
  const { wellKnown: _, ...chain } = preset;
  return chain;
}

function known(address: string | undefined): Address | null {
  return address === undefined ? null : lowerCase(address);
}

function lowerCase(address: string): Address {
  return address.toLowerCase() as Address;
}
