import { Link } from 'wouter';
import { GUIDE_PATH } from '../../state/guide.ts';
import { keysText, SHORTCUTS, type ShortcutId } from '../../state/shortcuts.ts';
import { Dialog } from '../dialog.tsx';
import styles from './keys-help.module.css';

const IDS = Object.keys(SHORTCUTS) as ShortcutId[];
const PLACES = [...new Set(IDS.map((id) => SHORTCUTS[id].where))];

export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} className={styles.dialog}>
      <p className={styles.guide}>
        <Link href={GUIDE_PATH} onClick={onClose}>
          Guide: how to do it, one page a task
        </Link>
      </p>
      {PLACES.map((where) => (
        <section key={where} className={styles.keys}>
          <h3 className="label">{where}</h3>
          <dl>
            {IDS.filter((id) => SHORTCUTS[id].where === where).map((id) => (
              <div key={id}>
                <dt>
                  <kbd>{keysText(id)}</kbd>
                </dt>
                <dd className="muted">{SHORTCUTS[id].does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
