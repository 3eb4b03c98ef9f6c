import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Mark } from '../../components/mark.tsx';
import { useClient } from '../../state/console.tsx';
import { CounterpartyForm } from './counterparty-form.tsx';
import { HaltedOnly, useHalted } from './halted-only.tsx';
import type { SectionProps } from './section-props.ts';
import { SurfaceNamesForm } from './surface-names-form.tsx';

/** Who may ask for quotes. A secret is typed in, sealed, and never shown again: its fingerprint tells two apart. */
export function CounterpartiesSection({ settings, onChanged }: SectionProps) {
  const client = useClient();
  const halted = useHalted();
  const [editing, setEditing] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const { counterparties } = settings.desk;
  return (
    <>
      <HaltedOnly />
      {counterparties.length === 0 && (
        <Empty title="No counterparty yet">
          Without one anybody on this machine may ask unsigned, and the desk listens on loopback only.
        </Empty>
      )}
      {counterparties.map(({ domain, signedPath, oneOrderPerSignature }) => {
        const print = settings.secrets.find((secret) => secret.domain === domain)?.fingerprint ?? null;
        return (
          <section key={domain} className="setting" aria-label={domain}>
            <header>
              <Mark shape={print === null ? 'refused' : 'done'} tone={print === null ? 'stop' : 'ok'} />
              <h3>{domain}</h3>
              <span className="quiet">
                {print === null ? 'no secret kept: its requests are refused' : `secret kept, fingerprint ${print}`} ·
                signs {signedPath === 'full' ? 'the whole path' : 'the path without its prefix'} ·{' '}
                {oneOrderPerSignature === false
                  ? 'a firm request that is sent again gets another order'
                  : 'one order a signature'}
              </span>
              <span className="fill" />
              <button type="button" className="button is-quiet" disabled={!halted} onClick={() => setEditing(domain)}>
                Change…
              </button>
              <button type="button" className="button is-quiet" disabled={!halted} onClick={() => setRemoving(domain)}>
                Remove…
              </button>
            </header>
          </section>
        );
      })}
      <div className="setting-foot">
        <button type="button" className="button" disabled={!halted} onClick={() => setEditing('')}>
          Add a counterparty…
        </button>
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
          Its requests are answered 401 from then on. The last counterparty removed leaves a surface without
          authentication, on loopback only.
        </ConfirmDialog>
      )}
    </>
  );
}
