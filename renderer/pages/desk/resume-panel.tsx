import { useState } from 'react';
import { Link } from 'wouter';
import { Field } from '../../components/field.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { STOPS_PATH } from '../../state/pages.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { AttentionButton } from './attention-button.tsx';

/**
 * Walks through what stands against going live: why it was halted, then everything that is wrong now. What is wrong has
 * to be mended or ticked as known, and the reason to be written, before the desk is asked; it checks by itself as well.
 */
export function ResumePanel() {
  const { connection, desk } = useConsole();
  const status = useDesk((view) => view.status);
  const attention = useDesk((view) => view.attention);
  const chains = useDesk((view) => view.chains);
  const [reason, setReason] = useState('');
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const resume = useCommand(async () => {
    const answer = await connection.client.trading.resume({ scope: {}, reason });
    desk.acknowledge(answer.status);
  });
  const against = attention.filter(({ level }) => level === 'stop');
  const open = against.filter(({ code }) => !known.has(code));
  const fine = chains.filter(({ closed, fault }) => closed === null && fault === null);
  const fault = faultOf(resume.refusal, 'reason');
  const tick = (code: string) => {
    const next = new Set(known);
    if (!next.delete(code)) next.add(code);
    setKnown(next);
  };
  const ready = reason.trim() !== '' && open.length === 0 && !resume.busy;
  return (
    <Panel
      name="Resume"
      aside={against.length === 0 ? 'nothing stands against it' : `${open.length} of ${against.length} not looked at`}
      className="resume-panel"
      actions={
        <Link href={STOPS_PATH} className="quiet">
          Earlier stops
        </Link>
      }
    >
      <div className="scroll">
        <ul className="side-list">
          <li>
            <Mark shape="octagon" tone="stop" />
            <span>
              Halted{status?.actor ? ` by ${status.actor}` : ''}:{' '}
              <b className="strong">{status?.reason ?? 'no reason given'}</b>
            </span>
          </li>
          {against.map((row) => (
            <li key={row.code} title={row.detail}>
              <input
                type="checkbox"
                aria-label={`Known: ${row.title}`}
                checked={known.has(row.code)}
                onChange={() => tick(row.code)}
              />
              <span className="fill">
                <b className="strong">{row.title}</b> <span className="muted">{row.detail}</span>
              </span>
              <AttentionButton row={row} />
            </li>
          ))}
          {fine.length > 0 && (
            <li>
              <Mark shape="done" tone="ok" />
              <span className="muted">Seen and checked: {fine.map(({ name }) => name).join(', ')}</span>
            </li>
          )}
        </ul>
        {resume.refusal && fault === null && (
          <RefusalNote refusal={resume.refusal} elsewhere={faultsElsewhere(resume.refusal, ['reason'])} />
        )}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) resume.run();
        }}
      >
        <Field
          label="Why is it safe to trade again?"
          className="is-large"
          hint={
            open.length > 0
              ? 'Mend what is wrong, or tick it as known.'
              : 'Goes into the journal with your name. Signer, journal and chain are checked first.'
          }
          value={reason}
          fault={fault}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
        />
        <button type="submit" className="button is-large is-primary below-label" disabled={!ready}>
          Resume
        </button>
      </form>
    </Panel>
  );
}
