export type BookLog = (message: string, details: Record<string, unknown>) => void;

/** Where an error comes from, for the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
