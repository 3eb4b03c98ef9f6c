import { X } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import { useDeskNow } from '../../state/clock.ts';
import { useToastList, useToasts } from '../../state/console.tsx';
import { ALERTS_PATH } from '../../state/pages.ts';
import { AT_ONCE, gravest } from '../../state/toasts.ts';
import { Button, TextButton } from '../button.tsx';
import { layers } from '../dialog.tsx';
import { plural } from '../figures/counts.ts';
import { momentText } from '../figures/times.ts';
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
  const { list, folded } = useToastList();
  const [isOpen, setOpen] = useState(false);
  const more = Math.max(0, list.length - AT_ONCE);
  if (isOpen && more === 0) setOpen(false);
  const place = layers();
  if (place === null) return null;
  return createPortal(
    <div id="notices" className={styles.toasts} role="status" data-open={isOpen || undefined}>
      {(more > 0 || folded > 0) && (
        <div className={styles.toast}>
          <div className="fill">
            {more > 0 && !isOpen && <TextButton onClick={() => setOpen(true)}>and {more} more</TextButton>}
            {folded > 0 && (
              <p>
                <Link href={ALERTS_PATH}>{plural(folded, 'alert')} more</Link> came while this page was not seen.
              </p>
            )}
          </div>
          <Button look="quiet" onClick={toasts.dismissAll}>
            Dismiss all
          </Button>
        </div>
      )}
      {gravest(list, isOpen ? list.length : AT_ONCE).map(({ id, at, level, title, detail }) => (
        <div key={id} className={styles.toast}>
          <Mark {...LOOKS[level]} />
          <div className="fill">
            <b>{title}</b> <Moment at={at} />
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

/** When it came: it may have waited for somebody to look, or for its place. */
function Moment({ at }: { at: number }) {
  return <span className="quiet nowrap">{momentText(at, useDeskNow())}</span>;
}
