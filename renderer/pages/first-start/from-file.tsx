import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { DeskFileForm } from '../settings/desk-file-form.tsx';

/** A real desk from the desk file of another one: what it brings is shown before it is taken over. */
export function FromFile({ onTaken }: { onTaken: () => void }) {
  return (
    <Panel name="Import a desk file" aside="one JSON document; the key is brought in separately">
      <Scroll>
        <DeskFileForm onTaken={onTaken} />
      </Scroll>
    </Panel>
  );
}
