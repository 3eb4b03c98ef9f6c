import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { Approval } from '../../../electron/contract/approvals.ts';
import { RIGHTS } from '../../../electron/contract/rights.ts';
import { madeTokenSchema } from '../../../electron/contract/tokens.ts';
import { Button } from '../../components/button.tsx';
import { ChangesTable } from '../../components/changes-table.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { ReadState } from '../../components/empty.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { momentText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useClient, useConsole, useDesk, useQueries, useToasts } from '../../state/console.tsx';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { useMay, useTakesText } from '../../state/rights.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import styles from './approvals-page.module.css';

/** Something that waits: what it would change, and the answers of whoever looks at it. */
export function WaitingApproval({ approval }: { approval: Approval }) {
  const { seq, at, actor, right, says, reason, changes, more, until, aloneFrom } = approval;
  const { desk } = useConsole();
  const client = useClient();
  const isOwn = useDesk((view) => view.token) === approval.token;
  const now = useDeskNow();
  const isLeftToMe = isOwn && aloneFrom !== undefined && now >= aloneFrom;
  const may = useMay(right);
  const takes = useTakesText(right);
  const [asking, setAsking] = useState<'approve' | 'refuse' | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const withdraw = useCommand(async () => {
    await client.approvals.withdraw({ request: seq });
  });
  const close = () => setAsking(null);
  return (
    <li aria-label={`${actor}: ${says}`}>
      <div className={styles.head}>
        <b className={`strong ${styles.says}`}>{says}</b>
        <span className="muted">
          {actor} asked {momentText(at, desk.now())}; request {seq}; <Countdown until={until} /> left
        </span>
      </div>
      {reason !== undefined && <p className="muted">“{reason}”</p>}
      <ChangesTable name={`What ${says} would change`} then="Then" changes={changes} more={more} />
      {withdraw.refusal !== null && <RefusalNote refusal={withdraw.refusal} />}
      <div className={styles.actions}>
        {isOwn ? (
          <>
            {isLeftToMe && <Button onClick={() => setAsking('approve')}>Approve…</Button>}
            <span className="muted">
              You asked for this.{' '}
              {aloneFrom === undefined
                ? `Somebody else with the right “${RIGHTS[right].name}” answers.`
                : `Nobody else was there: from ${momentText(aloneFrom, now)} ${zoneName(aloneFrom)} on you may approve it yourself.`}
            </span>
            <Button disabled={withdraw.busy} onClick={() => withdraw.run()}>
              Take it back
            </Button>
          </>
        ) : (
          <>
            <Button disabled={!may} title={may ? undefined : takes} onClick={() => setAsking('approve')}>
              Approve…
            </Button>
            <Button disabled={!may} title={may ? undefined : takes} onClick={() => setAsking('refuse')}>
              Refuse…
            </Button>
            {!may && <span className="muted">{takes}</span>}
          </>
        )}
      </div>
      {asking === 'approve' && <ApproveDialog approval={approval} onMade={setMade} onClose={close} />}
      {asking === 'refuse' && (
        <ReasonDialog
          title={`Refuse: ${says}?`}
          question="Why not?"
          keep="Leave it waiting"
          act="Refuse it"
          needs={right}
          send={(reason) => client.approvals.refuse({ request: seq, reason })}
          onClose={close}
        >
          <p>{actor} is told, and may ask again.</p>
          <Scroll>
            <ChangesTable name="What you refuse" then="Then" changes={changes} more={more} />
          </Scroll>
        </ReasonDialog>
      )}
      {made !== null && <MadeToken token={made} onClose={() => setMade(null)} />}
    </li>
  );
}

function ApproveDialog(props: { approval: Approval; onMade: (token: string) => void; onClose: () => void }) {
  const { approval, onMade, onClose } = props;
  const { seq, actor, right, says, reason, more } = approval;
  const client = useClient();
  const toasts = useToasts();
  // The list has not all of what changes much; nobody approves what they were not shown.
  const read = useQuery(useQueries().approvals.list.queryOptions({ input: { limit: 0 }, enabled: more > 0 }));
  const whole = more === 0 ? approval : read.data?.waiting.find((one) => one.seq === seq);
  const approve = useCommand(async () => {
    const { answer } = await client.approvals.approve({ request: seq });
    const made = z.object({ answer: madeTokenSchema }).safeParse({ answer }).data?.answer;
    if (made !== undefined) onMade(made.console ?? made.token);
    toasts.show({ level: 'done', title: `Done: ${says}`, detail: `${actor} asked for it, you approved it.` });
    onClose();
  });
  return (
    <Dialog title={`Approve: ${says}?`} width="wide" needs={right} onClose={onClose}>
      <Lead>It is carried out at once, under the name of {actor}. Both of you stand in the journal.</Lead>
      {reason !== undefined && (
        <p className="muted">
          {actor}: “{reason}”
        </p>
      )}
      <Scroll className={styles.approved}>
        {whole === undefined ? (
          <ReadState read={read} rows={8} />
        ) : (
          <ChangesTable name="What you approve" then="Then" changes={whole.changes} more={whole.more} />
        )}
      </Scroll>
      {approve.refusal !== null && (
        <RefusalNote refusal={approve.refusal} elsewhere={faultsElsewhere(approve.refusal, [])} />
      )}
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Leave it waiting
        </Button>
        <Button
          look="primary"
          size="large"
          disabled={whole === undefined || approve.busy}
          onClick={() => approve.run()}
        >
          Approve
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog title="The token that was made" onClose={onClose}>
      <Lead>Shown this once and kept nowhere: hand it over in private, to the person it is for and nobody else.</Lead>
      <p className={`mono ${styles.token}`}>{token}</p>
      <DialogActions>
        <Button look="primary" size="large" onClick={onClose}>
          It is handed over
        </Button>
      </DialogActions>
    </Dialog>
  );
}
