import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { FormStack } from '../../components/stack.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './settings-page.module.css';
import type { SectionProps, Settings } from './use-settings.ts';

type Service = Settings['services'][number];

/** The services that are asked for orders, prices and quotes, and the key that is sent there, told by its fingerprint. */
export function ServicesSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const [typing, setTyping] = useState<Service | null>(null);
  const [removing, setRemoving] = useState<Service | null>(null);
  const nameOf = (id: number) => settings.desk.chains.find(({ chainId }) => chainId === id)?.name ?? `chain ${id}`;
  return (
    <>
      {settings.services.length === 0 && (
        <Empty title="No service yet">A chain names its service in its settings, under Chains.</Empty>
      )}
      {settings.services.map((service) => {
        const { origin, chainIds, fingerprint } = service;
        return (
          <section key={origin} className={styles.setting} aria-label={origin}>
            <header>
              <Mark shape={fingerprint === null ? 'off' : 'done'} tone={fingerprint === null ? 'quiet' : 'ok'} />
              <h3>{origin}</h3>
              <span className="quiet">
                {chainIds.length === 0 ? 'asked by no chain any more' : chainIds.map(nameOf).join(', ')} ·{' '}
                {fingerprint === null ? (
                  'no key: asked once a second at most, as its free tier allows'
                ) : (
                  <>
                    key kept, fingerprint <span className="mono">{fingerprint}</span>, sent with each question
                  </>
                )}
              </span>
              {chainIds.length > 0 && (
                <Button look="quiet" onClick={() => setTyping(service)}>
                  {fingerprint === null ? 'Set a key…' : 'Replace…'}
                </Button>
              )}
              {chainIds.length > 0 && fingerprint !== null && (
                <Button look="quiet" onClick={() => setRemoving(service)}>
                  Remove…
                </Button>
              )}
            </header>
          </section>
        );
      })}
      {typing !== null && (
        <ServiceKeyForm
          origin={typing.origin}
          chainId={typing.chainIds[0] ?? 0}
          onSaved={() => {
            setTyping(null);
            onChanged();
          }}
          onClose={() => setTyping(null)}
        />
      )}
      {removing !== null && (
        <ConfirmDialog
          title="Remove the key?"
          keep="Keep it"
          act="Remove the key"
          send={async () => {
            await client.settings.setServiceKey({ chainId: removing.chainIds[0] ?? 0, key: null });
            onChanged();
          }}
          onClose={() => setRemoving(null)}
        >
          {removing.origin} then counts this desk among its free tier. The key is not kept anywhere here.
        </ConfirmDialog>
      )}
    </>
  );
}

/** The key of this desk at a service: typed in, sealed, and never shown again. */
function ServiceKeyForm(props: { origin: string; chainId: number; onSaved: () => void; onClose: () => void }) {
  const { origin, chainId, onSaved, onClose } = props;
  const client = useClient();
  const [key, setKey] = useState('');
  const save = useCommand(async () => {
    await client.settings.setServiceKey({ chainId, key: key.trim() });
    onSaved();
  });
  return (
    <Dialog title="Key to the service" onClose={onClose}>
      <FormStack
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <Field
          label="Key"
          large
          type="password"
          hint={`sent to ${origin} and nowhere else`}
          value={key}
          fault={faultOf(save.refusal, 'key')}
          onChange={(event) => setKey(event.target.value)}
        />
        {save.refusal !== null && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, ['key'])} />
        )}
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={key.trim() === '' || save.busy}>
            Keep it sealed
          </Button>
        </DialogActions>
      </FormStack>
    </Dialog>
  );
}
