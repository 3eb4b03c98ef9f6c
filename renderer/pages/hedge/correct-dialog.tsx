import { useState } from 'react';
import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { readNumber } from '../../../electron/contract/typed-number.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Stack } from '../../components/stack.tsx';
import { useConsole } from '../../state/console.tsx';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { typedAmount } from './hedge-token.ts';
import { cutAmount, rowWords } from './hedge-words.ts';
import { readAmount } from './typed-amount.ts';

interface Props {
  hedge: HedgeDetail;
  onClose: () => void;
}

/** Other amounts for a hedge that was entered by hand; what was entered before stays in the journal. */
export function CorrectDialog({ hedge, onClose }: Props) {
  const { connection } = useConsole();
  const { seq, src, dest, spent, received, feeUsd } = hedge;
  const [gave, setGave] = useState(typedAmount(spent, src));
  const [got, setGot] = useState(typedAmount(received, dest));
  const [fee, setFee] = useState(feeUsd ?? '0');
  const [reason, setReason] = useState('');
  const [given, gotten, paid] = [readAmount(gave, src.decimals), readAmount(got, dest.decimals), readNumber(fee)];
  const isWhole = given.raw !== null && gotten.raw !== null && paid.text !== null && reason.trim() !== '';
  const correct = useCommand(async () => {
    const amounts = {
      gave: readNumber(gave).text ?? '',
      got: readNumber(got).text ?? '',
      feeUsd: paid.text ?? '0',
    };
    await connection.client.hedge.correct({ seq, amounts, reason });
    onClose();
  });
  return (
    <Dialog title={`Correct hedge ${seq}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) correct.run();
        }}
      >
        <Stack>
          <Lead>
            {rowWords(hedge)}. From now on these amounts count in its place; what was entered before stays in the
            journal.
          </Lead>
          <Field
            label={`Gave, ${src.symbol}`}
            large
            className="right"
            inputMode="decimal"
            value={gave}
            fault={given.fault}
            onChange={({ target }) => setGave(target.value)}
          />
          <Field
            label={`Got, ${dest.symbol}`}
            large
            className="right"
            inputMode="decimal"
            value={got}
            fault={gotten.fault}
            onChange={({ target }) => setGot(target.value)}
          />
          <Field
            label="Fee beside it, $"
            large
            className="right"
            inputMode="decimal"
            value={fee}
            fault={paid.fault}
            onChange={({ target }) => setFee(target.value)}
          />
          <Field label="Why" large maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          {correct.refusal && (
            <RefusalNote refusal={correct.refusal} elsewhere={faultsElsewhere(correct.refusal, [])} />
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
export function StrikeOutDialog({ hedge, onClose }: Props) {
  const { connection } = useConsole();
  return (
    <ReasonDialog
      title={`Strike hedge ${hedge.seq} out?`}
      question="Why does it not count?"
      keep="Keep it"
      act="Strike it out"
      send={(reason) => connection.client.hedge.correct({ seq: hedge.seq, amounts: null, reason })}
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
