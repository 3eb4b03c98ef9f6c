import { useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { isSealed } from '../../../electron/contract/sealed-url.ts';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';
import { CHAIN_FIELDS, type ChainField, chainOf, textsOf } from './chain-fields.ts';
import { useHalted } from './halted-only.tsx';

const FIELDS = CHAIN_FIELDS.map(({ field }) => field as string);
const WIDE: ReadonlySet<ChainField> = new Set([
  'rpcUrl',
  'rfqContract',
  'maker',
  'signer',
  'serviceUrl',
  'referenceUrl',
  'router',
  'intentContract',
  'permit2',
]);

/** Everything of a chain but its lists, saved as one change. */
export function ChainForm({ chain, onSaved }: { chain: SetUpChain; onSaved: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const halted = useHalted();
  const [texts, setTexts] = useState(() => textsOf(chain));
  const [ways, setWays] = useState(() => ({
    clipToBalance: chain.clipToBalance,
    deadSide: chain.deadSide,
    strictListing: chain.strictListing,
    blacklistedAnswer: chain.blacklistedAnswer,
    offReferenceCloses: chain.offReferenceCloses,
    unknownFillHalts: chain.unknownFillHalts,
  }));
  const save = useCommand(async () => {
    await client.settings.saveChain({ chain: { chainId: chain.chainId, ...chainOf(texts), ...ways } });
    toasts.show({
      level: 'done',
      title: `${chain.name} is saved`,
      detail: 'The chain is checked anew before it can go live.',
    });
    onSaved();
  });
  return (
    <form
      className="setting-form"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      {CHAIN_FIELDS.map(({ field, label, hint }) => (
        <div key={field} className={WIDE.has(field) ? 'is-wide' : ''}>
          <Field
            label={label}
            hint={isSealed(texts[field]) ? 'its key is sealed: leave it so, or give the whole address' : hint}
            className={WIDE.has(field) ? 'mono' : ''}
            disabled={!halted}
            value={texts[field]}
            fault={faultOf(save.refusal, field)}
            onChange={(event) => setTexts({ ...texts, [field]: event.target.value })}
          />
        </div>
      ))}
      <SelectField
        label="Grid"
        value={ways.clipToBalance ? 'clip' : 'whole'}
        options={[
          { value: 'clip', text: 'cut to what can be signed' },
          { value: 'whole', text: 'served whole' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, clipToBalance: value === 'clip' })}
      />
      <SelectField
        label="What strict services refuse"
        value={ways.strictListing ? 'left out' : 'served'}
        options={[
          { value: 'served', text: 'is served' },
          { value: 'left out', text: 'is left out' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, strictListing: value === 'left out' })}
      />
      <SelectField
        label="A side that is off"
        value={ways.deadSide}
        options={[
          { value: 'omit', text: 'is left out' },
          { value: 'empty', text: 'is an empty list' },
        ]}
        disabled={!halted}
        onChange={(deadSide) => setWays({ ...ways, deadSide })}
      />
      <SelectField
        label="A blacklisted user gets"
        value={ways.blacklistedAnswer}
        options={[
          { value: 'omit', text: '200 without an order' },
          { value: 'forbidden', text: '403, which the service remembers' },
        ]}
        disabled={!halted}
        onChange={(blacklistedAnswer) => setWays({ ...ways, blacklistedAnswer })}
      />
      <SelectField
        label="A fill this desk never signed"
        value={ways.unknownFillHalts ? 'halt' : 'alarm'}
        options={[
          { value: 'halt', text: 'halts the desk' },
          { value: 'alarm', text: 'is an alarm only' },
        ]}
        disabled={!halted}
        onChange={(value) => setWays({ ...ways, unknownFillHalts: value === 'halt' })}
      />
      <SelectField
        label="Off the reference"
        value={ways.offReferenceCloses}
        options={[
          { value: 'through', text: 'bids over and asks under it close' },
          { value: 'far', text: 'what is too far from it closes too' },
          { value: 'none', text: 'is only an alert' },
        ]}
        disabled={!halted}
        onChange={(offReferenceCloses) => setWays({ ...ways, offReferenceCloses })}
      />
      {save.refusal !== null && faultsElsewhere(save.refusal, FIELDS).length + save.refusal.faults.length !== 0 && (
        <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, FIELDS)} />
      )}
      {save.refusal !== null && save.refusal.faults.length === 0 && <RefusalNote refusal={save.refusal} />}
      <div className="actions">
        <button type="submit" className="button is-large is-primary" disabled={!halted || save.busy}>
          Save {chain.name}
        </button>
      </div>
    </form>
  );
}
