import { useCallback } from 'react';
import type { Scope } from '../../electron/contract/trading.ts';
import { useConsole } from './console.tsx';
import { refusalOf } from './refusal-of.ts';

/** Drains a scope at once; what stands against it is told by a toast. */
export function useDrain(): (scope: Scope) => void {
  const { connection, desk, toasts } = useConsole();
  return useCallback(
    (scope) => {
      connection.client.trading.drain({ scope }).then(
        ({ status }) => desk.acknowledge(status),
        (error: unknown) => {
          const { sentence, remedy } = refusalOf(error);
          toasts.show({ level: 'stop', title: `Not draining: ${sentence}`, detail: remedy });
        },
      );
    },
    [connection, desk, toasts],
  );
}
