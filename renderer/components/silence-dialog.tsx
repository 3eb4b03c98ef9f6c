import { AlertRows } from './alert-rows.tsx';
import { Dialog } from './dialog.tsx';

/** How each kind of alert is told on every console, and its silence for a time. */
export function SilenceDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Alerts of this desk" onClose={onClose} className="is-wide">
      <p className="lead">
        For every console of this desk. A silenced kind stays on the screen, without a notification, a sound or a line
        at the bottom.
      </p>
      <AlertRows />
      <div className="actions">
        <button type="button" className="button is-large" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
