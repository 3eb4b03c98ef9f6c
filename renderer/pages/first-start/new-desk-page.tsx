import { useState } from 'react';
import { LEAST_PASSPHRASE } from '../../../electron/contract/passphrase.ts';
import { Button } from '../../components/button.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { useEntranceClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './entrance.module.css';
import { madePassphrase, strengthOf } from './passphrase-strength.ts';

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
  return (
    <>
      <PageHead name="First start">
        <span className="quiet">Step 1: the passphrase. Everything else waits for it.</span>
      </PageHead>
      <div className={styles.centre}>
        <section className={styles.unlock} aria-label="Set the passphrase">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (!isShort && repeat === passphrase) begin.run();
            }}
          >
            <h2>Set the passphrase of the desk</h2>
            <p>It seals the desk’s key and its secrets, and is asked for at every start.</p>
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
                <span className={`mono ${styles.made}`}>{made}</span> Type it once more below to show that you have it.
              </Note>
            )}
            {begin.refusal !== null && (
              <RefusalNote refusal={begin.refusal} elsewhere={faultsElsewhere(begin.refusal, ['passphrase'])} />
            )}
            <div className={styles.actions}>
              <Button
                type="submit"
                look="primary"
                size="large"
                disabled={isShort || repeat !== passphrase || begin.busy}
              >
                {begin.busy ? 'Sealing…' : 'Set the passphrase'}
              </Button>
              <Button
                size="large"
                onClick={() => {
                  const phrase = madePassphrase();
                  setMade(phrase);
                  setPassphrase(phrase);
                  setRepeat('');
                }}
              >
                Make one
              </Button>
              <Button look="quiet" size="large" onClick={onBack}>
                Back
              </Button>
            </div>
          </form>
          <dl>
            <div>
              <dt>Folder</dt>
              <dd className={styles.path}>{folder}</dd>
            </div>
            <div>
              <dt>Lost?</dt>
              <dd className="muted">
                Nobody can recover it. Without it the key here is of no use: keep a backup of the key, and keep the
                passphrase apart from it.
              </dd>
            </div>
            <div>
              <dt>Next</dt>
              <dd className="muted">
                The desk opens HALTED and leads through key, network, tokens, pairs, counterparty and checks.
              </dd>
            </div>
          </dl>
        </section>
      </div>
    </>
  );
}
