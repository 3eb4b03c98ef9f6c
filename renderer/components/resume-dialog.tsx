import { useState } from 'react';
import type { Scope } from '../../electron/contract/trading.ts';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useResume } from '../state/use-resume.ts';
import { useStopsSeen } from '../state/use-stops-seen.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote, RefusedNow } from './note.tsx';
import styles from './resume-dialog.module.css';
import { ResumeOutlookList, useResumeOutlook } from './resume-outlook.tsx';
import { Scroll } from './scroll.tsx';
import { Stack } from './stack.tsx';
import { StopsAround } from './stops-around.tsx';

/** Starting takes a reason, whatever is started, and counts for the stops that were read. */
export function ResumeDialog({ scope, what, onClose }: { scope: Scope; what: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const outlook = useResumeOutlook(scope);
  const stops = useStopsSeen(scope, reason.trim() !== '');
  const resume = useResume(scope, reason, stops, outlook, onClose);
  const fault = faultOf(resume.refusal, 'reason');
  const ready = reason.trim() !== '' && stops.canDecide && !stops.overtaken && !resume.busy;
  return (
    <Dialog title={`Go live on ${what}`} width="wide" needs="trade" onClose={onClose}>
      <Stack>
        <StopsAround stops={stops} />
        <Scroll className={styles.scroll}>
          <ResumeOutlookList outlook={outlook} onLeave={onClose} />
        </Scroll>
      </Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) resume.run();
        }}
      >
        <Stack>
          <RefusedNow outlook={outlook.data} refusal={resume.refusal} />
          <Field
            label="Why is it safe to trade again?"
            large
            autoFocus
            hint="Goes into the journal with your name."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {resume.refusal && resume.refusal.code !== 'checks_failed' && fault === null && (
            <RefusalNote refusal={resume.refusal} elsewhere={faultsElsewhere(resume.refusal, ['reason'])} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Stay stopped
          </Button>
          <Button type="submit" look="primary" size="large" disabled={!ready}>
            Go live
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
