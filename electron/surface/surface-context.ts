import type { Heartbeat } from '../contract/desk-view.ts';
import type { Counterparty } from '../protocol/hmac.ts';
import type { Connections } from './connections.ts';
import type { RouteTable } from './route-table.ts';

/** One request for an endpoint of a chain. `skewMs`: the service's clock minus ours, null when it did not sign. */
export type Beat = Heartbeat & { chainId: number; skewMs: number | null };

/** A request that was signed as it should be, and came from an address that its counterparty may not ask from; null: it could not be told. */
export type FromElsewhere = { domain: string; address: string | null; at: number };

/** A request that was signed with keys that newer ones took the place of, and that are still taken. Unix milliseconds. */
export type EarlierUse = { domain: string; at: number };

/** What the parts of a surface share. */
export type SurfaceContext = {
  readonly routes: RouteTable;
  readonly counterparties: () => ReadonlyMap<string, Counterparty>;
  /** Names that an unsigned surface answers to beside those of loopback, lower case. */
  readonly names: () => readonly string[];
  readonly connections: Connections;
  /** True when nobody may come in unsigned, even with no counterparty configured. */
  readonly mustSign: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly onHeartbeat: (beat: Beat) => void;
  readonly onElsewhere: (refused: FromElsewhere) => void;
  readonly onEarlierKeys: (use: EarlierUse) => void;
  readonly log: { warn(line: string, facts?: Record<string, unknown>): void };
};
