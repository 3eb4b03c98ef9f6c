import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Address } from '../../components/figures/address.tsx';
import { FileButton } from '../../components/file-button.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { useClient, useConsole } from '../../state/console.tsx';
import type { EntranceClient } from '../../state/entrance.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './first-start.module.css';
import type { SetUp } from './set-up.ts';

/** The key that signs: made here, or brought in a keystore file, which is opened once and sealed anew under this desk's passphrase. */
export function KeyStep({ signer, onChanged }: SetUp) {
  const client = useClient();
  const { entrance } = useConsole();
  const make = useCommand(async () => {
    // Where the line broke meanwhile the key may be there all the same.
    await client.settings.makeKey().finally(onChanged);
  });
  if (signer !== null) {
    return (
      <p className={`${styles.text} with-mark`}>
        <Mark shape="done" tone="ok" />
        The key of <Address hex={signer} of="signer’s address" /> is here: a keystore (version 3) that only this user of
        the machine can read, sealed with the passphrase. Keep a copy of it elsewhere.
      </p>
    );
  }
  return (
    <div className={styles.halves}>
      <section aria-label="Make one">
        <h3>Make one</h3>
        <p className="muted">A new key that nobody else ever saw. It has no funds and no approvals yet.</p>
        <Button look="primary" size="large" disabled={make.busy} onClick={() => make.run()}>
          {make.busy ? 'Making…' : 'Make a key'}
        </Button>
        {make.refusal !== null && <RefusalNote refusal={make.refusal} />}
      </section>
      <section aria-label="Bring one">
        <h3>Bring one</h3>
        {entrance === null ? (
          <p className="muted">
            In the desktop app a keystore file can be chosen here. From a terminal:{' '}
            <span className="mono">makerdesk key import --keystore FILE</span>
          </p>
        ) : (
          <BringKey client={entrance.client} onBrought={onChanged} />
        )}
      </section>
    </div>
  );
}

function BringKey({ client, onBrought }: { client: EntranceClient; onBrought: () => void }) {
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const bring = useCommand(async () => {
    if (file === null) return;
    try {
      await client.importKey({ keystore: file.text, passphrase });
      onBrought();
    } finally {
      setPassphrase('');
    }
  });
  const isWrong = bring.refusal?.code === 'wrong_passphrase' && passphrase === '';
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null && passphrase !== '') bring.run();
      }}
    >
      <p className="muted">A keystore file (version 3), as geth, Foundry and wallets write it.</p>
      <FileButton label={file === null ? 'Choose the keystore file…' : file.name} onChoose={setFile} />
      <PassphraseField
        label="Passphrase of the file"
        value={passphrase}
        onChange={setPassphrase}
        fault={isWrong ? 'It does not open this file.' : null}
        hint="asked once; the key is then sealed with the desk’s own"
      />
      {bring.refusal !== null && bring.refusal.code !== 'wrong_passphrase' && <RefusalNote refusal={bring.refusal} />}
      <Button type="submit" size="large" disabled={file === null || passphrase === '' || bring.busy}>
        {bring.busy ? 'Opening…' : 'Bring it in'}
      </Button>
    </form>
  );
}
