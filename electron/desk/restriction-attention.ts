import type { ChainBook } from '../book/chain-book.ts';
import type { Attention } from '../contract/desk-view.ts';
import { isoTime } from '../contract/names.ts';
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
  const until = (time: number) => `${isoTime(time).slice(11, 16)} UTC`;
  const named = found.slice(0, NAMED).map((one) => `${one.pair} until ${until(one.until)}`);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  const what = found.length === 1 ? first.pair : `${found.length} pairs`;
  return [
    {
      code: `restricted ${chainId}`,
      level: 'note',
      title: `The service probably skips ${what} on ${config.name}`,
      detail: `${named.join(', ')}${more}, after a firm request it got no order for. It asks again by itself.`,
      action: { kind: 'page', page: 'service' },
    },
  ];
}
