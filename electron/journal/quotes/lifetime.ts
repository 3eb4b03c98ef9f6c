import type { Database } from 'better-sqlite3';

/** The longest that a chain's settings may let a quote live, seconds. */
export const LONGEST_LIFETIME_SECONDS = 3_600;

/** Asks for the longest that the settings of a chain let a quote live, seconds; null where no settings can be read. */
export function quoteLifetime(db: Database): () => number | null {
  const longest = db
    .prepare<[], number | null>(`SELECT max(config ->> '$.quoteLifetimeSeconds') FROM chains WHERE json_valid(config)`)
    .pluck();
  return () => {
    const seconds = longest.get() ?? null;
    return seconds === null ? null : Math.min(seconds, LONGEST_LIFETIME_SECONDS);
  };
}
