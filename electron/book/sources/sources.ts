import type { ChainConfig } from '../../contract/desk-file.ts';
import { REFERENCE_URL, type SourceConfig } from '../../contract/sources.ts';
import { exchange } from './exchange/source.ts';
import { http } from './http/source.ts';
import { push } from './push/source.ts';
import { router } from './router/source.ts';
import type { Source } from './source.ts';
import { websocket } from './websocket/source.ts';

/** Where prices can come from. */
const SOURCES: readonly Source[] = [http, websocket, exchange, router, push];

export const SOURCE_KINDS: readonly string[] = SOURCES.map(({ kind }) => kind);

/** How a source of these settings is heard; undefined for a kind that this desk does not have. */
export function sourceFor({ kind }: SourceConfig): Source | undefined {
  return SOURCES.find((source) => source.kind === kind);
}

/** The sources of a chain, by name: those that are listed, and what its `referenceUrl` is. */
export function sourcesOf({
  referenceUrl,
  sources = {},
}: Pick<ChainConfig, 'referenceUrl' | 'sources'>): ReadonlyMap<string, SourceConfig> {
  const listed = Object.entries(sources);
  if (referenceUrl === null) return new Map(listed);
  return new Map([[REFERENCE_URL, { kind: http.kind, url: referenceUrl }], ...listed]);
}
