import { useState } from 'react';
import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { entryOf } from '../../../electron/contract/hedge-steps.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Stack } from '../../components/stack.tsx';
import { useConsole } from '../../state/console.tsx';
import { readNumber } from '../../state/number-form.ts';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import { typedAmount } from './hedge-token.ts';
import { cutAmount, rowWords } from './hedge-words.ts';
import { readAmount } from './typed-amount.ts';
import { readMoment, typedMoment } from './typed-moment.ts';

interface Props {
  hedge: HedgeDetail;
  /** Opens it anew, with what counts now. */
  showNow: () => void;
  onClose: () => void;
}

const FIELDS = ['gave', 'got', 'feeUsd', 'where', 'at', 'note', 'reason'];

/** What the form that has none of these fields calls them. */
const LABELS: Readonly<Record<string, string>> = {
  gave: 'Gave',
  got: 'Got',
  feeUsd: 'Extra fee, $',
  where: 'Where',
  at: 'When',
  note: 'Note',
};

/** Other amounts, or another place, time or note, for a hedge that was entered by hand; what was entered before stays in the journal. */
export function CorrectDialog({ hedge: latest, showNow, onClose }: Props) {
  const { connection } = useConsole();
  // The page goes on with what others correct: this is what was in view when the form was opened.
  const [hedge] = useState(latest);
  const { seq, src, dest, spent, received, feeUsd } = hedge;
  const entry = entryOf(hedge.steps.map(({ step }) => step));
  const before = {
    where: entry?.where ?? '',
    at: entry === null ? '' : typedMoment(entry.at),
    note: entry?.note ?? '',
  };
  const [gave, setGave] = useState(typedAmount(spent, src));
  const [got, setGot] = useState(typedAmount(received, dest));
  const [fee, setFee] = useState(feeUsd ?? '0');
  const [where, setWhere] = useState(before.where);
  const [at, setAt] = useState(before.at);
  const [note, setNote] = useState(before.note);
  const [reason, setReason] = useState('');
  const [given, gotten, paid] = [readAmount(gave, src.decimals), readAmount(got, dest.decimals), readNumber(fee)];
  const moment = readMoment(at);
  const isWhole =
    given.raw !== null &&
    gotten.raw !== null &&
    paid.text !== null &&
    where.trim() !== '' &&
    moment.iso !== null &&
    reason.trim() !== '';
  const correct = useCommand(async () => {
    const amounts = {
      gave: readNumber(gave).text ?? '',
      got: readNumber(got).text ?? '',
      feeUsd: paid.text ?? '0',
    };
    // To the second: what nobody typed anew stays as it is.
    const when = at === before.at ? undefined : (moment.iso ?? undefined);
    await connection.client.hedge.correct({ seq, amounts, where, at: when, note, reason, seen: entry ?? undefined });
    onClose();
  });
  const { refusal } = correct;
  return (
    <Dialog title={`Correct hedge ${seq}`} needs="trade" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) correct.run();
        }}
      >
        <Stack>
          <Lead>
            {rowWords(hedge)}. From now on this counts in its place; what was entered before stays in the journal.
          </Lead>
          <Field
            label={`Gave, ${src.symbol}`}
            large
            className="right"
            inputMode="decimal"
            value={gave}
            fault={given.fault ?? faultOf(refusal, 'gave')}
            onChange={({ target }) => setGave(target.value)}
          />
          <Field
            label={`Got, ${dest.symbol}`}
            large
            className="right"
            inputMode="decimal"
            value={got}
            fault={gotten.fault ?? faultOf(refusal, 'got')}
            onChange={({ target }) => setGot(target.value)}
          />
          <Field
            label="Extra fee, $"
            large
            className="right"
            inputMode="decimal"
            value={fee}
            fault={paid.fault ?? faultOf(refusal, 'feeUsd')}
            onChange={({ target }) => setFee(target.value)}
          />
          <Field
            label="Where"
            large
            maxLength={100}
            value={where}
            fault={faultOf(refusal, 'where')}
            onChange={({ target }) => setWhere(target.value)}
          />
          <Field
            label={`When, ${zoneName()}`}
            large
            value={at}
            fault={moment.fault ?? faultOf(refusal, 'at')}
            onChange={({ target }) => setAt(target.value)}
          />
          <Field
            label="Note"
            large
            maxLength={500}
            value={note}
            fault={faultOf(refusal, 'note')}
            onChange={({ target }) => setNote(target.value)}
          />
          <Field
            label="Why"
            large
            maxLength={500}
            value={reason}
            fault={faultOf(refusal, 'reason')}
            onChange={({ target }) => setReason(target.value)}
          />
          {refusal !== null && (
            <RefusalNote refusal={refusal} elsewhere={faultsElsewhere(refusal, FIELDS)} showNow={showNow} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large" disabled={!isWhole || correct.busy}>
            Correct it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A hedge that was entered by hand and never done, or entered twice: it counts no more. */
export function StrikeOutDialog({ hedge: latest, showNow, onClose }: Props) {
  const { connection } = useConsole();
  const [hedge] = useState(latest);
  const seen = entryOf(hedge.steps.map(({ step }) => step)) ?? undefined;
  return (
    <ReasonDialog
      needs="trade"
      title={`Strike hedge ${hedge.seq} out?`}
      question="Why does it not count?"
      keep="Keep it"
      act="Strike it out"
      labels={LABELS}
      showNow={showNow}
      send={(reason) => connection.client.hedge.correct({ seq: hedge.seq, amounts: null, reason, seen })}
      onClose={onClose}
    >
      <Lead>
        {rowWords(hedge)}. What it gave, {cutAmount(hedge.spent, hedge.src, 'up')}, and got,{' '}
        {cutAmount(hedge.received, hedge.dest)}, no longer count, and its fills are unhedged again. It stays in the
        journal.
      </Lead>
    </ReasonDialog>
  );
}
