import { Note } from '../../components/note.tsx';
import { useDesk } from '../../state/console.tsx';
import { keysText } from '../../state/shortcuts.ts';

/** Some settings replace the configuration whole, which a desk that trades must not live through. */
export function useHalted(): boolean {
  return useDesk((view) => view.status?.state === 'HALTED');
}

export function HaltedOnly() {
  if (useHalted()) return null;
  return (
    <Note level="note" title="Can be changed only while the desk is halted.">
      Halting takes one key ({keysText('halt')}); signed quotes stay fillable until they expire.
    </Note>
  );
}
