import { useState } from 'react';
import type { AutoHedgeRow } from '../../../electron/contract/hedge.ts';
import { readNumber } from '../../../electron/contract/typed-number.ts';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { AUTO_WORDS, type AutoState, autoState } from '../../state/auto-hedge.ts';
import { useClient } from '../../state/console.tsx';
import { faultOf, faultsElsewhere, InputRefused } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';
import { readAmount, readPercent } from './typed-amount.ts';

const FIELDS = ['threshold', 'capPerDay', 'slippageBps', 'maxDistanceBps', 'lossCapPerDay'];

/** What one pair is hedged by without a person. */
export function AutoForm({ row, onDone, onClose }: { row: AutoHedgeRow; onDone: () => void; onClose: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const { chainId, pair, base, quote, settings } = row;
  const [state, setState] = useState<AutoState>(autoState(settings));
  const [threshold, setThreshold] = useState(settings.threshold);
  const [cap, setCap] = useState(settings.capPerDay);
  const [slippage, setSlippage] = useState(String(settings.slippageBps / 100));
  const [distance, setDistance] = useState(String(settings.maxDistanceBps / 100));
  const [lossCap, setLossCap] = useState(settings.lossCapPerDay);
  const [mode, setMode] = useState(settings.mode);
  const save = useCommand(async () => {
    const { bps, fault } = readPercent(slippage);
    const far = readPercent(distance);
    const [least, most, loss] = [readNumber(threshold), readNumber(cap), readNumber(lossCap)];
    if (bps === null || far.bps === null || least.text === null || most.text === null || loss.text === null) {
      throw new InputRefused(
        [
          { path: 'threshold', isRead: least.text !== null, message: least.fault ?? 'must not be empty' },
          { path: 'capPerDay', isRead: most.text !== null, message: most.fault ?? 'must not be empty' },
          { path: 'slippageBps', isRead: bps !== null, message: fault ?? 'Percent, such as 0.5.' },
          { path: 'maxDistanceBps', isRead: far.bps !== null, message: far.fault ?? 'Percent, such as 0.5.' },
          { path: 'lossCapPerDay', isRead: loss.text !== null, message: loss.fault ?? 'must not be empty' },
        ].filter(({ isRead }) => !isRead),
      );
    }
    const amounts = { threshold: least.text, capPerDay: most.text, lossCapPerDay: loss.text };
    const settings = { ...amounts, slippageBps: bps, maxDistanceBps: far.bps, mode };
    await client.hedge.setAuto({
      chainId,
      pair,
      settings: { on: state !== 'off', dryRun: state === 'dry', ...settings },
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
    const ends =
      readAmount(lossCap, quote.decimals).raw === null
        ? ' No loss switches it off.'
        : ` Once it lost ${lossCap} ${quote.symbol} in a UTC day against the reference, it is switched off.`;
    const way = mode === 'market' ? 'a market swap' : 'an intent order';
    const deed = state === 'dry' ? `it only says that it would place ${way}` : `it places ${way}`;
    return `Fills count from now on. Once ${threshold} ${base.symbol} is unhedged, long or short, ${deed} for all of it, up to ${cap} ${base.symbol} a day, never further than ${distance} % from the reference.${ends}`;
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
        <Field
          label="Off the reference at most, %"
          className="right"
          inputMode="decimal"
          value={distance}
          fault={faultOf(refusal, 'maxDistanceBps')}
          onChange={(event) => setDistance(event.target.value)}
        />
        <Field
          label={`Off after a day’s loss of, ${quote.symbol}`}
          className="right"
          inputMode="decimal"
          value={lossCap}
          fault={faultOf(refusal, 'lossCapPerDay')}
          onChange={(event) => setLossCap(event.target.value)}
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
