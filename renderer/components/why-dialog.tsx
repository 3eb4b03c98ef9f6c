import { useState } from 'react';
import { useConsole, useDesk } from '../state/console.tsx';
import { Button } from './button.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

/** A halt is one key without words; this adds them while there is time. */
export function WhyButton({ className }: { className?: string }) {
  const { connection, desk } = useConsole();
  const before = useDesk((view) => view.status?.reason ?? null);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button className={className} onClick={() => setOpen(true)}>
        {before === null ? 'Say why…' : 'Say more…'}
      </Button>
      {open && (
        <ReasonDialog
          title="Why is the desk halted?"
          question="What happened?"
          hint="Goes into the journal with your name, and stands in the status. The desk stays halted."
          keep="Leave it as it is"
          act="Add it"
          send={async (reason) => {
            desk.acknowledge((await connection.client.trading.explain({ scope: {}, reason })).status);
          }}
          onClose={() => setOpen(false)}
        >
          {before !== null && (
            <p>
              So far: <b className="strong">{before}</b>
            </p>
          )}
        </ReasonDialog>
      )}
    </>
  );
}
