import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useDesk, useLine } from '../state/console.tsx';
import { pagePath } from '../state/pages.ts';
import { type CommandRefusal, refusalOf } from '../state/refusal-of.ts';
import { Button } from './button.tsx';
import { Mark } from './mark.tsx';
import styles from './note.module.css';
import { Sentence } from './sentence.tsx';

/** What happened, what it means, what to do; an error has its action inside. */
export function Note(props: {
  level: 'stop' | 'look' | 'note';
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const tone = { stop: 'stop', look: 'attn', note: 'quiet' }[props.level];
  const shape = { stop: 'refused', look: 'look', note: 'note' } as const;
  return (
    <div className={styles.note} data-level={props.level} role={props.level === 'note' ? 'note' : 'alert'}>
      <Mark shape={shape[props.level]} tone={tone} />
      <div>
        <b>{props.title}</b>
        {props.children !== undefined && <p>{props.children}</p>}
        {props.actions !== undefined && <div className={styles.actions}>{props.actions}</div>}
      </div>
    </div>
  );
}

/**
 * A refused command: the desk's sentence, the faults that belong to no field, and the remedy. `showNow` puts what is in force into a
 * form that was changed by somebody else while it was filled in.
 */
export function RefusalNote({
  refusal,
  elsewhere,
  showNow,
}: {
  refusal: CommandRefusal;
  elsewhere?: readonly string[];
  showNow?: () => void;
}) {
  const isChanged = refusal.code === 'changed_meanwhile' || refusal.code === 'limits_changed';
  const again = isChanged && showNow !== undefined && <Button onClick={showNow}>Show what it is now</Button>;
  if (refusal.code === 'second_person_asked') return <WaitingNote refusal={refusal} />;
  return (
    <InSight of={refusal}>
      <Note level="stop" title={refusal.sentence} actions={again || undefined}>
        {(elsewhere ?? []).map((fault) => (/[.!?]$/.test(fault) ? fault : `${fault}.`)).join(' ')} {refusal.remedy}
      </Note>
    </InSight>
  );
}

/** Brings into sight what is said to somebody at work below or above it, each time: in a form that is longer than the window they would not see it. */
export function InSight({ of, children }: { of: unknown; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is said
  useEffect(() => void place.current?.scrollIntoView({ block: 'nearest' }), [of]);
  return <div ref={place}>{children}</div>;
}

/** That it is not refused for good: somebody else says yes or no. Once it waits no more, that is said in its place. */
function WaitingNote({ refusal: { sentence, remedy, request } }: { refusal: CommandRefusal }) {
  const waits = useDesk(({ approvals }) => approvals.waiting.some(({ seq }) => seq === request));
  const [seen, setSeen] = useState<number | undefined>();
  // The refusal may be here before the list is.
  if (waits && seen !== request) setSeen(request);
  const isOver = seen === request && !waits;
  return (
    <Note
      level={isOver ? 'note' : 'look'}
      title={isOver ? 'This no longer waits.' : sentence}
      actions={<Link href={pagePath('approvals')}>{isOver ? 'See what became of it' : 'See what waits'}</Link>}
    >
      {isOver ? undefined : remedy}
    </Note>
  );
}

/** That the desk refuses a resume, or would: what fails is named beside it, with its buttons. */
export function RefusedNow(props: { outlook: { refused: string | null } | undefined; refusal: CommandRefusal | null }) {
  const refused = props.refusal?.code === 'checks_failed';
  if (!refused && (props.outlook?.refused ?? null) === null) return null;
  return (
    <Note level="stop" title={refused ? 'Not resumed.' : 'Nothing here may go LIVE yet.'}>
      <Sentence text={(refused ? props.refusal?.sentence : props.outlook?.refused) ?? ''} /> Fix what failed, then
      resume.
    </Note>
  );
}

/**
 * A read that did not happen: what is not known by that and what goes on all the same (`what`), what the desk said, and the button
 * that asks again. While the desk is not heard the page says so above, and everything is asked again by itself once it is.
 */
export function QueryError({ what, error, again }: { what?: string; error: unknown; again: () => void }) {
  const isHeard = useLine().state === 'connected';
  const { code, sentence, remedy } = refusalOf(error);
  if (!isHeard) {
    return (
      <Note level="note" title="Not known while the desk is not heard.">
        It is asked again by itself.
      </Note>
    );
  }
  // Nothing was to happen, so there is nothing to look for but the answer.
  const advice = remedy === '' || code === 'no_answer' ? 'Ask again; if it stays so, the desk’s log says why.' : remedy;
  return (
    <Note
      level="stop"
      title={what === undefined ? sentence : `${what}.`}
      actions={<Button onClick={again}>Ask again</Button>}
    >
      {what === undefined ? advice : `${sentence} ${advice}`}
    </Note>
  );
}
