import { X } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useToastList, useToasts } from '../../state/toasts.ts';
import { layers } from '../dialog.tsx';
import { Mark } from '../mark.tsx';

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
    <div className="toasts" role="status">
      {list.map(({ id, level, title, detail }) => (
        <div key={id} className="toast">
          <Mark {...LOOKS[level]} />
          <div className="fill">
            <b>{title}</b>
            {detail !== undefined && <p>{detail}</p>}
          </div>
          <button type="button" className="button is-quiet" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
            <X aria-hidden="true" />
          </button>
        </div>
      ))}
    </div>,
    place,
  );
}
