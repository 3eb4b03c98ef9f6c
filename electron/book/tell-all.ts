export type BookLog = (message: string, details: Record<string, unknown>) => void;

/** Tells every listener. One that throws keeps neither the others from hearing nor the book from going on. */
export function tellAll<T>(listeners: Iterable<(value: T) => void>, value: T, log: BookLog): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      log('a listener of the book failed', { error: error instanceof Error ? error.stack : String(error) });
    }
  }
}
