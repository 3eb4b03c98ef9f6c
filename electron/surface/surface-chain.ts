import type { FirmRequestInput, Respond } from '../quoting/firm-input.ts';
import type { ServedGrid } from '../quoting/served-grid.ts';

/** One chain as the surface sees it. Its firm answers are on their way to the socket when `respond` returns. */
export type SurfaceChain = {
  readonly chainId: number;
  readonly basePath: string;
  /** Prices that stand still go over the feed again before they are so old; 0: never. */
  readonly feedMaxAgeSeconds: number;
  served(): ServedGrid;
  firm(input: FirmRequestInput, respond: Respond): void;
};
