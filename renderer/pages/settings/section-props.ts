import type { ConsoleClient } from '../../state/connection.ts';

export type Settings = Awaited<ReturnType<ConsoleClient['settings']['get']>>;

/** What every section of the desk's own settings gets. */
export interface SectionProps {
  settings: Settings;
  /** Something was saved: the settings are read anew. */
  onChanged: () => void;
}
