import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { countText } from '../../components/figures/counts.ts';
import { stampText } from '../../components/figures/times.ts';
import { FileButton } from '../../components/file-button.tsx';
import { MissingArchives } from '../../components/missing-archives.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { PathField } from '../../components/path-field.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useEntranceClient } from '../../state/console.tsx';
import type { EntranceClient } from '../../state/entrance.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

type Done = Awaited<ReturnType<EntranceClient['putBack']>>;
interface Sealed {
  name: string;
  text: string;
}

/** The button that asks for a backup and puts it back. `isNew`: the folder has no key yet, so that the backup's own can come along. */
export function PutBack({ isNew }: { isNew: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Put a backup back…
      </Button>
      {open && <PutBackDialog isNew={isNew} onClose={() => setOpen(false)} />}
    </>
  );
}

function PutBackDialog({ isNew, onClose }: { isNew: boolean; onClose: () => void }) {
  const client = useEntranceClient();
  const [file, setFile] = useState('');
  const [keystore, setKeystore] = useState<Sealed | null>(null);
  const [secrets, setSecrets] = useState<Sealed | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [done, setDone] = useState<Done | null>(null);
  const isSealed = keystore !== null || secrets !== null;
  const put = useCommand(async () => {
    try {
      setDone(
        await client.putBack({
          file: file.trim(),
          keystore: keystore?.text ?? null,
          secrets: secrets?.text ?? null,
          passphrase: isSealed ? passphrase : undefined,
        }),
      );
    } finally {
      setPassphrase('');
    }
  });
  const isGiven = file.trim() !== '' && (!isSealed || passphrase !== '');
  if (done !== null) return <InPlace done={done} onClose={onClose} />;
  return (
    <Dialog title="Put a backup back" onClose={onClose}>
      <Lead>
        The backup takes the place of the journal here; what is here now is kept beside it. The desk then opens HALTED,
        and signs nothing until every quote that it may have signed since the backup is over, whatever is resumed
        meanwhile. Never do this while the desk still runs somewhere else: neither would know what the other signs.
      </Lead>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          if (isGiven) put.run();
        }}
      >
        <PathField
          label="File of the backup"
          hint="its whole path on this machine; it is read whole before anything is replaced"
          way="open"
          autoFocus
          value={file}
          fault={faultOf(put.refusal, 'file')}
          onChange={setFile}
        />
        {isNew && (
          <>
            <FileButton
              label={keystore === null ? 'Choose its keystore.json…' : keystore.name}
              onChoose={setKeystore}
            />
            <FileButton label={secrets === null ? 'Choose its secrets.json…' : secrets.name} onChoose={setSecrets} />
            <p className="muted">
              Both from the folder that the backup was made of. Without them a new passphrase is set, and key and
              secrets are brought in again by hand.
            </p>
            {isSealed && (
              <PassphraseField
                label="Their passphrase"
                hint="it has to open what you chose before anything is replaced"
                value={passphrase}
                onChange={setPassphrase}
              />
            )}
          </>
        )}
        {put.refusal !== null && (
          <RefusalNote refusal={put.refusal} elsewhere={faultsElsewhere(put.refusal, ['file'])} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={!isGiven || put.busy}>
            {put.busy ? 'Reading it…' : 'Put it back'}
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}

function InPlace({ done, onClose }: { done: Done; onClose: () => void }) {
  return (
    <Dialog title="The backup is in place" onClose={onClose}>
      <Lead>
        It has {countText(done.rows)} rows, the last of {stampText(done.lastAt)}.{' '}
        {done.kept === null ? 'There was no journal here before.' : 'The journal that was here is kept as'}{' '}
        {done.kept !== null && <span className="mono">{done.kept}</span>}
      </Lead>
      <MissingArchives files={done.missing} />
      <p>
        The desk opens HALTED. If it signed anything after this backup, it says so, and waits until that can no longer
        be filled. Resume it only once no other copy of it runs anywhere.
      </p>
      <DialogActions>
        <Button look="primary" size="large" onClick={onClose}>
          On to the passphrase
        </Button>
      </DialogActions>
    </Dialog>
  );
}
