import type { FirmRequestInput, Respond } from '../quoting/firm-input.ts';
import type { ServedGrid } from '../quoting/served-grid.ts';

/** One chain as the surface sees it. Its firm answers are on their way to the socket when `respond` returns. */
export type SurfaceChain = {
  readonly chainId: number;
  readonly basePath: string;
  served(): ServedGrid;
  firm(input: FirmRequestInput, respond: Respond): void;
};
