import type { ReactNode } from 'react';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { useCommand } from '../../state/use-command.ts';
import type { SetupTexts } from './setup-fields.ts';

interface StepProps {
  texts: SetupTexts;
  set: (change: Partial<SetupTexts>) => void;
  faultOf: (field: keyof SetupTexts) => string | undefined;
}

export function ChainStep({ texts, set, faultOf }: StepProps) {
  return (
    <Step number={1} name="Chain" look="is-chain" says="contract addresses come from the preset">
      <div className="field">
        <label>
          <span className="label">Network</span>
          <select
            className="input is-large"
            value={texts.chainId}
            onChange={(event) => {
              const network = NETWORKS.find(({ chainId }) => chainId === Number(event.target.value));
              if (network !== undefined) set({ chainId: network.chainId, rfqContract: network.rfqContract });
            }}
          >
            {NETWORKS.map(({ chainId, name }) => (
              <option key={chainId} value={chainId}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <span className="hint">chain {texts.chainId}</span>
      </div>
      <Field
        label="RFQ contract"
        className="is-large mono"
        hint="from the preset"
        value={texts.rfqContract}
        fault={faultOf('rfqContract')}
        onChange={(event) => set({ rfqContract: event.target.value.trim() })}
      />
      <Field
        label="Node"
        className="is-large mono"
        placeholder="wss://…"
        hint="answers for this chain"
        value={texts.rpcUrl}
        fault={faultOf('rpcUrl')}
        onChange={(event) => set({ rpcUrl: event.target.value })}
      />
    </Step>
  );
}

export function KeyStep(props: StepProps & { signer: string | null; why: string | null; onMade: () => void }) {
  const { texts, set, faultOf, signer, onMade } = props;
  const client = useClient();
  const make = useCommand(async () => {
    const { address } = await client.settings.makeKey();
    if (texts.maker === '') set({ maker: address });
    onMade();
  });
  return (
    <Step number={2} name="Keys" look="is-keys" says="the signer’s key never leaves this desk">
      <div className="field">
        <span className="label">Signer</span>
        {signer === null ? (
          <button type="button" className="button is-large" disabled={make.busy} onClick={() => make.run()}>
            {make.busy ? 'Making…' : 'Make a key'}
          </button>
        ) : (
          <output className="mono signer">{signer}</output>
        )}
        <span className="hint">
          {signer === null ? (
            <>
              or bring one: <span className="nowrap">makerdesk key import --keystore FILE</span>
            </>
          ) : (
            'keystore v3, mode 0600'
          )}
        </span>
      </div>
      <Field
        label="Maker (holds the funds)"
        className="is-large mono"
        placeholder="0x…"
        hint="the signer itself, or a contract that takes its signature"
        value={texts.maker}
        fault={faultOf('maker')}
        onChange={(event) => set({ maker: event.target.value.trim() })}
      />
      {signer !== null && texts.maker === '' && (
        <button type="button" className="button is-large below-label" onClick={() => set({ maker: signer })}>
          The signer holds them
        </button>
      )}
      {make.refusal !== null && <RefusalNote refusal={make.refusal} />}
    </Step>
  );
}

export function CounterpartyStep({ texts, set, faultOf }: StepProps) {
  return (
    <Step number={3} name="Counterparty" says="typed in, sealed, never shown again">
      <Field
        label="Domain"
        className="is-large"
        hint="as agreed with the service"
        value={texts.domain}
        fault={faultOf('domain')}
        onChange={(event) => set({ domain: event.target.value })}
      />
      <div className="field">
        <label>
          <span className="label">Signed path</span>
          <select
            className="input is-large"
            value={texts.signedPath}
            onChange={(event) => set({ signedPath: event.target.value === 'full' ? 'full' : 'without-prefix' })}
          >
            <option value="full">with /{texts.chainId}</option>
            <option value="without-prefix">without it</option>
          </select>
        </label>
        <span className="hint">“without” if they sign the bare path</span>
      </div>
      <Field
        label="Access key"
        className="is-large"
        type="password"
        value={texts.accessKey}
        fault={faultOf('accessKey')}
        onChange={(event) => set({ accessKey: event.target.value })}
      />
      <Field
        label="Secret key"
        className="is-large"
        type="password"
        value={texts.secretKey}
        fault={faultOf('secretKey')}
        onChange={(event) => set({ secretKey: event.target.value })}
      />
    </Step>
  );
}

function Step(props: { number: number; name: string; look?: string; says: string; children: ReactNode }) {
  const { number, name, look = '', says, children } = props;
  return (
    <section className="step" aria-label={name}>
      <span className="step-number" aria-hidden="true">
        {number}
      </span>
      <div className="fill">
        <h3>
          {name} <span className="quiet">{says}</span>
        </h3>
        <div className={`step-fields ${look}`}>{children}</div>
      </div>
    </section>
  );
}
