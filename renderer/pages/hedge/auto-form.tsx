import { useState } from 'react';
import type { AutoHedgeRow } from '../../../electron/contract/hedge.ts';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { AUTO_WORDS, type AutoState, autoState } from '../../state/auto-hedge.ts';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';
import { readAmount, readPercent } from './typed-amount.ts';

const FIELDS = ['threshold', 'capPerDay', 'slippageBps'];

/** What one pair is hedged by without a person. */
export function AutoForm({ row, onDone, onClose }: { row: AutoHedgeRow; onDone: () => void; onClose: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const { chainId, pair, base, settings } = row;
  const [state, setState] = useState<AutoState>(autoState(settings));
  const [threshold, setThreshold] = useState(settings.threshold);
  const [cap, setCap] = useState(settings.capPerDay);
  const [slippage, setSlippage] = useState(String(settings.slippageBps / 100));
  const [mode, setMode] = useState(settings.mode);
  const save = useCommand(async () => {
    const { bps, fault } = readPercent(slippage);
    if (bps === null) throw new InputRefused([{ path: 'slippageBps', message: fault ?? 'Percent, such as 0.5.' }]);
    const amounts = { threshold: threshold.replace(/[\s,]/g, ''), capPerDay: cap.replace(/[\s,]/g, '') };
    await client.hedge.setAuto({
      chainId,
      pair,
      settings: { on: state !== 'off', dryRun: state === 'dry', ...amounts, slippageBps: bps, mode },
    });
    toasts.show({ level: 'done', title: `Automatic hedging of ${pair}: ${AUTO_WORDS[state]}` });
    onDone();
    onClose();
  });
  const { refusal } = save;
  const whatFollows = () => {
    if ([threshold, cap].some((typed) => readAmount(typed, base.decimals).raw === null)) {
      return `Type from how much ${base.symbol} on, and how much a day.`;
    }
    const way = mode === 'market' ? 'a market swap' : 'an intent order';
    const deed = state === 'dry' ? `it only says that it would place ${way}` : `it places ${way}`;
    return `Fills count from now on. Once ${threshold} ${base.symbol} is unhedged, long or short, ${deed} for all of it, up to ${cap} ${base.symbol} a day.`;
  };
  return (
    <form
      className="auto-form"
      aria-label={`Automatic hedging of ${pair}`}
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <div className="hedge-fields">
        <SelectField
          label={pair}
          value={state}
          options={[
            { value: 'off', text: 'off' },
            { value: 'dry', text: 'dry run: says, does nothing' },
            { value: 'on', text: 'on: places hedges' },
          ]}
          onChange={setState}
        />
        <SelectField
          label="Way"
          value={mode}
          options={[
            { value: 'market', text: 'Market' },
            { value: 'intent', text: 'Intent' },
          ]}
          onChange={setMode}
        />
        <Field
          label={`From, ${base.symbol}`}
          className="right"
          inputMode="decimal"
          value={threshold}
          fault={faultOf(refusal, 'threshold')}
          onChange={(event) => setThreshold(event.target.value)}
        />
        <Field
          label={`At most a UTC day, ${base.symbol}`}
          className="right"
          inputMode="decimal"
          value={cap}
          fault={faultOf(refusal, 'capPerDay')}
          onChange={(event) => setCap(event.target.value)}
        />
        <Field
          label="Slippage, %"
          className="right"
          inputMode="decimal"
          value={slippage}
          fault={faultOf(refusal, 'slippageBps')}
          onChange={(event) => setSlippage(event.target.value)}
        />
      </div>
      <p className="auto-says" role="status">
        {state === 'off' ? 'Nothing of this pair is hedged but by a person.' : whatFollows()}
      </p>
      {refusal !== null && <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIELDS)} />}
      <div className="actions">
        <button type="button" className="button is-large" onClick={onClose}>
          Leave it
        </button>
        <button type="submit" className="button is-large is-primary" disabled={save.busy}>
          {state === 'off'
            ? `Keep ${pair} by hand`
            : state === 'dry'
              ? `Dry run for ${pair}`
              : `Hedge ${pair} automatically`}
        </button>
      </div>
    </form>
  );
}
