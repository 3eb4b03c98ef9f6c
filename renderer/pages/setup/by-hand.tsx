import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CounterpartyFields } from '../../components/counterparty-fields.tsx';
import fieldStyles from '../../components/field.module.css';
import { Field } from '../../components/field.tsx';
import { NetworkField, NodeField } from '../../components/network-fields.tsx';
import { RefusalNote } from '../../components/note.tsx';
import panelStyles from '../../components/panel.module.css';
import { useClient } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { useSettings } from '../settings/use-settings.ts';
import styles from './by-hand.module.css';
import { SetupChecks } from './setup-checks.tsx';
import { deskOf, emptySetup, lacking, type SetupTexts } from './setup-fields.ts';
import { useOpenDesk } from './use-open-desk.ts';

/** A desk from a network preset: chain, key, counterparty, each checked as it is typed. */
export function ByHand() {
  const openDesk = useOpenDesk();
  const settings = useSettings();
  const [texts, setTexts] = useState(emptySetup);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const signer = settings.data?.signer.address ?? null;
  const lacks = lacking(texts, signer);
  const open = useCommand(async () => {
    if (signer !== null) await openDesk(deskOf(texts, signer));
  });
  const set = (change: Partial<SetupTexts>) => {
    setTexts({ ...texts, ...change });
    setTouched(new Set([...touched, ...Object.keys(change)]));
  };
  const faultOf = (field: keyof SetupTexts) => (touched.has(field) ? lacks[field] : undefined);
  const step = { texts, set, faultOf };
  return (
    <div className={styles.byHand}>
      <form
        className={panelStyles.panel}
        aria-label="By hand"
        onSubmit={(event) => {
          event.preventDefault();
          open.run();
        }}
      >
        <div className="scroll">
          <ChainStep {...step} />
          <KeyStep
            {...step}
            signer={signer}
            why={settings.data?.signer.why ?? null}
            onMade={() => void settings.changed()}
          />
          <CounterpartyStep {...step} />
          {open.refusal !== null && (
            <RefusalNote refusal={open.refusal} elsewhere={faultsElsewhere(open.refusal, [])} />
          )}
        </div>
        <footer>
          <span className="fill">
            <b className="strong">The desk opens HALTED.</b>{' '}
            <span className="muted">Tokens and pairs come next; going live is a separate step, with a reason.</span>
          </span>
          <Button type="submit" look="primary" size="large" disabled={Object.keys(lacks).length > 0 || open.busy}>
            Open the desk
          </Button>
        </footer>
      </form>
      <SetupChecks texts={texts} lacks={lacks} signer={signer} />
    </div>
  );
}

interface StepProps {
  texts: SetupTexts;
  set: (change: Partial<SetupTexts>) => void;
  faultOf: (field: keyof SetupTexts) => string | undefined;
}

function ChainStep({ texts, set, faultOf }: StepProps) {
  return (
    <Step number={1} name="Chain" look={styles.chain} says="contract addresses come from the preset">
      <NetworkField
        networks={NETWORKS}
        chainId={texts.chainId}
        onChange={({ chainId, rfqContract }) => set({ chainId, rfqContract })}
      />
      <Field
        label="RFQ contract"
        large
        className="mono"
        hint="from the preset"
        value={texts.rfqContract}
        fault={faultOf('rfqContract')}
        onChange={(event) => set({ rfqContract: event.target.value.trim() })}
      />
      <NodeField value={texts.rpcUrl} fault={faultOf('rpcUrl')} onChange={(rpcUrl) => set({ rpcUrl })} />
    </Step>
  );
}

function KeyStep(props: StepProps & { signer: string | null; why: string | null; onMade: () => void }) {
  const { texts, set, faultOf, signer, onMade } = props;
  const client = useClient();
  const make = useCommand(async () => {
    const { address } = await client.settings.makeKey();
    if (texts.maker === '') set({ maker: address });
    onMade();
  });
  return (
    <Step number={2} name="Keys" look={styles.keys} says="the signer’s key never leaves this desk">
      <div className={fieldStyles.field}>
        <span className="label">Signer</span>
        {signer === null ? (
          <Button size="large" disabled={make.busy} onClick={() => make.run()}>
            {make.busy ? 'Making…' : 'Make a key'}
          </Button>
        ) : (
          <output className={`mono ${styles.signer}`}>{signer}</output>
        )}
        <span className={fieldStyles.hint}>
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
        large
        className="mono"
        placeholder="0x…"
        hint="the signer itself, or a contract that takes its signature"
        value={texts.maker}
        fault={faultOf('maker')}
        onChange={(event) => set({ maker: event.target.value.trim() })}
      />
      {signer !== null && texts.maker === '' && (
        <Button size="large" className="below-label" onClick={() => set({ maker: signer })}>
          The signer holds them
        </Button>
      )}
      {make.refusal !== null && <RefusalNote refusal={make.refusal} />}
    </Step>
  );
}

function CounterpartyStep({ texts, set, faultOf }: StepProps) {
  return (
    <Step number={3} name="Counterparty" says="typed in, sealed, never shown again">
      <CounterpartyFields texts={texts} set={set} faultOf={faultOf} prefix={`/${texts.chainId}`} />
    </Step>
  );
}

function Step(props: { number: number; name: string; look?: string; says: string; children: ReactNode }) {
  const { number, name, look = '', says, children } = props;
  return (
    <section className={styles.step} aria-label={name}>
      <span className={styles.stepNumber} aria-hidden="true">
        {number}
      </span>
      <div className="fill">
        <h3>
          {name} <span className="quiet">{says}</span>
        </h3>
        <div className={`${styles.stepFields} ${look}`}>{children}</div>
      </div>
    </section>
  );
}
