import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { Settings } from '../settings/use-settings.ts';

/** What each step is given of the desk as it is set up so far. */
export interface SetUp {
  settings: Settings;
  /** The chain that is set up; null before there is one. */
  chain: SetUpChain | null;
  signer: string | null;
  /** Something was saved: it is read anew. */
  onChanged: () => void;
  /** A chain was added, whose steps are to be shown. */
  onChain: (chainId: number) => void;
}

export interface SetUpOnChain extends SetUp {
  chain: SetUpChain;
}
