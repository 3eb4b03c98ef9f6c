/** The file of a thread: the source beside this one, or its bundle beside the chunk this one was built into. */
export function workerFile(thread: 'writer' | 'reader'): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`./${thread}-thread.ts`, import.meta.url)
    : new URL(`./journal-${thread}.js`, import.meta.url);
}
