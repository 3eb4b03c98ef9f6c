import type { Connection } from './connection.ts';
import type { DeskStore } from './desk-store.ts';
import { createEmitter } from './emitter.ts';
import { numberText } from './number-form.ts';
import { refusalOf } from './refusal-of.ts';
import type { ToastStore } from './toasts.ts';

/** What a drill begins with: a call to halt, or a fault of the practice market that nobody announces. */
export type DrillKind = { kind: 'halt' } | { kind: 'fault'; name: string };

/** From the signal to HALTED, by the desk's clock. Unix milliseconds, the result in milliseconds. */
export interface DrillResult {
  what: string;
  signalAt: number;
  timeToKill: number;
}

export type DrillPhase =
  | { phase: 'idle' }
  | { phase: 'waiting'; drill: DrillKind }
  | { phase: 'running'; drill: DrillKind; signalAt: number; haltedBefore: number | null };

export interface DrillStore {
  now(): DrillPhase;
  /** Newest first; kept on this computer. */
  results(): readonly DrillResult[];
  subscribe(listener: () => void): () => void;
  start(drill: DrillKind): void;
  cancel(): void;
}

const KEPT = 'makerdesk.drills';
const AT_MOST = 20;
/** The signal comes at a moment nobody knows. Milliseconds. */
const [SOONEST, LATEST] = [2_000, 8_000];

/** Runs one drill at a time, on whatever page the person is; a fault that it switched on goes off when it ends. */
export function openDrill(connection: Connection, desk: DeskStore, toasts: ToastStore): DrillStore {
  const { subscribe, emit } = createEmitter();
  let state: DrillPhase = { phase: 'idle' };
  let results = readResults(localStorage.getItem(KEPT));
  let signal: ReturnType<typeof setTimeout> | undefined;

  const set = (next: DrillPhase) => {
    state = next;
    emit();
  };
  const switchFault = async (drill: DrillKind, on: boolean) => {
    if (drill.kind === 'fault') await connection.client.practice.fault({ name: drill.name, on });
  };
  const give = async (drill: DrillKind) => {
    const signalAt = desk.now();
    const { status } = desk.view();
    set({ phase: 'running', drill, signalAt, haltedBefore: status?.state === 'HALTED' ? status.since : null });
    if (drill.kind === 'halt')
      toasts.show({ level: 'stop', title: 'Drill: halt the desk now', detail: 'The clock runs.' });
    try {
      await switchFault(drill, true);
    } catch (error) {
      set({ phase: 'idle' });
      toasts.show({ level: 'look', title: 'The drill did not begin', detail: refusalOf(error).sentence });
    }
  };
  const end = (drill: DrillKind) => {
    clearTimeout(signal);
    set({ phase: 'idle' });
    void switchFault(drill, false).catch((error: unknown) =>
      toasts.show({ level: 'look', title: 'The drill’s fault is still on', detail: refusalOf(error).sentence }),
    );
  };
  desk.subscribe(() => {
    const { status } = desk.view();
    if (state.phase !== 'running' || status?.state !== 'HALTED' || status.since === state.haltedBefore) return;
    const { drill, signalAt } = state;
    // The desk's time is only reckoned here: a quick halt may have been before the signal by it.
    const result = { what: drillName(drill), signalAt, timeToKill: Math.max(0, status.since - signalAt) };
    results = [result, ...results].slice(0, AT_MOST);
    localStorage.setItem(KEPT, JSON.stringify(results));
    toasts.show({ level: 'done', title: `Halted in ${secondsText(result.timeToKill)}`, detail: result.what });
    end(drill);
  });
  return {
    now: () => state,
    results: () => results,
    subscribe,
    start: (drill) => {
      if (state.phase !== 'idle') return;
      set({ phase: 'waiting', drill });
      signal = setTimeout(() => void give(drill), SOONEST + Math.random() * (LATEST - SOONEST));
    },
    cancel: () => {
      if (state.phase !== 'idle') end(state.drill);
    },
  };
}

/** Seconds with one decimal. */
export function secondsText(ms: number): string {
  return `${numberText((ms / 1_000).toFixed(1))}\u00a0s`;
}

export function drillName(drill: DrillKind): string {
  return drill.kind === 'halt' ? 'Called to halt' : `Fault ${drill.name}, unannounced`;
}

function readResults(text: string | null): readonly DrillResult[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(read) ? read.filter(isResult) : [];
  } catch {
    return [];
  }
}

function isResult(value: unknown): value is DrillResult {
  if (typeof value !== 'object' || value === null) return false;
  const { what, signalAt, timeToKill } = value as Record<string, unknown>;
  return typeof what === 'string' && typeof signalAt === 'number' && typeof timeToKill === 'number';
}
