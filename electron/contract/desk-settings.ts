/** How a desk is started, as the command line and the desktop app take it. Port 0 takes a free one. */
export interface DeskSettings {
  folder: string;
  /** Null: where the folder says, else on this machine alone, at the usual port. */
  surfaceHost: string | null;
  surfacePort: number | null;
  /** Null: no console is served over the network, a window is handed a port instead. */
  consolePort: number | null;
  /** Where engines push prices; without it at the usual port, once a token for prices exists. */
  pricesPort?: number | undefined;
  /** Where those who watch the desk ask for its figures; without it nowhere. */
  metricsPort?: number | undefined;
  /** The program that is run for each alert; without it none. */
  alertCommand?: string | undefined;
  /** Null: a real desk. */
  practice: PracticeSettings | null;
}

/** How the practice market beside a desk is started. */
export interface PracticeSettings {
  /** Without takers nobody asks until a speed is set. */
  takers: boolean;
  seed: number | null;
  servicePort: number;
  rpcPort: number;
  /** Firm quotes asked for in a second on each chain. */
  speed?: number;
  /** How the service judges the desk. */
  mode?: 'strict' | 'spec';
  /** How long the service holds a failure against the desk; as long as the real one unless told. */
  forgiveSeconds?: number;
  /** Surfaces of the desk that are programs of their own, over a fleet server; without it none. */
  surfaces?: number;
}
