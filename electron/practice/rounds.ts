import { pause } from '../time/pause.ts';
import { firstLineOf } from './consumer/failures.ts';

/** Does something every so often while the node is up. What goes wrong is told when it is news. Returns what ends that. */
export function startRounds(options: {
  everyMs: number;
  node: { isUp(): boolean };
  round: (signal: AbortSignal) => Promise<unknown>;
  tell: (fault: string) => void;
}): { stop(): Promise<void> } {
  const { everyMs, node, round, tell } = options;
  const ending = new AbortController();
  const { signal } = ending;

  async function keep(): Promise<void> {
    let fault = '';
    while (!signal.aborted) {
      await pause(everyMs, signal);
      if (signal.aborted || !node.isUp()) continue;
      const before = fault;
      fault = await round(signal).then(() => '', firstLineOf);
      if (fault !== '' && fault !== before && !signal.aborted) tell(fault);
    }
  }

  const kept = keep();
  return {
    async stop() {
      ending.abort();
      await kept;
    },
  };
}
