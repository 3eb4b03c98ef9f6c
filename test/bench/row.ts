import type { Bench } from './workbench.ts';

/** What was measured against one target of the design. */
export interface Line {
  measured: string;
  /** What it is held against, measured in the same run; a dash where the target is absolute. */
  baseline: string;
  target: string;
  met: boolean;
  /** The figures behind it, for the JSON. */
  figures: Record<string, unknown>;
}

/** A row of the design's table. */
export interface Row {
  /** As `npm run bench -- NAME` knows it. */
  name: string;
  what: string;
  /** A line for each target of the row. Throws when it cannot be run. */
  run(bench: Bench): Promise<Line[]>;
}
