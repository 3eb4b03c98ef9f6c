import { type AlertSettings, USUAL_ALERTS } from '../contract/alert-settings.ts';
import { type Attention, isQuiet } from '../contract/desk-view.ts';
import type { Status } from '../contract/trading.ts';
import { pause } from '../time/pause.ts';
import type { DeskClient } from './desk-client.ts';

const AGAIN_MS = 1_000;

/** What stopped, as the desk tells it now, and which of it is new since the last word. */
export interface Stopped {
  rows: readonly Attention[];
  news: readonly Attention[];
  /** How the desk wants alerts told. */
  alerts: AlertSettings;
}

export interface AttentionWatch {
  /** Follows another desk from now on; null when there is none. What is wrong at its first word is not news. */
  follow(client: Pick<DeskClient, 'desk'> | null): void;
}

/** Follows what the desk says is stopped, whether or not a window is open. */
export function watchAttention(told: (stopped: Stopped) => void): AttentionWatch {
  let followed: Pick<DeskClient, 'desk'> | null = null;

  const follow = async (client: Pick<DeskClient, 'desk'>) => {
    let known: Set<string> | null = null;
    let alerts = USUAL_ALERTS;
    let rows: Attention[] = [];
    let state: Status | null = null;
    while (client === followed) {
      try {
        for await (const { attention, status, alerts: changed } of await client.desk.watch()) {
          if (client !== followed) return;
          alerts = changed ?? alerts;
          state = status ?? state;
          if (attention === undefined && changed === undefined && status === undefined) continue;
          rows = attention?.filter(({ level }) => level === 'stop') ?? rows;
          const before: Set<string> | null = known;
          const loud = rows.filter((row) => !isQuiet(row, state));
          told({ alerts, rows, news: before === null ? [] : loud.filter(({ code }) => !before.has(code)) });
          known = new Set(loud.map(({ code }) => code));
        }
      } catch {
        // The line says elsewhere that it broke; a stream that ended alone is opened again.
      }
      await pause(AGAIN_MS, undefined, { ref: false });
    }
  };
  return {
    follow: (client) => {
      followed = client;
      if (client === null) told({ rows: [], news: [], alerts: USUAL_ALERTS });
      else void follow(client);
    },
  };
}
