import type { ChainConfig } from '../contract/desk-file.ts';
import { hasSecretPart, markOf, sealedForm, type WithUrls, withUrls } from '../contract/sealed-url.ts';
import { fingerprint } from '../signer/secrets.ts';

/** Whole URLs of the nodes of a chain. */
export interface ChainNodes {
  rpcUrl: string;
  spareRpcUrls: readonly string[] | undefined;
}

/**
 * What is behind the sealed URLs of chains, in memory only. Everywhere else a URL with a key in it stands as its origin and a
 * mark; whoever opens a connection asks here for the whole of it.
 */
export class UrlSeals {
  readonly #whole = new Map<string, string>();

  /** Takes up whole URLs, by mark. */
  learn(urls: Readonly<Record<string, string>>): void {
    for (const [mark, url] of Object.entries(urls)) this.#whole.set(mark, url);
  }

  /** The URL to connect to. One that is open is it already; a sealed one of which nothing is known, or of another origin, stays sealed. */
  whole(url: string): string {
    const mark = markOf(url);
    const known = mark === null ? undefined : this.#whole.get(mark);
    return known !== undefined && new URL(known).origin === new URL(url).origin ? known : url;
  }

  /** Where the node of a chain is asked, and where in its place while that fails. */
  nodes({ rpcUrl, spareRpcUrls }: Pick<ChainConfig, 'rpcUrl' | 'spareRpcUrls'>): ChainNodes {
    return { rpcUrl: this.whole(rpcUrl), spareRpcUrls: spareRpcUrls?.map((url) => this.whole(url)) };
  }

  /** Every whole URL that is known, by mark. */
  known(): Record<string, string> {
    return Object.fromEntries(this.#whole);
  }
}

/** A chain's settings without keys in their URLs, and the whole of what was sealed, by mark. */
export function sealChain<C extends WithUrls>(settings: C): { sealed: C; urls: Record<string, string> } {
  const urls: Record<string, string> = {};
  const sealed = withUrls(settings, (url, of) => {
    if (!hasSecretPart(of, url)) return url;
    const mark = fingerprint(url);
    urls[mark] = url;
    return sealedForm(url, mark);
  });
  return { sealed, urls };
}
