import type { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { createContext, type ReactNode, use, useCallback, useRef, useSyncExternalStore } from 'react';
import type { EntranceView } from '../../electron/contract/entrance.ts';
import type { AlertStore, ToldAlert } from './alerts.ts';
import type { Connection, ConsoleClient, Line } from './connection.ts';
import type { DeskStore } from './desk-store.ts';
import type { DrillPhase, DrillResult, DrillStore } from './drill.ts';
import type { EntranceClient, EntranceStore } from './entrance.ts';
import type { HaltPhase, HaltStore } from './halt.ts';
import type { DeskView } from './live-desk.ts';
import type { Toast, ToastStore } from './toasts.ts';
import type { AppLine } from './transport.ts';

export type ConsoleQueries = ReturnType<typeof createTanstackQueryUtils<ConsoleClient>>;

/** What every part of the console stands on: the line, the live view, the queries, the halt. */
export interface Console {
  connection: Connection;
  desk: DeskStore;
  halt: HaltStore;
  toasts: ToastStore;
  alerts: AlertStore;
  drill: DrillStore;
  queries: ConsoleQueries;
  /** Whether the desktop app shows this console, which can end a desk that hangs; a browser cannot. */
  inApp: boolean;
  /** Asks for a file by the system's dialog; null in a browser, which does not tell where a file is. */
  chooseFile: AppLine['chooseFile'] | null;
  /** Writes the page as it would be printed into a file; null in a browser, which does that where it prints. */
  savePage: AppLine['savePage'] | null;
  /** Where the passphrase is given in the desktop app; null in a browser. */
  entrance: EntranceStore | null;
  /** What the desk elsewhere is called that the app shows here; null for the app's own, and in a browser. */
  elsewhere: string | null;
  /** Shows the list of desks elsewhere; null in a browser. */
  showDesks: (() => void) | null;
}

const ConsoleContext = createContext<Console | null>(null);

export function ConsoleProvider({ value, children }: { value: Console; children: ReactNode }) {
  return <ConsoleContext value={value}>{children}</ConsoleContext>;
}

export function useConsole(): Console {
  const value = use(ConsoleContext);
  if (value === null) throw new Error('This part of the screen stands outside of the console.');
  return value;
}

export function useClient(): ConsoleClient {
  return useConsole().connection.client;
}

export function useQueries(): ConsoleQueries {
  return useConsole().queries;
}

/** A part of the live view; drawn anew only when that part changed. */
export function useDesk<T>(select: (view: DeskView) => T): T {
  const { desk } = useConsole();
  const chosen = useRef(select);
  chosen.current = select;
  const read = useCallback(() => chosen.current(desk.view()), [desk]);
  return useSyncExternalStore(desk.subscribe, read);
}

export function useLine(): Line {
  const { connection } = useConsole();
  return useSyncExternalStore(connection.subscribe, connection.line);
}

export function useConnected(): boolean {
  const { connection } = useConsole();
  return useSyncExternalStore(connection.subscribe, () => connection.line().state === 'connected');
}

export function useHaltPhase(): HaltPhase {
  const { halt } = useConsole();
  return useSyncExternalStore(halt.subscribe, halt.phase);
}

export function useToasts(): ToastStore {
  return useConsole().toasts;
}

export function useToastList(): { list: readonly Toast[]; folded: number } {
  const { toasts } = useConsole();
  return {
    list: useSyncExternalStore(toasts.subscribe, toasts.list),
    folded: useSyncExternalStore(toasts.subscribe, toasts.folded),
  };
}

export function useDrill(): { drill: DrillStore; phase: DrillPhase; results: readonly DrillResult[] } {
  const { drill } = useConsole();
  return {
    drill,
    phase: useSyncExternalStore(drill.subscribe, drill.now),
    results: useSyncExternalStore(drill.subscribe, drill.results),
  };
}

export function useToldAlerts(): readonly ToldAlert[] {
  const { alerts } = useConsole();
  return useSyncExternalStore(alerts.subscribe, alerts.told);
}

/** The entrance's own line. Only what stands in the entrance asks for it. */
export function useEntranceClient(): EntranceClient {
  const { entrance } = useConsole();
  if (entrance === null) throw new Error('A browser has no entrance.');
  return entrance.client;
}

/** What the entrance shows, as long as a person has to do something there; null else, and in a browser, which has none. */
export function useEntrance(): Extract<EntranceView, { stage: 'new' | 'locked' }> | null {
  const { entrance } = useConsole();
  const view = useSyncExternalStore(entrance?.subscribe ?? noSubscription, () => entrance?.view() ?? null);
  return view !== null && (view.stage === 'new' || view.stage === 'locked') ? view : null;
}

const noSubscription = () => () => {};
