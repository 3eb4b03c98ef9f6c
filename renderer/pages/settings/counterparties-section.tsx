import { useState } from 'react';
import { type CounterpartyConfig, networksSchema, surfaceNamesSchema } from '../../../electron/contract/desk-file.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CounterpartyFields, type CounterpartyTexts } from '../../components/counterparty-fields.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Counterparty } from '../../components/figures/party.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Note, RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient, useToasts } from '../../state/console.tsx';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import { useHalted } from './halted-only.tsx';
import styles from './settings-page.module.css';
import type { SectionProps } from './use-settings.ts';

/** Who may ask for quotes. A secret is typed in, sealed, and never shown again: its fingerprint tells two apart. */
export function CounterpartiesSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const halted = useHalted();
  const [editing, setEditing] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [ending, setEnding] = useState<CounterpartyConfig | null>(null);
  const { counterparties } = settings.desk;
  const isLast = counterparties.length === 1;
  return (
    <>
      {counterparties.length === 0 && (
        <Empty title="No counterparty yet">
          Without one anybody on this machine may ask unsigned, and the desk listens on loopback only.
        </Empty>
      )}
      {counterparties.map((counterparty) => {
        const { domain, signedPath, oneOrderPerSignature, addresses, proxies } = counterparty;
        const earlier = settings.earlierKeys.find((one) => one.domain === domain);
        const refused = settings.refusedAddresses.find((one) => one.domain === domain);
        const print = settings.secrets.find((secret) => secret.domain === domain)?.fingerprint ?? null;
        return (
          <section key={domain} className={styles.setting} aria-label={domain}>
            <header>
              <Mark shape={print === null ? 'refused' : 'done'} tone={print === null ? 'stop' : 'ok'} />
              <h3>
                <Counterparty domain={domain} renames />
              </h3>
              <span className="quiet">
                {print === null ? (
                  'no secret kept: its requests are refused'
                ) : (
                  <>
                    secret kept, fingerprint <span className="mono">{print}</span>
                  </>
                )}{' '}
                · signs {signedPath === 'full' ? 'the whole path' : 'the path without its prefix'} ·{' '}
                {oneOrderPerSignature === false
                  ? 'a firm request that is sent again gets another order'
                  : 'one order a signature'}{' '}
                · from {addresses === undefined ? 'any address' : addresses.join(', ')}
                {proxies !== undefined && `, through ${proxies.join(', ')}`}
              </span>
              <Button look="quiet" onClick={() => setEditing(domain)}>
                Change…
              </Button>
              <Button
                look="quiet"
                disabled={isLast && !halted}
                title={isLast && !halted ? 'The last one is removed only while the desk is halted.' : undefined}
                onClick={() => setRemoving(domain)}
              >
                Remove…
              </Button>
            </header>
            {earlier !== undefined && (
              <Note
                level="note"
                title={`The earlier keys, fingerprint ${earlier.fingerprint}, are taken as well.`}
                actions={<Button onClick={() => setEnding(counterparty)}>End the earlier keys…</Button>}
              >
                {earlier.lastUsed === null
                  ? 'Nobody has signed with them since the desk started or they became the earlier ones.'
                  : `Last used at ${stampText(earlier.lastUsed)} ${zoneName(earlier.lastUsed)}.`}
              </Note>
            )}
            {refused !== undefined && (
              <Note
                level="look"
                title={`${refused.count} requests with its keys came from elsewhere and were refused.`}
              >
                The last at {stampText(refused.at)} {zoneName(refused.at)} from{' '}
                {refused.address ?? 'an unknown address'}. Add the address if it is theirs. If not, somebody else has
                the keys: change them.
              </Note>
            )}
          </section>
        );
      })}
      <div className={styles.foot}>
        <Button onClick={() => setEditing('')}>Add a counterparty…</Button>
      </div>
      <SurfaceNamesForm
        key={settings.desk.surfaceNames.join(' ')}
        known={settings.desk.surfaceNames}
        anybodySigns={counterparties.length > 0}
        onSaved={onChanged}
      />
      {editing !== null && (
        <CounterpartyForm
          known={counterparties.find(({ domain }) => domain === editing) ?? null}
          onSaved={() => {
            setEditing(null);
            onChanged();
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {ending !== null && (
        <ConfirmDialog
          title={`End the earlier keys of ${ending.domain}?`}
          keep="Go on taking them"
          act="End them"
          send={async () => {
            await client.settings.saveCounterparty({ counterparty: ending, seen: ending, earlierKeys: 'end' });
            onChanged();
          }}
          onClose={() => setEnding(null)}
        >
          Whoever still signs with them is answered 401 from then on, and its channels are closed: they can be opened
          again with the new keys.
        </ConfirmDialog>
      )}
      {removing !== null && (
        <ConfirmDialog
          title={`Remove ${removing}?`}
          keep="Keep it"
          act={`Remove ${removing}`}
          send={async () => {
            await client.settings.removeCounterparty({ domain: removing });
            onChanged();
          }}
          onClose={() => setRemoving(null)}
        >
          Its requests are answered 401 from then on; the others are not affected. The last counterparty removed leaves
          a surface without authentication, on loopback only.
        </ConfirmDialog>
      )}
    </>
  );
}

const FIELDS = ['domain', 'accessKey', 'secretKey', 'addresses', 'proxies'];

/** A counterparty's credentials. Those of a known one may stay empty: then what is kept stays in force. Its traffic alone stops. */
function CounterpartyForm(props: { known: CounterpartyConfig | null; onSaved: () => void; onClose: () => void }) {
  const { onSaved, onClose } = props;
  const client = useClient();
  // As it was when the form was opened, whatever others have saved since.
  const [known] = useState(props.known);
  const [texts, setTexts] = useState<CounterpartyTexts>({
    domain: known?.domain ?? '',
    accessKey: '',
    secretKey: '',
    signedPath: known?.signedPath ?? 'full',
    oneOrderPerSignature: known?.oneOrderPerSignature !== false,
  });
  const [keepsEarlier, setKeepsEarlier] = useState(false);
  const [addresses, setAddresses] = useState(known?.addresses?.join(', ') ?? '');
  const [proxies, setProxies] = useState(known?.proxies?.join(', ') ?? '');
  const save = useCommand(async () => {
    const { domain, accessKey, secretKey, signedPath, oneOrderPerSignature } = texts;
    const keys = { ...(accessKey !== '' && { accessKey }), ...(secretKey !== '' && { secretKey }) };
    const from = { ...networksIn('addresses', addresses), ...networksIn('proxies', proxies) };
    const counterparty = { domain: domain.trim(), signedPath, oneOrderPerSignature, ...from, ...keys };
    const isRenewed = known !== null && secretKey !== '' && keepsEarlier;
    await client.settings.saveCounterparty({ counterparty, seen: known, ...(isRenewed && { earlierKeys: 'keep' }) });
    onSaved();
  });
  return (
    <Dialog title={known === null ? 'Add a counterparty' : `Change ${known.domain}`} onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <CounterpartyFields
          texts={texts}
          set={(change) => setTexts({ ...texts, ...change })}
          faultOf={(field) => faultOf(save.refusal, field)}
          prefix="its prefix, such as /1"
          isKnown={known !== null}
        />
        {known !== null && texts.secretKey !== '' && (
          <label>
            <input type="checkbox" checked={keepsEarlier} onChange={(event) => setKeepsEarlier(event.target.checked)} />{' '}
            The earlier keys are taken as well, until you end them.
          </label>
        )}
        <Field
          label="May ask from"
          large
          className="mono"
          placeholder="any address"
          hint="addresses and networks such as 203.0.113.0/24, commas between"
          value={addresses}
          fault={faultOf(save.refusal, 'addresses')}
          onChange={(event) => setAddresses(event.target.value)}
        />
        <Field
          label="Through your own proxies"
          large
          className="mono"
          placeholder="none"
          hint="what these say in X-Forwarded-For is believed"
          value={proxies}
          fault={faultOf(save.refusal, 'proxies')}
          onChange={(event) => setProxies(event.target.value)}
        />
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} showNow={onSaved} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={texts.domain.trim() === '' || save.busy}>
            Save
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}

/** The host names that a surface without counterparties answers to, beside those of this machine. */
function SurfaceNamesForm(props: { known: readonly string[]; anybodySigns: boolean; onSaved: () => void }) {
  const { known, anybodySigns, onSaved } = props;
  const client = useClient();
  const toasts = useToasts();
  const halted = useHalted();
  const [typed, setTyped] = useState(known.join(', '));
  const save = useCommand(async () => {
    const surfaceNames = namesIn(typed);
    await client.settings.saveSurfaceNames({ surfaceNames, seen: [...known] });
    toasts.show({ level: 'done', title: 'Host names are saved' });
    onSaved();
  });
  const { refusal } = save;
  const isStale = refusal?.code === 'changed_meanwhile';
  const fault = isStale ? null : refusal?.faults.map(({ message }) => message).join(' ') || null;
  return (
    <section className={styles.setting} aria-label="Host names">
      <header>
        <h3>Host names</h3>
        <span className="quiet">
          {anybodySigns
            ? 'matter only while there is no counterparty: whoever signs may ask by any name'
            : 'without a counterparty, whoever asks by another name is refused with 421'}
        </span>
      </header>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <div className={styles.wide}>
          <Field
            label="Also answers to, when nobody has to sign"
            className="mono"
            placeholder="this machine only"
            hint={
              halted
                ? 'What this machine is called in your network, commas between names. It always answers to localhost.'
                : 'Can be changed only while the desk is halted.'
            }
            disabled={!halted}
            value={typed}
            fault={fault}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" className="below-label" disabled={!halted || save.busy}>
          Save the names
        </Button>
        {refusal !== null && fault === null && (
          <RefusalNote
            refusal={refusal}
            elsewhere={refusal.faults.map(({ message }) => `It ${message}`)}
            showNow={onSaved}
          />
        )}
      </form>
    </section>
  );
}

/** @throws InputRefused where one of them is no host name, or there are too many */
function namesIn(typed: string): string[] {
  const names = typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '');
  const wrong = names.find((name) => !surfaceNamesSchema.safeParse([name]).success);
  if (wrong !== undefined) {
    throw new InputRefused([
      { path: 'surfaceNames', message: `“${wrong}” must be a host name alone, without https:// and port` },
    ]);
  }
  if (!surfaceNamesSchema.safeParse(names).success) {
    throw new InputRefused([{ path: 'surfaceNames', message: 'must be 20 names at most' }]);
  }
  return [...new Set(names)];
}

/** What was typed as a list; nothing where it is empty. @throws InputRefused where one of them is no address and no network */
function networksIn(path: 'addresses' | 'proxies', typed: string): Partial<Record<typeof path, string[]>> {
  const entries = typed.split(/[\s,;]+/).filter((entry) => entry !== '');
  if (entries.length === 0) return {};
  const wrong = entries.find((entry) => !networksSchema.safeParse([entry]).success);
  if (wrong !== undefined) {
    throw new InputRefused([{ path, message: `“${wrong}” must be an address, or a network such as 203.0.113.0/24` }]);
  }
  return { [path]: entries };
}
