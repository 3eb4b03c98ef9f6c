/** How a desk is started, as the command line and the desktop app take it. Port 0 takes a free one. */
export interface DeskSettings {
  folder: string;
  surfaceHost: string;
  surfacePort: number;
  /** Null: no console is served over the network, a window is handed a port instead. */
  consolePort: number | null;
  /** Null: a real desk. */
  practice: { takers: boolean; seed: number | null; servicePort: number; rpcPort: number } | null;
}
