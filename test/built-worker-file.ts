/** In the tests the journal's threads are those of the build: from their sources each would be compiled at its start. */
export function workerFile(thread: 'writer' | 'reader'): URL {
  return new URL(`../out/main/journal-${thread}.js`, import.meta.url);
}
