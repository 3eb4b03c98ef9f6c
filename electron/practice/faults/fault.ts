/** Something that goes wrong on demand. Both calls resolve once it is so; neither is called twice in a row. */
export interface Fault {
  /** As the command line calls it. */
  readonly name: string;
  /** What it does while it is on, one sentence. */
  readonly says: string;
  /** Happens at a moment and is over: it has no `off`. */
  readonly once: boolean;
  /** Answers what is the case now, for the log. */
  on(request: FaultRequest): Promise<string>;
  off(): Promise<string>;
}

export interface FaultRequest {
  /** How many blocks a reorganisation takes back, 1 to 64. */
  depth?: number | undefined;
}

export interface FaultState {
  name: string;
  says: string;
  once: boolean;
  on: boolean;
  /** Unix milliseconds: since when it is on; of one that happens once, when it last happened. */
  since: number | null;
}
