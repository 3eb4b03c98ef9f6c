/** What is read, or worked out, from a record; null where that cannot be done, so that it takes no other along. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
