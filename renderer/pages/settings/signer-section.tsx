import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keeperOf } from '../../../electron/contract/remote-signer.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Needs } from '../../components/needs.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { PassphraseField } from '../../components/passphrase-field.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useConsole, useQueries } from '../../state/console.tsx';
import type { EntranceClient } from '../../state/entrance.ts';
import { readWhole } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { useHalted } from './halted-only.tsx';
import { RemoteKeySetting } from './remote-key-setting.tsx';
import styles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

/** How often it is asked whether the key is locked: others lock it too, and so does time. */
const ASK_AGAIN_MS = 2_000;
/** A week, as the desk file allows it. */
const MOST_MINUTES = 10_080;

/** The key of the desk: whose it is, whether it is locked, and what it binds on each chain. The key itself is never shown. */
export function SignerSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const make = useCommand(async () => {
    await client.settings.makeKey();
    onChanged();
  });
  const { address, why } = settings.signer;
  return (
    <>
      {address === null ? (
        <Note
          level="look"
          title="This desk has no key yet."
          actions={
            <Button needs="admin" disabled={make.busy} onClick={() => make.run()}>
              Make a key
            </Button>
          }
        >
          {why}
        </Note>
      ) : (
        <>
          <KeySetting address={address} where={whereIs(settings)} />
          <Needs right="admin">
            <IdleSetting key={settings.lockAfterMinutes} minutes={settings.lockAfterMinutes} onChanged={onChanged} />
          </Needs>
        </>
      )}
      {make.refusal !== null && <RefusalNote refusal={make.refusal} />}
      <Needs right="admin">
        <RemoteKeySetting key={JSON.stringify(settings.remoteSigner)} settings={settings} onChanged={onChanged} />
      </Needs>
      {settings.desk.chains.map(({ chainId, name, maker, signer }) => {
        const ours = address !== null && signer.toLowerCase() === address.toLowerCase();
        return (
          <section key={chainId} className={styles.setting} aria-label={`Maker on ${name}`}>
            <header>
              <Mark shape={ours ? 'done' : 'refused'} tone={ours ? 'ok' : 'stop'} />
              <h3>{name}</h3>
              <span className="quiet">
                maker <Address hex={maker} of="maker’s address" />,{' '}
                {maker.toLowerCase() === signer.toLowerCase()
                  ? 'which signs for itself'
                  : 'a contract that is asked by EIP-1271 whether our signature binds it'}
                {ours ? '' : '; the desk file names another signer'}
              </span>
            </header>
          </section>
        );
      })}
    </>
  );
}

function whereIs({ remoteSigner, folder }: SectionProps['settings']): string {
  if (remoteSigner !== null) return `held elsewhere: ${keeperOf(remoteSigner)} signs`;
  return `a keystore of the Web3 Secret Storage form, in ${folder}`;
}

function KeySetting({ address, where }: { address: string; where: string }) {
  const client = useClient();
  const { entrance } = useConsole();
  const state = useQuery(useQueries().key.state.queryOptions({ staleTime: 0, refetchInterval: ASK_AGAIN_MS }));
  const again = () => void state.refetch();
  const lock = useCommand(() => client.key.lock().finally(again));
  const locked = state.data?.locked === true ? state.data : null;
  return (
    <section className={styles.setting} aria-label="Key">
      <header>
        <Mark shape={locked === null ? 'done' : 'refused'} tone={locked === null ? 'ok' : 'stop'} />
        <h3>{locked === null ? 'Key' : 'Key, locked'}</h3>
        <Address hex={address} of="signer’s address" />
        <span className="quiet">{where}</span>
        {state.data?.locked === false && (
          <Button
            needs="trade"
            disabled={lock.busy}
            onClick={() => lock.run()}
            title="Halts the desk, and takes the key out of memory"
          >
            Halt and lock
          </Button>
        )}
      </header>
      {lock.refusal !== null && <RefusalNote refusal={lock.refusal} />}
      {locked !== null && (
        <div className={styles.form}>
          <div className={styles.wide}>
            {entrance === null ? (
              <p>
                Nothing is signed until it is unlocked on the desk’s own machine: in its desktop app, or with{' '}
                <span className="mono">makerdesk unlock</span>
              </p>
            ) : (
              <UnlockForm client={entrance.client} wrong={locked.wrong} nextAt={locked.nextAt} onTried={again} />
            )}
          </div>
        </div>
      )}
    </section>
  );
}

function UnlockForm(props: { client: EntranceClient; wrong: number; nextAt: number; onTried: () => void }) {
  const { client, wrong, nextAt, onTried } = props;
  const now = useDeskNow();
  const [passphrase, setPassphrase] = useState('');
  const unlock = useCommand(async () => {
    try {
      await client.unlock({ passphrase });
    } finally {
      setPassphrase('');
      onTried();
    }
  });
  const waits = nextAt > now;
  const isWrong = unlock.refusal?.code === 'wrong_passphrase' && passphrase === '';
  return (
    <FormStack
      onSubmit={(event) => {
        event.preventDefault();
        if (passphrase !== '' && !waits) unlock.run();
      }}
    >
      <PassphraseField
        label="Passphrase"
        value={passphrase}
        onChange={setPassphrase}
        fault={isWrong ? 'This is not the passphrase of this desk.' : null}
        hint="the desk stays halted; going live is a separate step"
      />
      {unlock.refusal !== null && unlock.refusal.code !== 'wrong_passphrase' && (
        <RefusalNote refusal={unlock.refusal} />
      )}
      <div>
        <Button type="submit" size="large" disabled={passphrase === '' || waits || unlock.busy}>
          {unlock.busy ? 'Unlocking…' : 'Unlock'}
        </Button>{' '}
        <span className="muted" role="status">
          {wrong > 0 && `${plural(wrong, 'wrong passphrase')} since the start. `}
          {waits && (
            <>
              The next one is taken in <Countdown until={nextAt} />
            </>
          )}
        </span>
      </div>
    </FormStack>
  );
}

function IdleSetting({ minutes, onChanged }: { minutes: number | null; onChanged: () => void }) {
  const client = useClient();
  const isHalted = useHalted();
  const [text, setText] = useState(minutes === null ? '' : `${minutes}`);
  const typed = text.trim() === '' ? { value: null, fault: null } : readWhole(text, 1, MOST_MINUTES);
  const save = useCommand(async () => {
    await client.settings.saveLockAfter({ minutes: typed.value });
    onChanged();
  });
  return (
    <section className={styles.setting} aria-label="Locks by itself">
      <header>
        <h3>Locks by itself</h3>
        <span className="quiet">
          {minutes === null
            ? 'never'
            : `once nobody has published, switched or set anything for ${plural(minutes, 'minute')}; only looking does not count`}
        </span>
      </header>
      <div className={styles.form}>
        <div className={styles.wide}>
          <FormStack
            onSubmit={(event) => {
              event.preventDefault();
              if (typed.fault === null) save.run();
            }}
          >
            <Field
              label="Halt and lock after, min"
              hint={isHalted ? 'empty is never' : 'can be changed only while the desk is halted'}
              inputMode="numeric"
              value={text}
              disabled={!isHalted}
              fault={typed.fault ?? faultOf(save.refusal, 'lockAfterMinutes')}
              onChange={(event) => setText(event.target.value)}
            />
            {save.refusal !== null && (
              <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, ['lockAfterMinutes'])} />
            )}
            <div>
              <Button
                type="submit"
                disabled={!isHalted || typed.fault !== null || typed.value === minutes || save.busy}
              >
                Save
              </Button>
            </div>
          </FormStack>
        </div>
      </div>
    </section>
  );
}
