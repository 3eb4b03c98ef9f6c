import type { Scope } from '../../electron/contract/trading.ts';
import type { Connection } from './connection.ts';
import type { DeskStore } from './desk-store.ts';
import { createEmitter } from './emitter.ts';
import { NotConnected } from './no-line.ts';
import { refusalOf } from './refusal-of.ts';
import type { ToastStore } from './toasts.ts';
import type { AppLine } from './transport.ts';

/** `asked`: on its way to the desk. `waiting`: there is no line, and it is sent as soon as there is one. */
export type HaltPhase = 'idle' | 'asked' | 'waiting';

/** A halt that the desk has not acknowledged for so long is handed to the desktop app, which can end a desk that hangs. */
const HAND_OVER_MS = 1_500;

/** By so much may our idea of the desk's clock be wrong; within it a start does not take back a press. */
const CLOCKS_APART_MS = 1_000;

export interface HaltStore {
  phase(): HaltPhase;
  /** What the desk last answered to a halt of everything from here; null before. */
  acknowledged(): { at: number; durable: boolean } | null;
  subscribe(listener: () => void): () => void;
  /** Halts everything. A second call while one is on its way sends another: halting twice is halting. */
  now(): void;
  /** Stops one chain, pair or side. */
  scope(scope: Scope): Promise<void>;
  /** Says on the screen why something was not stopped. */
  notStopped(error: unknown): void;
}

/** `app` is the desktop app around this console, or null in a browser. */
export function openHalt(
  connection: Connection,
  desk: DeskStore,
  toasts: ToastStore,
  app: Pick<AppLine, 'halt'> | null = null,
): HaltStore {
  const { subscribe, emit } = createEmitter();
  let phase: HaltPhase = 'idle';
  /**
   * When it was pressed, by the desk's clock in Unix milliseconds, and which press it was. Before the desk's first word nothing is known of
   * that clock: such a press is later than any start.
   */
  let pressed = { at: 0, press: '' };
  let acknowledged: { at: number; durable: boolean } | null = null;
  const set = (next: HaltPhase) => {
    if (phase === next) return;
    phase = next;
    emit();
  };

  const send = async (scope: Scope, press?: string) => {
    const answer = await connection.client.trading.halt({ scope, press });
    if (scope.chainId === undefined) acknowledged = { at: answer.at, durable: answer.durable };
    desk.acknowledge(answer.status);
    if (!answer.durable) {
      toasts.show({
        level: 'stop',
        title: 'Halted, but the journal could not write it',
        detail:
          scope.chainId === undefined
            ? 'Nothing is signed. Look at the journal’s disk before you restart or resume.'
            : 'Nothing is signed there now, but a desk that starts again before it is written quotes there again. Look at the journal’s disk, or press HALT.',
      });
    }
  };

  const everything = async () => {
    const { press } = pressed;
    set('asked');
    try {
      await send({}, press);
      if (press === pressed.press) set('idle');
    } catch (error) {
      if (press !== pressed.press || phase === 'idle') return;
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

  /** A desk that says it is halted, or was started after the press, leaves nothing to be asked: a drain is no halt. */
  const settle = () => {
    const { status } = desk.view();
    if (phase === 'idle' || status === null || connection.line().state !== 'connected') return;
    const wasStarted = status.state === 'LIVE' && status.since > pressed.at + CLOCKS_APART_MS;
    if (status.state === 'HALTED' || wasStarted) set('idle');
  };
  desk.subscribe(settle);
  connection.subscribe(() => {
    const { state } = connection.line();
    if (state === 'lost' && phase === 'asked') set('waiting');
    settle();
    if (phase === 'waiting' && state === 'connected') void everything();
  });

  const now = () => {
    const press = crypto.randomUUID();
    pressed = { at: desk.view().status === null ? Number.POSITIVE_INFINITY : desk.now(), press };
    void everything();
    if (app === null) return;
    setTimeout(() => {
      if (phase !== 'idle' && press === pressed.press) app.halt(press);
    }, HAND_OVER_MS);
  };

  return {
    phase: () => phase,
    acknowledged: () => acknowledged,
    subscribe,
    now,
    scope: (scope) => send(scope),
    notStopped(error) {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `Not stopped: ${sentence}`, detail: remedy });
    },
  };
}
