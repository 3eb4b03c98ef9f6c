import type { DeskSettings } from './desk-settings.ts';

/** Who reads at the other end of a port: a window, or the app itself, whose line is never let go. */
export type PortReader = 'window' | 'app';

/**
 * What the desktop app tells the process of its desk. `connect` carries one port, on which a console speaks, `entrance` one on
 * which a window gives the passphrase; `practice-failed` answers `practice`, whose success is another desk in this one's place.
 */
export type ToDesk =
  | { kind: 'open'; settings: DeskSettings; passphrase: string | undefined }
  | { kind: 'connect'; actor: string; reader: PortReader }
  | { kind: 'entrance' }
  | { kind: 'practice-failed'; sentence: string; remedy: string }
  | { kind: 'close' };

/** Where the desk listens. `service` and `rpc` are those of the practice market. */
export interface DeskReady {
  surface: string;
  console: string | null;
  /** Where engines push prices, while anybody may. */
  prices?: string;
  /** Where those who watch the desk ask for its figures. */
  metrics?: string;
  service?: string;
  rpc?: string;
  /** Of a practice fleet: where its desk finds it, and where its surfaces listen, which the service asks. */
  fleet?: string;
  surfaces?: string[];
  pid: number;
}

/**
 * What the process of a desk tells the desktop app: that it waits for a person at its entrance, that it quotes or may be resumed,
 * that its key was locked, why it could not start, or that somebody wants a practice desk in its place.
 */
export type FromDesk =
  | { kind: 'waits' }
  | { kind: 'ready'; ready: DeskReady }
  | { kind: 'locked' }
  | { kind: 'failed'; sentence: string; remedy: string }
  | { kind: 'practice' };
