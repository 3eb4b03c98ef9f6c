import type { ChainConfig } from './desk-file.ts';

/** The URLs that a chain is configured with. */
const CHAIN_URLS = ['rpcUrl', 'secondRpcUrl', 'serviceUrl', 'referenceUrl'] as const;
type ChainUrl = (typeof CHAIN_URLS)[number];
/** What a URL is of: a chain's own setting, one of its spare nodes, or one of its sources. */
type UrlOf = ChainUrl | 'spareRpcUrls' | 'source';
/** A chain's settings as far as they have URLs. */
export type WithUrls = Pick<ChainConfig, ChainUrl | 'spareRpcUrls' | 'sources'>;

const SEAL = '#sealed-';
const MARK = /^[0-9a-f]{16}$/;

/**
 * Whether a URL carries what may be a key: user info, a query, a fragment, and with a node's also a path, since hosted nodes
 * have their keys there. One that is sealed carries none.
 */
export function hasSecretPart(field: UrlOf, url: string): boolean {
  if (!URL.canParse(url) || markOf(url) !== null) return false;
  const { username, password, pathname, search, hash } = new URL(url);
  const isNode = field === 'rpcUrl' || field === 'spareRpcUrls' || field === 'secondRpcUrl';
  const path = isNode && pathname !== '/' ? pathname : '';
  return `${username}${password}${search}${hash}${path}` !== '';
}

/** A URL as it may be shown and written down: its origin, and a mark by which the whole of it is found again. */
export function sealedForm(url: string, mark: string): string {
  return `${new URL(url).origin}/${SEAL}${mark}`;
}

/** The mark of a sealed URL; null where it is open. */
export function markOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, hash } = new URL(url);
  const mark = hash.slice(SEAL.length);
  return MARK.test(mark) && url === `${origin}/${SEAL}${mark}` ? mark : null;
}

/** Whether a URL was made from a sealed one: what is behind the seal is not at hand. */
export function isSealed(url: string): boolean {
  return URL.canParse(url) && new URL(url).hash.startsWith(SEAL);
}

/** A chain's settings with each of its URLs put through `change`. */
export function withUrls<C extends WithUrls>(chain: C, change: (url: string, of: UrlOf) => string): C {
  const { rpcUrl, spareRpcUrls, secondRpcUrl, serviceUrl, referenceUrl, sources } = chain;
  return {
    ...chain,
    rpcUrl: change(rpcUrl, 'rpcUrl'),
    ...(spareRpcUrls !== undefined && { spareRpcUrls: spareRpcUrls.map((url) => change(url, 'spareRpcUrls')) }),
    ...(secondRpcUrl != null && { secondRpcUrl: change(secondRpcUrl, 'secondRpcUrl') }),
    serviceUrl: serviceUrl === null ? null : change(serviceUrl, 'serviceUrl'),
    referenceUrl: referenceUrl === null ? null : change(referenceUrl, 'referenceUrl'),
    ...(sources !== undefined && {
      sources: Object.fromEntries(
        Object.entries(sources).map(([name, source]) => [
          name,
          source.url === undefined ? source : { ...source, url: change(source.url, 'source') },
        ]),
      ),
    }),
  };
}

/** Every URL of a chain's settings, with its place in them. */
export function urlsOf(chain: WithUrls): { path: string; url: string; of: UrlOf }[] {
  const own = CHAIN_URLS.flatMap((field) => {
    const url = chain[field];
    return url == null ? [] : [{ path: field as string, url, of: field as UrlOf }];
  });
  const spares = (chain.spareRpcUrls ?? []).map((url, index) => ({
    path: `spareRpcUrls[${index}]`,
    url,
    of: 'spareRpcUrls' as const,
  }));
  const ofSources = Object.entries(chain.sources ?? {}).flatMap(([name, { url }]) =>
    url === undefined ? [] : [{ path: `sources.${name}.url`, url, of: 'source' as const }],
  );
  return [...own, ...spares, ...ofSources];
}

/** What of a URL may be a key, part by part. */
export function partsOf(url: string): { login: string[]; path: string[]; query: string[] } {
  const { username, password, pathname, searchParams } = new URL(url);
  return {
    login: [username, password].map(decoded),
    path: pathname.split('/').flatMap((part) => [part, decoded(part)]),
    query: [...searchParams.values()],
  };
}

/** Shorter parts are words, such as "v2" and "rpc". */
const SHORTEST_KEY = 5;

/** What was said, without these keys: some that are asked repeat in an error what they were asked with. */
export function withoutKeys(keys: readonly string[], said: string): string {
  const longestFirst = keys.filter(({ length }) => length >= SHORTEST_KEY).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((text, key) => text.replaceAll(key, '…'), said);
}

/** What was said, with each URL in it told by its origin alone: the rest may hold a key. Files of this machine are told whole. */
export function withoutUrlKeys(said: string): string {
  return said.replaceAll(/\b(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>\\]+/gi, (url) => {
    if (markOf(url) !== null) return url;
    const { protocol, host } = URL.canParse(url)
      ? new URL(url)
      : { protocol: url.slice(0, url.indexOf(':') + 1), host: '' };
    const origin = `${protocol}//${host}`;
    return url === origin || url === `${origin}/` ? url : `${origin}/…`;
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
