import type { ResumeOutlook } from '../../electron/contract/service-view.ts';
import type { Scope } from '../../electron/contract/trading.ts';
import { useConsole } from './console.tsx';
import { stayedClosedText } from './resume-text.ts';
import { type Command, useCommand } from './use-command.ts';
import type { StopsSeen } from './use-stops-seen.ts';

/**
 * Starts a scope by the stops that were seen, and says what stayed closed. A refusal has the self-check and the stops read anew, so that
 * they name what it was for.
 */
export function useResume(
  scope: Scope,
  reason: string,
  stops: Pick<StopsSeen, 'seen' | 'refetch'>,
  outlook: { data: ResumeOutlook | undefined; refetch: () => unknown },
  onDone?: () => void,
): Command<void> {
  const { connection, toasts } = useConsole();
  return useCommand(async () => {
    try {
      const answer = await connection.client.trading.resume({ scope, reason, seen: stops.seen });
      // Its status is left alone: where the line was lost it is that of then, and what is so now comes with the stream.
      const stayed = stayedClosedText(answer.staysClosed ?? []);
      if (stayed !== null) toasts.show({ level: 'look', ...stayed });
      onDone?.();
    } catch (error) {
      outlook.refetch();
      stops.refetch();
      throw error;
    }
  });
}
