import presets from '../../resources/networks/presets.json';

/** A network that the desk knows the public addresses of. */
export type NetworkPreset = (typeof presets)[number];

export const NETWORKS: readonly NetworkPreset[] = presets;
