import { useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { Formula } from '../../../electron/contract/formula.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Stack } from '../../components/stack.tsx';
import { FormulaFields } from '../pricing/formula-form.tsx';
import { readFormula, typedOf } from '../pricing/formula-input.ts';

/** The formula that would have priced a pair, while it is typed; it begins with the one that was tried, or the pair's own. */
export function FormulaDialog(props: {
  pair: { pair: string; base: string; quote: string };
  live: PairRow;
  formula: Formula | null;
  isTried: boolean;
  onSave: (formula: Formula | undefined) => void;
  onClose: () => void;
}) {
  const { pair, live, formula, isTried, onSave, onClose } = props;
  const [typed, setTyped] = useState(() => typedOf(formula, live));
  const [isRead, setRead] = useState(false);
  const read = readFormula(typed);
  return (
    <Dialog title={`Another formula of ${pair.pair}`} width="wide" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setRead(true);
          if ('formula' in read) onSave(read.formula);
        }}
      >
        <Stack>
          <p className="muted">
            It would have priced the pair whenever no person had taken it over, from its reference, its movement and the
            position at the time.
          </p>
          <FormulaFields
            typed={typed}
            base={pair.base}
            quote={pair.quote}
            faults={isRead && 'faults' in read ? read.faults : []}
            onType={setTyped}
          />
        </Stack>
        <DialogActions>
          {isTried && (
            <Button size="large" onClick={() => onSave(undefined)}>
              As it was
            </Button>
          )}
          <Button size="large" onClick={onClose}>
            Leave it
          </Button>
          <Button type="submit" look="primary" size="large">
            Try this
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
