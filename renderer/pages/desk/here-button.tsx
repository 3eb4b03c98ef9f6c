import { Button } from '../../components/button.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

/** One press says that somebody minds the desk, so that its dead-man switch does not halt it. */
export function HereButton() {
  const client = useClient();
  const here = useCommand(async () => {
    await client.trading.here();
  });
  return (
    <>
      <Button needs="trade" disabled={here.busy} onClick={() => here.run()}>
        I am here
      </Button>
      {here.refusal !== null && <RefusalNote refusal={here.refusal} />}
    </>
  );
}
