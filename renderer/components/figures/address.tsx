import { useToasts } from '../../state/console.tsx';
import styles from './address.module.css';
import { shortHex } from './counts.ts';

/** An address or hash: cut in its middle, whole on hover, copied by a click. */
export function Address({ hex, of }: { hex: string; of: string }) {
  const toasts = useToasts();
  return (
    <button
      type="button"
      className={`${styles.address} mono`}
      title={`${hex}\nClick copies the ${of}.`}
      onClick={(event) => {
        event.stopPropagation();
        navigator.clipboard.writeText(hex).then(
          () => toasts.show({ level: 'note', title: `Copied the ${of}`, detail: hex }),
          () => toasts.show({ level: 'look', title: 'The clipboard does not answer', detail: hex }),
        );
      }}
    >
      {shortHex(hex)}
    </button>
  );
}
