/** Builds when a source changed, came or went since the last build. Throws a sentence when the build fails. */
export function ensureBuilt(): Promise<void>;
