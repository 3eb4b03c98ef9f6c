import { useState } from 'react';
import { countText } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { useClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';

type Progress = { checked: number; total: number; done: boolean; firstBad: number | null; detail: string | null };

/** Walks the chain of hashes and says how far it holds. */
export function VerifyButton() {
  const client = useClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const verify = useCommand(async () => {
    setProgress(null);
    for await (const next of await client.log.verify()) setProgress(next);
  });
  return (
    <>
      {progress !== null && <Said progress={progress} />}
      {verify.refusal && <span className="stop">{verify.refusal.sentence}</span>}
      <button type="button" className="button" disabled={verify.busy} onClick={() => verify.run()}>
        {verify.busy ? 'Verifying…' : 'Verify chain'}
      </button>
    </>
  );
}

function Said({ progress }: { progress: Progress }) {
  const { checked, total, done, firstBad, detail } = progress;
  if (done && (firstBad !== null || detail !== null)) {
    return (
      <span className="stop with-mark strong verify-said" role="alert" title={detail ?? undefined}>
        <Mark shape="refused" />
        {firstBad === null ? 'The chain does not hold.' : `The chain breaks at row ${countText(firstBad)}.`} {detail}
      </span>
    );
  }
  return (
    <span className="muted with-mark verify-said" role="status">
      {done && <Mark shape="done" tone="ok" />}
      Chain of hashes {done ? 'holds' : 'checked'} to row {countText(checked)}
      {!done && ` of ${countText(total)}`}
    </span>
  );
}
