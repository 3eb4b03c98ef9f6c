import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import { editsBetween, valuesOfDraft, valuesOfLadder } from '../prices/ladder-values.ts';

/** Publishes the first ladder of a pair at once: the desk is halted, and nothing is quoted of it before that is said. */
export function usePublishFirst(of: { chainId: number; pair: string }) {
  const client = useClient();
  return useCommand(async (ladder: Ladder) => {
    const draft = await client.ladders.draft(of);
    const edits = editsBetween(valuesOfDraft(draft), valuesOfLadder(ladder));
    const { version } = await client.ladders.edit({ ...of, edits, seen: draft.version });
    await client.ladders.publish({ ...of, version });
  });
}
