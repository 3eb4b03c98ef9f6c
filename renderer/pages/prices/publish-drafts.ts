import type { PublishedLadder } from '../../../electron/contract/book.ts';
import type { ConsoleClient } from '../../state/connection.ts';
import { refusalOf } from '../../state/refusal-of.ts';

type Ladders = ConsoleClient['ladders'];

/**
 * What was live of a pair before it was published with others, whether that took it over from an engine or its formula, whether it followed
 * and goes on, and what took its place.
 */
export interface Replaced {
  before: PublishedLadder;
  takenOver: boolean;
  followed: boolean;
  follows: boolean;
  revision: number;
}

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
      : [
          {
            before: was,
            takenOver: is.takenOver === true,
            followed,
            follows: keepFollowing && followed,
            revision: is.revision,
          },
        ];
  });
}

/**
 * Publishes what was live before, of every pair that nobody published or drafted since; a ladder that only went on following
 * counts as untouched. One that was taken over by that is given back. Returns which were taken back, and why the others were not.
 */
export async function takeBack(
  ladders: Pick<Ladders, 'takeBack' | 'setFollow' | 'setHand'>,
  replaced: readonly Replaced[],
): Promise<{ back: readonly Replaced[]; left: ReadonlyMap<Replaced, string> }> {
  const answers = await ladders.takeBack(
    replaced.map(({ before: { chainId, pair, ladder, followed }, revision, follows }) => ({
      chainId,
      pair,
      revision,
      before: { ladder, followed },
      keepFollowing: follows,
    })),
  );
  const left = new Map<Replaced, string>();
  for (const [at, one] of replaced.entries()) {
    const { published = null, why = null } = answers[at] ?? {};
    if (published === null) left.set(one, why ?? '');
  }
  const back = replaced.filter((one) => !left.has(one));
  for (const one of back) {
    const { chainId, pair } = one.before;
    try {
      if (one.takenOver) await ladders.setHand({ chainId, pair, on: false });
    } catch (error) {
      left.set(one, `Its prices are as before, but it stays by hand: ${refusalOf(error).sentence}`);
    }
    try {
      if (one.followed && !one.follows) await ladders.setFollow({ chainId, pair, on: true });
    } catch (error) {
      left.set(one, `Its prices are as before, but it does not follow again: ${refusalOf(error).sentence}`);
    }
  }
  return { back, left };
}
