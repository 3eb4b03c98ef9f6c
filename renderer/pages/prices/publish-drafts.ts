import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { isProgram } from '../../../electron/contract/names.ts';
import type { ConsoleClient } from '../../state/connection.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { editsBetween, valuesOfDraft, valuesOfLadder } from './ladder-values.ts';

type Ladders = Pick<
  ConsoleClient['ladders'],
  'published' | 'publishSeveral' | 'revisions' | 'draft' | 'edit' | 'setFollow'
>;

/** What was live of a pair before it was published with others, whether it followed and goes on, and what took its place. */
export interface Replaced {
  before: PublishedLadder;
  followed: boolean;
  follows: boolean;
  revision: number;
}

/** As many revisions as a pair that follows makes while a dialog stands. */
const REVISIONS = 200;

/** Publishes drafts as they were seen, all of them or none. Returns what they replaced; throws the desk's refusal. */
export async function publishDrafts(
  ladders: Pick<Ladders, 'published' | 'publishSeveral'>,
  drafts: readonly { chainId: number; pair: string; version: number; followed: boolean }[],
  keepFollowing: boolean,
): Promise<Replaced[]> {
  const before = await Promise.all(drafts.map(({ chainId, pair }) => ladders.published({ chainId, pair })));
  const published = await ladders.publishSeveral(
    drafts.map(({ chainId, pair, version, followed }) => ({
      chainId,
      pair,
      version,
      keepFollowing: keepFollowing && followed,
    })),
  );
  return drafts.flatMap(({ followed }, at) => {
    const [was, is] = [before[at], published[at]];
    return was === undefined || is === undefined
      ? []
      : [{ before: was, followed, follows: keepFollowing && followed, revision: is.revision }];
  });
}

/**
 * Publishes what was live before, of every pair that nobody published since; a ladder that only went on following counts as
 * untouched. Returns which were taken back, and why the others were not.
 */
export async function takeBack(
  ladders: Ladders,
  replaced: readonly Replaced[],
): Promise<{ back: readonly Replaced[]; left: ReadonlyMap<Replaced, string> }> {
  const left = new Map<Replaced, string>();
  const ready: { chainId: number; pair: string; version: number; keepFollowing: boolean }[] = [];
  const back: Replaced[] = [];
  for (const one of replaced) {
    const { chainId, pair } = one.before;
    try {
      const since = await ladders.revisions({ chainId, pair, limit: REVISIONS });
      const others = since.filter(({ revision, actor }) => revision > one.revision && !isProgram(actor));
      const draft = await ladders.draft({ chainId, pair });
      const isEdited = [...draft.bids, ...draft.asks].some((level) => level.price.editor ?? level.amount.editor);
      if (others.length > 0 || isEdited || !since.some(({ revision }) => revision === one.revision)) {
        left.set(one, 'It was changed since, so it stays as it is.');
        continue;
      }
      const edits = editsBetween(valuesOfDraft(draft), valuesOfLadder(one.before.ladder));
      if (edits.length === 0) continue;
      const { version } = await ladders.edit({ chainId, pair, edits, seen: draft.version });
      ready.push({ chainId, pair, version, keepFollowing: one.follows });
      back.push(one);
    } catch (error) {
      left.set(one, refusalOf(error).sentence);
    }
  }
  if (ready.length === 0) return { back, left };
  try {
    await ladders.publishSeveral(ready);
    for (const { before, followed, follows } of back) {
      if (followed && !follows) await ladders.setFollow({ chainId: before.chainId, pair: before.pair, on: true });
    }
    return { back, left };
  } catch (error) {
    const { sentence } = refusalOf(error);
    for (const one of back) left.set(one, `${sentence} What was live before is in the draft.`);
    return { back: [], left };
  }
}
