import { Panel } from '../../components/panel.tsx';
import { useToasts } from '../../state/toasts.ts';

const COMMAND = 'npm start';

/** A practice desk has a folder of its own, so that no practice quote ever stands in a real journal. */
export function PracticeWay() {
  const toasts = useToasts();
  const copy = () =>
    navigator.clipboard.writeText(COMMAND).then(
      () => toasts.show({ level: 'note', title: 'Copied the command', detail: COMMAND }),
      () => toasts.show({ level: 'look', title: 'The clipboard does not answer', detail: COMMAND }),
    );
  return (
    <Panel name="Practice market" aside="in a folder of its own">
      <div className="setup-text">
        <p>
          A practice desk lives beside this one, in its own folder, so that no practice quote ever stands in a real
          journal. This desk stays as it is.
        </p>
        <p>
          Run <b className="mono">{COMMAND}</b>, or <b className="mono">makerdesk practice</b> once installed. It opens
          its own console, LIVE, with takers that trade.
        </p>
        <button type="button" className="button is-large is-primary" onClick={() => void copy()}>
          Copy the command
        </button>
      </div>
    </Panel>
  );
}
