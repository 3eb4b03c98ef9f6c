import { useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import type { Limits } from '../../../electron/contract/desk-file.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';

type Amounts = Record<string, string>;

/** The limits of one chain as a table: one row a token, and the two that count no token. */
export function LimitsForm({ chain, onSaved }: { chain: SetUpChain; onSaved: () => void }) {
  const client = useClient();
  const toasts = useToasts();
  const tokens = chain.tokenIds;
  const [maxQuote, setMaxQuote] = useState<Amounts>(chain.limits.maxQuote);
  const [maxOutstanding, setMaxOutstanding] = useState<Amounts>(chain.limits.maxOutstanding);
  const [rate, setRate] = useState(String(chain.limits.quotesPerUserPerMinute));
  const [age, setAge] = useState(String(chain.limits.ladderMaxAgeSeconds));
  const save = useCommand(async () => {
    const limits: Limits = {
      maxQuote: given(maxQuote),
      maxOutstanding: given(maxOutstanding),
      quotesPerUserPerMinute: Number(rate || '0'),
      ladderMaxAgeSeconds: Number(age || '0'),
    };
    await client.limits.set({ chainId: chain.chainId, limits });
    toasts.show({ level: 'done', title: `Limits of ${chain.name} are in force` });
    onSaved();
  });
  return (
    <form
      className="limits-form"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <table className="grid">
        <thead>
          <tr>
            <th>Token</th>
            <th className="right">At most in one quote</th>
            <th className="right">At most signed and live</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token}>
              <td>{token}</td>
              <Amount label={`${token}, at most in one quote`} all={maxQuote} token={token} onChange={setMaxQuote} />
              <Amount
                label={`${token}, at most signed and live`}
                all={maxOutstanding}
                token={token}
                onChange={setMaxOutstanding}
              />
            </tr>
          ))}
          <tr>
            <td>Quotes per user and minute</td>
            <td className="right">
              <input
                className="input right"
                aria-label="Quotes per user and minute"
                inputMode="numeric"
                value={rate}
                onChange={(event) => setRate(event.target.value.replace(/\D/g, ''))}
              />
            </td>
            <td />
          </tr>
          <tr>
            <td>A ladder closes when older than, s</td>
            <td className="right">
              <input
                className="input right"
                aria-label="A ladder closes when older than, seconds"
                inputMode="numeric"
                value={age}
                onChange={(event) => setAge(event.target.value.replace(/\D/g, ''))}
              />
            </td>
            <td />
          </tr>
        </tbody>
      </table>
      {save.refusal !== null && <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, [])} />}
      <div className="actions">
        <button type="submit" className="button is-primary" disabled={save.busy}>
          Set the limits of {chain.name}
        </button>
      </div>
    </form>
  );
}

function Amount(props: { label: string; all: Amounts; token: string; onChange: (all: Amounts) => void }) {
  return (
    <td className="right">
      <input
        className="input right"
        aria-label={props.label}
        inputMode="decimal"
        placeholder="no limit"
        value={props.all[props.token] ?? ''}
        onChange={(event) => props.onChange({ ...props.all, [props.token]: event.target.value.trim() })}
      />
    </td>
  );
}

/** What is empty is no limit and is not sent. */
function given(amounts: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount !== ''));
}
