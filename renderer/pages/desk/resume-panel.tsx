import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** What stands against going live, as far as the desk knows, and the field without which it does not. */
export function ResumePanel() {
  const { connection, desk } = useConsole();
  const chains = useDesk((view) => view.chains);
  const [reason, setReason] = useState('');
  const resume = useCommand(async () => {
    const answer = await connection.client.trading.resume({ scope: {}, reason });
    desk.acknowledge(answer.status);
  });
  const fault = faultOf(resume.refusal, 'reason');
  return (
    <Panel name="Resume" aside="starting takes a reason" className="resume-panel">
      <div className="scroll">
        <ul className="checks-list">
          {chains.map((chain) => (
            <li key={chain.chainId}>
              <Mark shape={chain.closed === null ? 'done' : 'look'} tone={chain.closed === null ? 'ok' : 'attn'} />
              <span>
                <b className="strong">{chain.name}</b>{' '}
                <span className="muted">
                  {chain.fault ?? (chain.closed === null ? 'seen, nothing against it' : chain.closed)}
                </span>
              </span>
            </li>
          ))}
        </ul>
        {resume.refusal && fault === null && (
          <RefusalNote refusal={resume.refusal} elsewhere={faultsElsewhere(resume.refusal, ['reason'])} />
        )}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') resume.run();
        }}
      >
        <Field
          label="Why is it safe to trade again?"
          className="is-large"
          hint="Goes into the journal with your name. Signer, journal and chain are checked first."
          value={reason}
          fault={fault}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
        />
        <button
          type="submit"
          className="button is-large is-primary below-label"
          disabled={reason.trim() === '' || resume.busy}
        >
          Resume
        </button>
      </form>
    </Panel>
  );
}
