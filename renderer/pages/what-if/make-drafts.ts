import { repriced } from '../../../electron/contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../../../electron/contract/what-if.ts';
import type { Console } from '../../state/console.tsx';
import { editsBetween, type LadderValues } from '../prices/ladder-values.ts';
import { editElsewhere } from '../prices/use-draft.ts';

/**
 * Puts changes of ladders into the drafts of their pairs; nothing is published. Resolves to how many drafts there are, and why others
 * are not.
 */
export async function makeDrafts(
  deskConsole: Console,
  ladders: NonNullable<WhatIfSettings['ladders']>,
): Promise<{ made: number; refused: string[] }> {
  const { connection, desk } = deskConsole;
  const refused: string[] = [];
  let made = 0;
  for (const { chainId, pair } of desk.view().listed) {
    const changes = ladders.flatMap((one) =>
      one.pairs?.includes(pair) === false || one.chains?.includes(chainId) === false ? [] : one.changes,
    );
    if (changes.length === 0) continue;
    const draft = await connection.client.ladders.draft({ chainId, pair });
    let isMade = false;
    const refusal = await editElsewhere(deskConsole, draft, (now) => {
      let after: LadderValues | null = now;
      for (const change of changes) after = after === null ? null : repriced(after, change, false);
      isMade = after !== null && now.bids.length + now.asks.length > 0;
      return after === null ? [] : editsBetween(now, after);
    });
    if (refusal !== null) refused.push(`${pair}: ${refusal.sentence}`);
    else if (isMade) made += 1;
    else refused.push(`${pair} has no ladder that can be changed so.`);
  }
  return { made, refused };
}
