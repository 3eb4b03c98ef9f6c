import { z } from 'zod';
import { type MarketView, marketView } from '../../../electron/practice/takers/market-view.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import { pairSchema, priceEntrySchema, tokenSchema } from '../../../electron/protocol/wire.ts';
import template from '../../../resources/practice-desk.json' with { type: 'json' };

const [chain] = template.chains;
const addressAt = (index: number): Address => `0x${`${index + 1}`.padStart(40, '0')}`;

/** The practice desk's first chain, as a service would have it cached, its tokens at addresses of chance. */
export const CACHED = {
  tokens: z
    .record(z.string(), tokenSchema)
    .parse(
      Object.fromEntries(
        Object.entries(chain?.tokens ?? {}).map(([id, token], index) => [id, { ...token, address: addressAt(index) }]),
      ),
    ),
  pairs: z.record(z.string(), pairSchema).parse(chain?.pairs),
  prices: z.record(z.string(), priceEntrySchema).parse(chain?.prices),
  blacklist: new Set<Address>(),
};

/** What users see of it; `changes` are made to the cache first. */
export function practiceView(
  options: { changes?: Partial<typeof CACHED>; restricted?: string[]; mids?: Record<string, string> } = {},
): MarketView {
  const cached = { ...CACHED, ...options.changes };
  return marketView({
    cached,
    held: new Set(Object.values(CACHED.tokens).map(({ address }) => address)),
    isRestricted: (pairId) => options.restricted?.includes(pairId) ?? false,
    referenceMid: (pairId) => options.mids?.[pairId] ?? null,
  });
}
