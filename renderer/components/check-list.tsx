import { type ReactNode, useState } from 'react';
import type { SelfCheck } from '../../electron/contract/service-view.ts';
import { Button } from './button.tsx';
import styles from './check-list.module.css';
import { plural } from './figures/counts.ts';
import { CheckMark } from './mark.tsx';
import { Sentence } from './sentence.tsx';

const URGENCY = { failed: 0, warning: 1, waiting: 2, passed: 3 } as const;
/** More than this many that passed are shown when asked for: a desk of 500 pairs has a thousand. */
const PASSED_AT_FIRST = 40;

/** Checks one below the other, what failed first. Everything that did not pass is always there. */
export function CheckList(props: {
  checks: readonly SelfCheck[];
  /** The button that mends what a check found. */
  button?: (check: SelfCheck) => ReactNode;
}) {
  const { checks, button } = props;
  const [whole, setWhole] = useState(false);
  const sorted = [...checks].sort((a, b) => URGENCY[a.outcome] - URGENCY[b.outcome]);
  const notPassed = sorted.filter(({ outcome }) => outcome !== 'passed').length;
  const shown = whole ? sorted : sorted.slice(0, notPassed + PASSED_AT_FIRST);
  const rest = sorted.length - shown.length;
  return (
    <ul className={styles.list}>
      {shown.map((check) => (
        <li key={`${check.name} ${check.sentence}`} data-outcome={check.outcome}>
          <CheckMark outcome={check.outcome} />
          <div className="fill">
            <b>{checkName(check.name)}</b>
            <p>
              <Sentence text={check.sentence} />
            </p>
          </div>
          {check.mend !== undefined && button?.(check)}
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Button onClick={() => setWhole(true)}>Show {plural(rest, 'check')} more that passed</Button>
        </li>
      )}
    </ul>
  );
}

/** The name of a check for a person: `rfq_contract` is `RFQ contract`. */
export function checkName(name: string): string {
  const words = name.replaceAll('_', ' ');
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Rfq\b/, 'RFQ').replace(/ id$/, ' ID');
}
