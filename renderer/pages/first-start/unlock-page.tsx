import { useRef, useState } from 'react';
import type { EntranceView } from '../../../electron/contract/entrance.ts';
import { Button } from '../../components/button.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { plural, shortHex } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useEntranceClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import { EntranceCard, FolderPath } from './entrance-card.tsx';
import { PutBack } from './put-back.tsx';

const LOST =
  'It cannot be recovered. Move the folder away, start over, and bring the key in again from your own backup.';

/** A desk in use asks for its passphrase. A wrong one is said, counted, and makes the next one wait. */
export function UnlockPage({ view }: { view: Extract<EntranceView, { stage: 'locked' }> }) {
  const client = useEntranceClient();
  const now = useDeskNow();
  const field = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const unlock = useCommand(async () => {
    try {
      await client.unlock({ passphrase });
    } finally {
      setPassphrase('');
      field.current?.focus();
    }
  });
  const { signer, wrong, nextAt, comesBackLive, folder } = view;
  const waits = nextAt > now;
  const isWrong = unlock.refusal?.code === 'wrong_passphrase' && passphrase === '';
  const tries =
    wrong === 0 ? 'none since the app was started' : `${plural(wrong, 'try', 'tries')} since the app was started`;
  return (
    <EntranceCard
      page="Locked"
      says="Nothing is quoted while the desk is locked."
      actions={<PutBack isNew={false} />}
      label="Unlock the desk"
      title="Unlock the desk"
      lead={
        <>
          {signer === null ? (
            'The passphrase opens what this desk keeps sealed.'
          ) : (
            <>
              The passphrase opens the key of{' '}
              <span className="mono" title={signer}>
                {shortHex(signer)}
              </span>
              .
            </>
          )}{' '}
          {comesBackLive
            ? 'The desk was LIVE when it ended, and goes on LIVE once its checks pass.'
            : 'The desk opens HALTED; going live is a separate step.'}
        </>
      }
      onSubmit={() => {
        if (passphrase !== '' && !waits) unlock.run();
      }}
      buttons={
        <>
          <Button type="submit" look="primary" size="large" disabled={passphrase === '' || waits || unlock.busy}>
            {unlock.busy ? 'Opening…' : 'Unlock'}
          </Button>
          {waits && (
            <span className="muted" role="status">
              The next one is taken in <Countdown until={nextAt} />
            </span>
          )}
        </>
      }
      facts={[
        ['Opens', comesBackLive ? 'LIVE, once its checks pass' : 'HALTED'],
        ['Folder', <FolderPath key="folder" folder={folder} />],
        ['Wrong passphrases', tries],
        [
          'Passphrase lost?',
          <span key="lost" className="muted">
            {LOST}
          </span>,
        ],
      ]}
    >
      <PassphraseField
        label="Passphrase"
        inputRef={field}
        autoFocus
        value={passphrase}
        onChange={setPassphrase}
        fault={isWrong ? 'This is not the passphrase of this desk.' : null}
      />
      {unlock.refusal !== null && unlock.refusal.code !== 'wrong_passphrase' && (
        <RefusalNote refusal={unlock.refusal} />
      )}
    </EntranceCard>
  );
}
