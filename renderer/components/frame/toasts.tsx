import { X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useToastList, useToasts } from '../../state/console.tsx';
import { AT_ONCE, gravest } from '../../state/toasts.ts';
import { Button, TextButton } from '../button.tsx';
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
  const [isOpen, setOpen] = useState(false);
  const more = isOpen ? 0 : Math.max(0, list.length - AT_ONCE);
  if (isOpen && list.length <= AT_ONCE) setOpen(false);
  const place = layers();
  if (place === null) return null;
  return createPortal(
    <div id="notices" className={styles.toasts} role="status" data-open={isOpen || undefined}>
      {more > 0 && (
        <div className={styles.toast}>
          <TextButton onClick={() => setOpen(true)}>and {more} more</TextButton>
        </div>
      )}
      {gravest(list, isOpen ? list.length : AT_ONCE).map(({ id, level, title, detail }) => (
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
