import { useState } from 'react';
import {
  type AlertChange,
  type AlertKind,
  alertKindSchema,
  isSilenced,
} from '../../electron/contract/alert-settings.ts';
import { sound } from '../state/alerts.ts';
import { useDeskNow } from '../state/clock.ts';
import { useConsole, useDesk } from '../state/console.tsx';
import { useCommand } from '../state/use-command.ts';
import styles from './alert-rows.module.css';
import { Button } from './button.tsx';
import { Countdown } from './figures/age.tsx';
import { Needs } from './needs.tsx';
import { RefusalNote } from './note.tsx';
import { ButtonGroup } from './segmented.tsx';
import { Switch } from './switch.tsx';
import { Table } from './table.tsx';

export const ALERT_NAMES: Record<AlertKind, { name: string; when: string }> = {
  halt: { name: 'Halt and drain', when: 'the desk is HALTED or drains, whoever did it' },
  stop: { name: 'Stopped', when: 'the guard closed a chain or a pair, a check failed' },
  line: { name: 'Connection lost', when: 'this screen no longer hears the desk' },
  look: { name: 'Look today', when: 'anything else that needs attention' },
};

const SILENCES = [
  { value: '15', text: '15 min', ms: 900_000 },
  { value: '60', text: '1 h', ms: 3_600_000 },
  { value: '480', text: '8 h', ms: 28_800_000 },
] as const;

/** One row a kind: notification, sound, silence. The tray always shows the state of the desk. */
export function AlertRows() {
  const { connection } = useConsole();
  const settings = useDesk((view) => view.alerts);
  const now = useDeskNow();
  const set = useCommand((asked: { kind: AlertKind; change: AlertChange }) => connection.client.alerts.set(asked));
  const setAlert = (kind: AlertKind, change: AlertChange) => set.run({ kind, change });
  return (
    <>
      <Permission />
      {set.refusal !== null && <RefusalNote refusal={set.refusal} />}
      <Needs right="settings">
        <Table className={styles.rows}>
          <colgroup>
            <col />
            <col className={styles.switchColumn} />
            <col className={styles.switchColumn} />
            <col className={styles.silenceColumn} />
          </colgroup>
          <thead>
            <tr>
              <th>Kind</th>
              <th className="center">Notification</th>
              <th className="center">Sound</th>
              <th className="right">Silence</th>
            </tr>
          </thead>
          <tbody>
            {alertKindSchema.options.map((kind) => {
              const { name, when } = ALERT_NAMES[kind];
              const { desktop, sound: sounds, silentUntil, silencedBy } = settings[kind];
              const silent = isSilenced(settings[kind], now);
              return (
                <tr key={kind}>
                  <td>
                    <b className="strong">{name}</b>
                    <div className="quiet">{when}</div>
                  </td>
                  <td className="center">
                    <Switch
                      on={desktop}
                      aria-label={`${name}: notification`}
                      onClick={() => setAlert(kind, { desktop: !desktop })}
                    />
                  </td>
                  <td className="center">
                    <Switch
                      on={sounds}
                      aria-label={`${name}: sound`}
                      onClick={() => {
                        setAlert(kind, { sound: !sounds });
                        if (!sounds) sound(kind);
                      }}
                    />
                  </td>
                  <td className="right">
                    {silent && silentUntil !== null ? (
                      <Button
                        title={`Silenced by ${silencedBy ?? 'nobody'}`}
                        onClick={() => setAlert(kind, { silentUntil: null })}
                      >
                        <Countdown until={silentUntil} /> left, end it
                      </Button>
                    ) : (
                      <ButtonGroup>
                        {SILENCES.map(({ value, text, ms }) => (
                          <Button
                            key={value}
                            aria-label={`Silence ${name} for ${text}`}
                            onClick={() => setAlert(kind, { silentUntil: Math.round(now) + ms })}
                          >
                            {text}
                          </Button>
                        ))}
                      </ButtonGroup>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      </Needs>
    </>
  );
}

/** A browser has to be asked once whether it shows notifications at all. */
function Permission() {
  const [permission, setPermission] = useState(
    typeof Notification === 'undefined' ? 'denied' : Notification.permission,
  );
  if (permission === 'granted') return null;
  return (
    <p className={styles.permission}>
      <span className="muted">
        {permission === 'denied'
          ? 'This browser does not let the console show notifications.'
          : 'Notifications are not allowed yet.'}
      </span>
      {permission === 'default' && (
        <Button onClick={() => void Notification.requestPermission().then(setPermission)}>Allow notifications</Button>
      )}
    </p>
  );
}
