import { useState } from 'react';
import { RefusalNote } from '../../components/note.tsx';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { useSettings } from '../settings/use-settings.ts';
import { ChainStep, CounterpartyStep, KeyStep } from './by-hand-steps.tsx';
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
    <div className="by-hand">
      <form
        className="panel"
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
          <button
            type="submit"
            className="button is-large is-primary"
            disabled={Object.keys(lacks).length > 0 || open.busy}
          >
            Open the desk
          </button>
        </footer>
      </form>
      <SetupChecks texts={texts} lacks={lacks} signer={signer} />
    </div>
  );
}
