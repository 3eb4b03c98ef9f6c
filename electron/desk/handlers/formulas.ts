import { DeskError } from '../../protocol/desk-error.ts';
import { formulaRows, triedFormula } from '../formula-rows.ts';
import type { ReferencePolls } from '../reference-polls.ts';
import type { Rooms } from '../rooms.ts';
import { os } from './base.ts';

/** The desk's own prices. */
export function formulaHandlers(
  { book, now }: Pick<Rooms, 'book' | 'now'>,
  references: Pick<ReferencePolls, 'inputs' | 'references'>,
) {
  const parts = { book, now, references };
  return {
    list: os.formulas.list.handler(({ input: { chainId, pair } }) =>
      book
        .chains()
        .filter((chain) => chainId === undefined || chain.chainId === chainId)
        .flatMap((chain) => formulaRows(parts, chain, pair)),
    ),
    try: os.formulas.try.handler(async ({ input: { chainId, pair: id, formula } }) => {
      book.checkFormula(chainId, id, formula);
      await references.inputs.ready(chainId, id, formula);
      const chain = book.chain(chainId);
      const pair = chain?.pairs.get(id);
      if (chain === undefined || pair === undefined) {
        throw new DeskError('unknown_pair', `${id} cannot be priced: it is set aside.`);
      }
      return triedFormula(parts, chain, pair, formula);
    }),
    set: os.formulas.set.handler(({ input, context: { actor } }) => book.setFormula({ ...input, actor })),
    remove: os.formulas.remove.handler(({ input, context: { actor } }) =>
      book.setFormula({ ...input, formula: null, actor }),
    ),
  };
}
