import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** The filters that whoever asks saved. */
export function savedFilterHandlers({ filters }: Pick<Rooms, 'filters'>) {
  return {
    watch: os.savedFilters.watch.handler(({ input: { page }, context: { actor }, signal }) =>
      filters.watch({ actor, page }, signal),
    ),
    save: os.savedFilters.save.handler(async ({ input: { page, filter }, context: { actor } }) => {
      await filters.save({ actor, page }, filter);
      return {};
    }),
    rename: os.savedFilters.rename.handler(async ({ input: { page, from, to }, context: { actor } }) => {
      await filters.rename({ actor, page }, from, to);
      return {};
    }),
    remove: os.savedFilters.remove.handler(async ({ input: { page, name }, context: { actor } }) => {
      await filters.remove({ actor, page }, name);
      return {};
    }),
  };
}
