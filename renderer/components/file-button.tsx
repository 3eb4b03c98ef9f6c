import { Button } from './button.tsx';
import styles from './file-button.module.css';

/** Asks for one file and hands over what stands in it. The same file can be chosen again. */
export function FileButton(props: {
  label: string;
  accept?: string;
  primary?: boolean;
  isSmall?: boolean;
  disabled?: boolean;
  onChoose: (file: { name: string; text: string }) => void;
}) {
  const { label, accept, primary = false, isSmall = false, disabled = false, onChoose } = props;
  return (
    <Button asChild look={primary ? 'primary' : undefined} size={isSmall ? undefined : 'large'}>
      <label className={styles.button}>
        {label}
        <input
          type="file"
          accept={accept}
          disabled={disabled}
          onChange={async (event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            if (chosen !== undefined) onChoose({ name: chosen.name, text: await chosen.text() });
          }}
        />
      </label>
    </Button>
  );
}
