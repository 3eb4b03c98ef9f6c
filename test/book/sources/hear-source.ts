import { onTestFinished } from 'vitest';
import { PushedReferences } from '../../../electron/book/pushed-references.ts';
import { HeardSource } from '../../../electron/book/sources/heard-source.ts';
import type { Source, SourceRun } from '../../../electron/book/sources/source.ts';
import type { SourceConfig } from '../../../electron/contract/sources.ts';
import { noService } from '../../quoting/open-desk.ts';

/** The clock of these tests stands still here. */
export const NOW = 1_000_000;

/** Hears a source until the test is over. */
export function hearSource(
  source: Source,
  config: Omit<SourceConfig, 'kind'> & { pairs: object },
  parts: Partial<SourceRun> = {},
) {
  const now = () => NOW;
  const { kind } = source;
  const heard = new HeardSource({ chainId: 31337, name: 'feed', kind, url: null }, { now });
  const stop = new AbortController();
  const ended = source.run(
    { kind, ...config },
    {
      heard,
      who: 'The source feed',
      now,
      signal: stop.signal,
      whole: (url) => url,
      pair: () => undefined,
      service: noService,
      pushed: new PushedReferences(),
      ...parts,
    },
  );
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { heard, stop, ended, line: () => heard.line(Object.keys(config.pairs)) };
}
