import { useConsole } from '../state/console.tsx';
import { useCommand } from '../state/use-command.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import styles from './path-field.module.css';

/** The path of a backup on the desk's machine: typed, or in the desktop app chosen by the system's dialog. */
export function PathField(props: {
  label: string;
  hint: string;
  /** Whether the file is there already, or is to be made. */
  way: 'open' | 'save';
  autoFocus?: boolean;
  value: string;
  fault?: string | null;
  onChange: (path: string) => void;
}) {
  const { way, onChange, ...field } = props;
  const { chooseFile } = useConsole();
  const choose = useCommand(async () => {
    const path = (await chooseFile?.(way, field.value.trim())) ?? null;
    if (path !== null) onChange(path);
  });
  return (
    <div className={styles.path}>
      <div className="fill">
        <Field {...field} large className="mono" onChange={(event) => onChange(event.target.value)} />
      </div>
      {chooseFile !== null && (
        <Button size="large" className="below-label" disabled={choose.busy} onClick={() => choose.run()}>
          Choose…
        </Button>
      )}
    </div>
  );
}
