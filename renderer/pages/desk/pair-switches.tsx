import { useState } from 'react';
import type { PairRow } from '../../../electron/contract/book.ts';
import type { Scope } from '../../../electron/contract/trading.ts';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { useConsole } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';

type Part = 'bids' | 'asks' | 'pair';

const PARTS: readonly Part[] = ['bids', 'asks', 'pair'];

/** Off at a click; on asks for a reason. Dashed where the guard closed it: then a person cannot simply flip it. */
export function PairSwitches({ row, guarded }: { row: PairRow; guarded: boolean }) {
  const { halt, toasts } = useConsole();
  const [starting, setStarting] = useState<Part | null>(null);
  const scopeOf = (part: Part): Scope => ({
    chainId: row.chainId,
    pair: row.pair,
    ...(part === 'pair' ? {} : { side: part }),
  });
  const flip = (part: Part) => {
    if (!row.switches[part]) return setStarting(part);
    const followed = row.follow?.on === true;
    const tellOfEnd = () => {
      if (!followed) return;
      const detail = 'Its prices stand still also once it is on again, until following is switched on under Prices.';
      toasts.show({ level: 'look', title: `${row.pair} does not follow the reference any more`, detail });
    };
    halt.scope(scopeOf(part)).then(tellOfEnd, (error: unknown) => {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `${row.pair} is not switched off: ${sentence}`, detail: remedy });
    });
  };
  return (
    <>
      {PARTS.map((part) => (
        <td key={part} className={part === 'bids' ? 'center edge' : 'center'}>
          <button
            type="button"
            role="switch"
            className={`switch ${guarded || hindrance(row, part) !== null ? 'is-guarded' : ''}`}
            aria-checked={row.switches[part]}
            aria-label={`${row.pair} ${part}`}
            title={titleOf(part, row.switches[part], guarded, hindrance(row, part))}
            disabled={row.retiredUntil !== null}
            onClick={() => flip(part)}
          />
        </td>
      ))}
      {starting !== null && (
        <td className="nothing">
          <ResumeDialog
            scope={scopeOf(starting)}
            what={starting === 'pair' ? row.pair : `${row.pair} ${starting}`}
            onClose={() => setStarting(null)}
          />
        </td>
      )}
    </>
  );
}

/** Why what is switched on is not quoted all the same: a switch alone looks as if it were. */
function hindrance({ switches, unquoted }: PairRow, part: Part): string | null {
  if (!switches.pair || !switches[part] || unquoted === undefined) return null;
  if (part !== 'pair') return unquoted[part];
  return unquoted.bids !== null && unquoted.asks !== null ? unquoted.bids : null;
}

function titleOf(part: Part, on: boolean, guarded: boolean, why: string | null): string {
  const what = part === 'pair' ? 'The pair is' : `The ${part} are`;
  const how = on ? 'on; a click switches off at once' : 'off; a click asks why it is safe to switch on';
  const closed = guarded ? '. Closed by the guard; it opens by itself once the cause is gone' : '';
  return `${what} ${how}${closed}.${why === null ? '' : ` Not quoted now: ${why}`}`;
}
