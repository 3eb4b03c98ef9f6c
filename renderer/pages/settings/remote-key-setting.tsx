import { useState } from 'react';
import {
  type RemoteSignerConfig,
  remoteSignerSchema,
  SIGNER_METHODS,
} from '../../../electron/contract/remote-signer.ts';
import { Button } from '../../components/button.tsx';
import { Field, SelectField } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import { useHalted } from './halted-only.tsx';
import styles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

type Place = 'folder' | RemoteSignerConfig['kind'];

const PLACES: readonly { value: Place; text: string }[] = [
  { value: 'folder', text: 'in the folder of this desk' },
  { value: 'json-rpc', text: 'a signer over JSON-RPC (Web3Signer, Clef, a node)' },
  { value: 'aws-kms', text: 'AWS KMS' },
  { value: 'google-kms', text: 'Google Cloud KMS' },
];

/** What is typed for each place; `address` and `timeoutMs` are asked for whichever it is. */
const FIELDS: Record<RemoteSignerConfig['kind'], readonly { name: string; label: string; hint: string }[]> = {
  'json-rpc': [
    { name: 'url', label: 'Address of the signer', hint: 'such as http://127.0.0.1:9000, without a password' },
  ],
  'aws-kms': [
    { name: 'keyId', label: 'Key', hint: 'its ID, ARN or alias; ECC_SECG_P256K1, for signing' },
    { name: 'region', label: 'Region', hint: 'such as eu-central-1' },
  ],
  'google-kms': [
    { name: 'keyVersion', label: 'Key version', hint: 'projects/…/cryptoKeyVersions/1; EC_SIGN_SECP256K1_SHA256' },
  ],
};

/** Where the key is: in the folder, or with somebody else who is asked to sign. */
export function RemoteKeySetting({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const isHalted = useHalted();
  const known = settings.remoteSigner;
  const [place, setPlace] = useState<Place>(known?.kind ?? 'folder');
  const [texts, setTexts] = useState<Record<string, string>>(() => textsOf(known));
  const isFolder = place === 'folder';
  const wanted = isFolder ? null : remoteSignerSchema.safeParse(configOf(place, texts));
  const config = wanted?.data ?? null;
  const faults = new Map(wanted?.error?.issues.map(({ path, message }) => [String(path[0]), message]));
  const [tookMs, setTookMs] = useState<number | null>(null);
  const attempt = useCommand(async (asked: RemoteSignerConfig) => {
    setTookMs(null);
    setTookMs((await client.settings.tryRemoteSigner(asked)).tookMs);
  });
  const save = useCommand(async () => {
    await client.settings.saveRemoteSigner({ remoteSigner: config });
    onChanged();
  });
  const set = (name: string) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const field = (name: string, label: string, hint: string) => {
    const text = texts[name] ?? '';
    return (
      <Field
        key={name}
        label={label}
        hint={hint}
        value={text}
        disabled={!isHalted}
        fault={text === '' ? null : (faults.get(name) ?? null)}
        onChange={(event) => set(name)(event.target.value)}
      />
    );
  };
  const isSame = JSON.stringify(config) === JSON.stringify(known);
  return (
    <section className={styles.setting} aria-label="Where the key is">
      <header>
        <h3>Where the key is</h3>
        <span className="quiet">
          {isHalted
            ? 'what is signed elsewhere is used only once it was recovered to its address'
            : 'can be changed only while the desk is halted'}
        </span>
      </header>
      <div className={styles.form}>
        <div className={styles.wide}>
          <FormStack
            onSubmit={(event) => {
              event.preventDefault();
              if ((isFolder || config !== null) && !isSame) save.run();
            }}
          >
            <SelectField label="The key is" value={place} options={PLACES} disabled={!isHalted} onChange={setPlace} />
            {!isFolder && (
              <>
                {field('address', 'Address of the key', 'as the chains name their signer')}
                {FIELDS[place].map(({ name, label, hint }) => field(name, label, hint))}
                {place === 'json-rpc' && (
                  <SelectField
                    label="Method"
                    value={texts.method ?? SIGNER_METHODS[0]}
                    options={SIGNER_METHODS.map((method) => ({ value: method as string, text: method }))}
                    disabled={!isHalted}
                    onChange={set('method')}
                  />
                )}
                {field(
                  'timeoutMs',
                  'Signs within, ms',
                  '100 to 10,000; 1,500 unless set. A quote is answered within its own deadline',
                )}
              </>
            )}
            {attempt.refusal !== null && <RefusalNote refusal={attempt.refusal} />}
            {tookMs !== null && (
              <p role="status">It signed in {tookMs} ms, and what it signed recovers to the address of the key.</p>
            )}
            {save.refusal !== null && <RefusalNote refusal={save.refusal} />}
            <div>
              <Button type="submit" disabled={!isHalted || (!isFolder && config === null) || isSame || save.busy}>
                Save
              </Button>{' '}
              {!isFolder && (
                <Button
                  disabled={config === null || attempt.busy}
                  onClick={() => config !== null && attempt.run(config)}
                >
                  {attempt.busy ? 'Asking it to sign…' : 'Try it'}
                </Button>
              )}
            </div>
          </FormStack>
        </div>
      </div>
    </section>
  );
}

function textsOf(config: RemoteSignerConfig | null): Record<string, string> {
  return Object.fromEntries(Object.entries(config ?? {}).map(([name, value]) => [name, `${value}`]));
}

/** Only the fields of its kind: a name that stands for another kind would be refused. */
function configOf(kind: RemoteSignerConfig['kind'], texts: Record<string, string>): Record<string, unknown> {
  const names = [
    'address',
    'endpoint',
    ...FIELDS[kind].map(({ name }) => name),
    ...(kind === 'json-rpc' ? ['method'] : []),
  ];
  const typed = names.flatMap((name) => (texts[name]?.trim() ? [[name, texts[name].trim()]] : []));
  const timeout = texts.timeoutMs?.trim();
  return { kind, ...Object.fromEntries(typed), ...(timeout ? { timeoutMs: Number(timeout) } : {}) };
}
