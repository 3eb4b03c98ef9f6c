import { useState } from 'react';
import { LEAST_PASSPHRASE } from '../../../electron/contract/passphrase.ts';
import { Button } from '../../components/button.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { useEntranceClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './entrance.module.css';
import { EntranceCard, FolderPath } from './entrance-card.tsx';
import { madePassphrase, strengthOf } from './passphrase-strength.ts';

const LOST =
  'Nobody can recover it. Without it the key here is of no use: keep a backup of the key, and the passphrase apart from it.';
const NEXT = 'The desk opens HALTED and leads through key, network, tokens, pairs, counterparty and checks.';

/** The first step of a real desk: the passphrase that seals its key and its secrets, typed twice or made. */
export function NewDeskPage({ folder, onBack }: { folder: string; onBack: () => void }) {
  const client = useEntranceClient();
  const [passphrase, setPassphrase] = useState('');
  const [repeat, setRepeat] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const begin = useCommand(() => client.begin({ passphrase }));
  const { word, says, meter } = strengthOf(passphrase);
  const isShort = passphrase.length < LEAST_PASSPHRASE;
  const differs = repeat !== '' && repeat !== passphrase;
  const make = () => {
    const phrase = madePassphrase();
    setMade(phrase);
    setPassphrase(phrase);
    setRepeat('');
  };
  return (
    <EntranceCard
      page="First start"
      says="Step 1: the passphrase. Everything else waits for it."
      label="Set the passphrase"
      title="Set the passphrase of the desk"
      lead="It seals the desk’s key and its secrets, and is asked for at every start."
      onSubmit={() => {
        if (!isShort && repeat === passphrase) begin.run();
      }}
      buttons={
        <>
          <Button type="submit" look="primary" size="large" disabled={isShort || repeat !== passphrase || begin.busy}>
            {begin.busy ? 'Sealing…' : 'Set the passphrase'}
          </Button>
          <Button size="large" onClick={make}>
            Make one
          </Button>
          <Button look="quiet" size="large" onClick={onBack}>
            Back
          </Button>
        </>
      }
      facts={[
        ['Folder', <FolderPath key="folder" folder={folder} />],
        [
          'Passphrase lost?',
          <span key="lost" className="muted">
            {LOST}
          </span>,
        ],
        [
          'Next',
          <span key="next" className="muted">
            {NEXT}
          </span>,
        ],
      ]}
    >
      <PassphraseField
        label="Passphrase"
        isNew
        autoFocus
        value={passphrase}
        onChange={setPassphrase}
        fault={faultOf(begin.refusal, 'passphrase')}
      />
      <div className={styles.strength}>
        <meter aria-label="Strength" min={0} max={100} value={meter} />
        <span className="muted">
          {passphrase === '' ? (
            `${LEAST_PASSPHRASE} characters or more`
          ) : (
            <>
              <b className="strong">{word}</b>: {isShort ? `${LEAST_PASSPHRASE} characters or more` : says}
            </>
          )}
        </span>
      </div>
      <PassphraseField
        label="Repeat it"
        isNew
        value={repeat}
        onChange={setRepeat}
        fault={differs ? 'It is not the same.' : null}
      />
      {made !== null && made === passphrase && (
        <Note level="look" title="Write it down, or keep it in your password manager, before you go on.">
          <span className={`mono ${styles.made}`}>{made}</span> Type it into “Repeat it” to show that you have it.
        </Note>
      )}
      {begin.refusal !== null && (
        <RefusalNote refusal={begin.refusal} elsewhere={faultsElsewhere(begin.refusal, ['passphrase'])} />
      )}
    </EntranceCard>
  );
}
