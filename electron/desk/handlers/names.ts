import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** What people call users and counterparties. */
export function nameHandlers({ names }: Pick<Rooms, 'names'>) {
  return {
    list: os.names.list.handler(() => [...names.list()]),
    watch: os.names.watch.handler(({ signal }) => names.watch(signal)),
    set: os.names.set.handler(({ input: { name, seen, ...named }, context: { actor } }) =>
      names.set(named, { name, seen, actor }),
    ),
  };
}
