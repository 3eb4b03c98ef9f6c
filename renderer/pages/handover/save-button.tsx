import { Button } from '../../components/button.tsx';
import { useConsole } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

/** The sheet on paper or in a file: the desktop app writes the PDF itself, a browser does it where it prints. */
export function SaveButton({ date, isThere }: { date: string; isThere: boolean }) {
  const { savePage, toasts } = useConsole();
  const save = useCommand(async () => {
    const saved = await savePage?.(`makerdesk-handover-${date}.pdf`);
    if (saved === undefined || saved === null) return;
    if (saved.fault === null) toasts.show({ level: 'done', title: 'Wrote the handover', detail: saved.path });
    else
      toasts.show({ level: 'stop', title: 'The handover was not written', detail: `${saved.path}: ${saved.fault}.` });
  });
  return (
    <>
      <Button disabled={!isThere} onClick={() => window.print()}>
        Print…
      </Button>
      {savePage !== null && (
        <Button disabled={!isThere || save.busy} onClick={() => save.run()}>
          Save as PDF…
        </Button>
      )}
    </>
  );
}
