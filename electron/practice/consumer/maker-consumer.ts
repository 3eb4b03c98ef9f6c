import type { CachedMaker } from './cached-maker.ts';
import type { ConsumerStatus, Restriction } from './consumer-status.ts';
import type { FirmAsk, FirmOutcome } from './firm-ask.ts';

/** The service's side of one maker's surface on one chain. */
export interface MakerConsumer {
  /** Null while the maker is disabled, or nothing is fresh, or tokens and pairs were not read yet. */
  cached(): CachedMaker | null;
  isRestricted(pairId: string): Restriction | null;
  /** Asks the maker, checks the answer, and draws the consequences. Never throws. */
  firm(ask: FirmAsk, signal: AbortSignal): Promise<FirmOutcome>;
  status(): ConsumerStatus;
  close(): Promise<void>;
}
