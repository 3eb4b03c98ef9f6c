import { X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useToastList, useToasts } from '../../state/console.tsx';
import { Button } from '../button.tsx';
import { layers } from '../dialog.tsx';
import { Mark } from '../mark.tsx';
import styles from './toasts.module.css';

const LOOKS = {
  done: { shape: 'done', tone: 'ok' },
  note: { shape: 'note', tone: 'quiet' },
  look: { shape: 'look', tone: 'attn' },
  stop: { shape: 'halted', tone: 'stop' },
} as const;

export function Toasts() {
  const toasts = useToasts();
  const list = useToastList();
  const place = layers();
  if (place === null) return null;
  return createPortal(
    <div id="notices" className={styles.toasts} role="status">
      {list.map(({ id, level, title, detail }) => (
        <div key={id} className={styles.toast}>
          <Mark {...LOOKS[level]} />
          <div className="fill">
            <b>{title}</b>
            {detail !== undefined && <p>{detail}</p>}
          </div>
          <Button look="quiet" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
    </div>,
    place,
  );
}
