import { useState } from 'react';
import { type AlertKind, alertKindSchema } from '../../../electron/contract/alert-settings.ts';
import { ALERT_NAMES } from '../../components/alert-rows.tsx';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Table } from '../../components/table.tsx';
import { tryAlert } from '../../state/alerts.ts';
import { type OwnWish, setOwnAlert, type Telling, useOwnAlert } from '../../state/own-alerts.ts';
import styles from './settings-page.module.css';

const WISHES: readonly { value: OwnWish; text: string }[] = [
  { value: 'desk', text: 'As above' },
  { value: 'on', text: 'On' },
  { value: 'off', text: 'Off' },
];

/** What whoever sits at this computer wants otherwise than everybody else. */
export function OwnAlertsSection() {
  return (
    <section aria-label="On this computer">
      <Table className={styles.wishes}>
        <colgroup>
          <col />
          <col className={styles.wishColumn} />
          <col className={styles.wishColumn} />
          <col className={styles.tryColumn} />
        </colgroup>
        <thead>
          <tr>
            <th>On this computer alone</th>
            <th className="center">Notification</th>
            <th className="center">Sound</th>
            <th className="right">Try</th>
          </tr>
        </thead>
        <tbody>
          {alertKindSchema.options.map((kind) => (
            <OwnAlertRow key={kind} kind={kind} />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function OwnAlertRow({ kind }: { kind: AlertKind }) {
  const { name } = ALERT_NAMES[kind];
  const [shown, setShown] = useState<string | null>(null);
  return (
    <tr>
      <td>
        <b className="strong">{name}</b> {shown !== null && <span className="quiet">notification {shown}</span>}
      </td>
      <td className="center">
        <Wish kind={kind} telling="desktop" label={`${name}: notification on this computer`} />
      </td>
      <td className="center">
        <Wish kind={kind} telling="sound" label={`${name}: sound on this computer`} />
      </td>
      <td className="right">
        <Button aria-label={`Try ${name}`} onClick={() => setShown(tryAlert(kind, name))}>
          Try
        </Button>
      </td>
    </tr>
  );
}

function Wish({ kind, telling, label }: { kind: AlertKind; telling: Telling; label: string }) {
  const wished = useOwnAlert(kind, telling);
  return (
    <Segmented label={label} options={WISHES} value={wished} onChoose={(value) => setOwnAlert(kind, telling, value)} />
  );
}
