import type { PairRow } from '../../../electron/contract/book.ts';
import { useClient, useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** Whether the ladder moves with the reference. A publish by hand asks whether it goes on. */
export function FollowSwitch(props: {
  chainId: number;
  pair: string;
  follow: PairRow['follow'];
  hasReference: boolean;
}) {
  const { chainId, pair, follow, hasReference } = props;
  const { ladders } = useClient();
  const { toasts } = useConsole();
  const command = useCommand(async (on: boolean) => {
    try {
      await ladders.setFollow({ chainId, pair, on });
    } catch (error) {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: sentence, detail: remedy });
    }
  });
  if (follow === undefined || (!hasReference && !follow.on)) return null;
  const note = follow.on
    ? (follow.note ?? 'The ladder keeps its shape and moves with the reference. Publishing asks whether it goes on.')
    : 'The ladder stands where it was published. Switched on, it keeps its shape and moves with the reference.';
  return (
    <label className="follow" title={note}>
      <button
        type="button"
        role="switch"
        aria-checked={follow.on}
        aria-label="Follow the reference"
        className="switch"
        disabled={command.busy}
        onClick={() => command.run(!follow.on)}
      />
      <span className={follow.on ? 'strong' : 'muted'}>{follow.on ? 'Follows reference' : 'Follow reference'}</span>
    </label>
  );
}
