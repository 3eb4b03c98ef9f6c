import { useState } from 'react';
import { surfaceNamesSchema } from '../../../electron/contract/desk-file.ts';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { InputRefused } from '../../state/refusal-of.ts';
import { useToasts } from '../../state/toasts.ts';
import { useCommand } from '../../state/use-command.ts';
import { useHalted } from './halted-only.tsx';

/** The host names that a surface without counterparties answers to, beside those of this machine. */
export function SurfaceNamesForm(props: { known: readonly string[]; anybodySigns: boolean; onSaved: () => void }) {
  const { known, anybodySigns, onSaved } = props;
  const client = useClient();
  const toasts = useToasts();
  const halted = useHalted();
  const [typed, setTyped] = useState(known.join(', '));
  const save = useCommand(async () => {
    const surfaceNames = namesIn(typed);
    await client.settings.saveSurfaceNames({ surfaceNames });
    toasts.show({ level: 'done', title: 'Host names are saved' });
    onSaved();
  });
  const { refusal } = save;
  const fault = refusal?.faults.map(({ message }) => message).join(' ') || null;
  return (
    <section className="setting" aria-label="Host names">
      <header>
        <h3>Host names</h3>
        <span className="quiet">
          {anybodySigns
            ? 'matter only while there is no counterparty: whoever signs may ask by any name'
            : 'without a counterparty, whoever asks by another name is refused with 421'}
        </span>
      </header>
      <form
        className="setting-form"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <div className="is-wide">
          <Field
            label="Also answers to, when nobody has to sign"
            className="mono"
            placeholder="this machine only"
            hint="What this machine is called in your network, commas between names. It always answers to localhost."
            disabled={!halted}
            value={typed}
            fault={fault}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <button type="submit" className="button below-label" disabled={!halted || save.busy}>
          Save the names
        </button>
        {refusal !== null && fault === null && <RefusalNote refusal={refusal} />}
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
