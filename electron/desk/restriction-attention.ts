import type { ChainBook } from '../book/chain-book.ts';
import type { Attention } from '../contract/desk-view.ts';
import { isoTime } from '../contract/names.ts';
import type { RefusalCode } from '../contract/refusal.ts';
import type { Outside } from './outside.ts';

const NAMED = 3;

/** Pairs that the service probably skips: so that it is known, since nothing mends it but time. */
export function restrictionAttention(
  { restrictions }: { restrictions: Pick<Outside['restrictions'], 'list'> },
  { chainId, config }: Pick<ChainBook, 'chainId' | 'config'>,
): Attention[] {
  const found = restrictions.list(chainId);
  const [first] = found;
  if (first === undefined) return [];
  const clock = (time: number) => `${isoTime(time).slice(11, 16)} UTC`;
  const named = found.slice(0, NAMED).map(({ pair, until, at, code }) => {
    const why = whyOf(code, clock(at));
    // The title names the only one.
    return `${found.length === 1 ? 'Until' : `${pair} until`} ${clock(until)}: ${why}`;
  });
  const more = found.length > NAMED ? `; and ${found.length - NAMED} more` : '';
  const what = found.length === 1 ? first.pair : `${found.length} pairs`;
  return [
    {
      code: `restricted ${chainId}`,
      level: 'note',
      title: `The service probably skips ${what} on ${config.name}`,
      detail: `${named.join('; ')}${more}. Its requests are missing meanwhile. Nothing to do: it asks again by itself.`,
      action: { kind: 'page', page: 'service' },
    },
  ];
}

/** `code` is null where the answer came too late. A blacklisted user is answered, with no order in it. */
function whyOf(code: RefusalCode | null, at: string): string {
  if (code === null) return `our answer at ${at} came too late`;
  if (code === 'blacklisted') return `a blacklisted user got no order at ${at}`;
  return `we refused ${code} at ${at}`;
}
