import {
  type AlertChange,
  type AlertKind,
  type AlertSettings,
  alertSettingsSchema,
  USUAL_ALERTS,
} from '../contract/alert-settings.ts';
import type { Journal } from '../journal/journal.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';

const KEY = 'alerts';

/** How alerts are told, one setting for every console of the desk: kept beside the journal, not in its chain. */
export class AlertBoard {
  readonly #journal: Pick<Journal, 'put'>;
  /** One change after another, since each writes the whole row. */
  readonly #changes = new SerialQueue();
  #settings: AlertSettings;

  private constructor(journal: Pick<Journal, 'put'>, settings: AlertSettings) {
    this.#journal = journal;
    this.#settings = settings;
  }

  /** Takes up what was kept; what cannot be read is as usual. */
  static async open(journal: Pick<Journal, 'put' | 'read'>): Promise<AlertBoard> {
    const kept = alertSettingsSchema.safeParse(await journal.read.setting(KEY));
    return new AlertBoard(journal, kept.success ? kept.data : USUAL_ALERTS);
  }

  settings(): AlertSettings {
    return this.#settings;
  }

  /** Changes one kind; in force once it is kept. Throws what the journal throws. */
  set(kind: AlertKind, change: AlertChange, actor: string): Promise<AlertSettings> {
    const by = change.silentUntil === undefined ? {} : { silencedBy: change.silentUntil === null ? null : actor };
    return this.#changes.run(async () => {
      const changed: AlertSettings = { ...this.#settings, [kind]: { ...this.#settings[kind], ...change, ...by } };
      await this.#journal.put({ table: 'settings', key: KEY, value: changed });
      this.#settings = changed;
      return changed;
    });
  }
}
