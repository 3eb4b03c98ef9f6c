import { useState } from 'react';
import { Link } from 'wouter';
import { Field } from '../../components/field.tsx';
import { RefusalNote, RefusedNow } from '../../components/note.tsx';
import { Panel } from '../../components/panel.tsx';
import { ResumeOutlookList, useResumeOutlook } from '../../components/resume-outlook.tsx';
import { useDesk } from '../../state/console.tsx';
import { STOPS_PATH } from '../../state/pages.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { outlookText } from '../../state/resume-text.ts';
import { useResume } from '../../state/use-resume.ts';
import { AttentionButton } from './attention-button.tsx';

const WHOLE_DESK = {};

/**
 * Walks through what stands against going live: the self-check made anew with what a resume starts, and everything else
 * that is wrong now. What is wrong has to be mended or ticked as known, and the reason to be written, before
 * the desk is asked; it makes the self-check once more.
 */
export function ResumePanel() {
  const attention = useDesk((view) => view.attention);
  const [reason, setReason] = useState('');
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const outlook = useResumeOutlook(WHOLE_DESK);
  const resume = useResume(WHOLE_DESK, reason, outlook);
  // What the checks found stands in the self-check itself, made anew.
  const against = attention.filter(({ level, code }) => level === 'stop' && !code.startsWith('check '));
  const open = against.filter(({ code }) => !known.has(code));
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
      aside={asideOf(outlook, { open: open.length, all: against.length })}
      className="resume-panel"
      actions={
        <Link href={STOPS_PATH} className="quiet">
          Earlier stops
        </Link>
      }
    >
      <div className="scroll">
        <ResumeOutlookList outlook={outlook} />
        <ul className="side-list">
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
        </ul>
        <RefusedNow outlook={outlook.data} refusal={resume.refusal} />
        {resume.refusal && resume.refusal.code !== 'checks_failed' && fault === null && (
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
              : 'Goes into the journal with your name. The self-check is made once more first.'
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

function asideOf(
  { data, error }: Pick<ReturnType<typeof useResumeOutlook>, 'data' | 'error'>,
  ticks: { open: number; all: number },
): string {
  const found = data === undefined ? (error === null ? 'checking…' : 'not checked') : outlookText(data);
  const ticked = ticks.all === 0 ? null : `${ticks.open} of ${ticks.all} to tick`;
  const parts = [found, ticked].filter((part) => part !== null);
  return parts.length === 0 ? 'nothing stands against it' : parts.join(' · ');
}
