import { useSyncExternalStore } from 'react';
import type { Scope } from '../../electron/contract/trading.ts';
import { type Connection, NotConnected } from './connection.ts';
import { useConsole } from './console.tsx';
import type { DeskStore } from './desk-store.ts';
import { refusalOf } from './refusal-of.ts';
import type { ToastStore } from './toasts.ts';

/** `asked`: on its way to the desk. `waiting`: there is no line, and it is sent as soon as there is one. */
export type HaltPhase = 'idle' | 'asked' | 'waiting';

export interface HaltStore {
  phase(): HaltPhase;
  /** What the desk last answered to a halt of everything from here; null before. */
  acknowledged(): { at: number; durable: boolean } | null;
  subscribe(listener: () => void): () => void;
  /** Halts everything. A second call while one is on its way sends another: halting twice is halting. */
  now(): void;
  /** Stops one chain, pair or side. */
  scope(scope: Scope): Promise<void>;
}

export function openHalt(connection: Connection, desk: DeskStore, toasts: ToastStore): HaltStore {
  const listeners = new Set<() => void>();
  let phase: HaltPhase = 'idle';
  let acknowledged: { at: number; durable: boolean } | null = null;
  const set = (next: HaltPhase) => {
    phase = next;
    for (const listener of [...listeners]) listener();
  };

  const send = async (scope: Scope) => {
    const answer = await connection.client.trading.halt({ scope });
    if (scope.chainId === undefined) acknowledged = { at: answer.at, durable: answer.durable };
    desk.acknowledge(answer.status);
    if (!answer.durable) {
      toasts.show({
        level: 'stop',
        title: 'Halted, but the journal could not write it',
        detail: 'Nothing is signed. Look at the journal’s disk before you restart or resume.',
      });
    }
  };

  const everything = async () => {
    set('asked');
    try {
      await send({});
      set('idle');
    } catch (error) {
      const lost = error instanceof NotConnected || connection.line().state !== 'connected';
      set(lost ? 'waiting' : 'idle');
      if (lost) return;
      const { sentence, remedy } = refusalOf(error);
      toasts.show({
        level: 'stop',
        title: `Not halted: ${sentence}`,
        detail: `${remedy} makerdesk halt stops it from a terminal.`,
      });
    }
  };

  connection.subscribe(() => {
    if (phase === 'waiting' && connection.line().state === 'connected') void everything();
  });

  return {
    phase: () => phase,
    acknowledged: () => acknowledged,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    now: () => void everything(),
    scope: send,
  };
}

export function useHaltPhase(): HaltPhase {
  const { halt } = useConsole();
  return useSyncExternalStore(halt.subscribe, halt.phase);
}
