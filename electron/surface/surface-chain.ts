import type { RefusalCode } from '../contract/refusal.ts';
import type { Address } from '../protocol/address.ts';
import type { Pair, PriceEntry, Token } from '../protocol/wire.ts';

/** What one chain serves at one moment. Never changed once given out: the next moment is a new object. */
export type ServedGrid = {
  readonly tokens: Readonly<Record<string, Token>>;
  readonly pairs: Readonly<Record<string, Pair>>;
  readonly prices: Readonly<Record<string, PriceEntry>>;
  readonly blacklist: readonly Address[];
  /** Why /prices answers an error and the WebSocket is closed, or null. */
  readonly closed: RefusalCode | null;
};

export type FirmRequestInput = {
  chainId: number;
  body: Buffer;
  /** Domain of the counterparty that signed the request; null without authentication. */
  counterparty: string | null;
  /** Unix milliseconds. */
  receivedAt: number;
  receivedMonotonic: number;
};

/** One chain as the surface sees it. */
export type SurfaceChain = {
  readonly chainId: number;
  readonly basePath: string;
  served(): ServedGrid;
  /** `respond` is called once; what it is given is on its way to the socket when it returns. */
  firm(input: FirmRequestInput, respond: (answer: { status: number; body: string }) => void): void;
};
