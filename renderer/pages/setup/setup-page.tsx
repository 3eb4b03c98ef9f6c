import { useState } from 'react';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { ByHand } from './by-hand.tsx';
import { FromFile } from './from-file.tsx';
import { PracticeWay } from './practice-way.tsx';
import styles from './setup-page.module.css';

const WAYS = [
  {
    id: 'practice',
    name: 'Practice market',
    says: 'A whole counterparty on this machine: chain, service, takers. LIVE in half a minute; no money, no keys.',
  },
  {
    id: 'file',
    name: 'Import a desk file',
    says: 'From another Makerdesk, or made by hand. Every fault is shown with its path before anything is taken over.',
  },
  {
    id: 'hand',
    name: 'By hand',
    says: 'Choose a network; contract addresses come from the preset. You bring the node and the counterparty’s secret.',
  },
] as const;

type Way = (typeof WAYS)[number]['id'];

/** A desk without a chain: three ways to begin. Nothing is signed before a person says so. */
export function SetupPage() {
  const [way, setWay] = useState<Way>('hand');
  return (
    <>
      <PageHead name="First start">
        <span className="quiet">No desk file in this folder yet. Nothing is signed before you say so.</span>
      </PageHead>
      <PageBody className={styles.page}>
        <PanelBox aria-label="Start from">
          <header>
            <h2>Start from</h2>
          </header>
          <div className={styles.ways}>
            {WAYS.map(({ id, name, says }) => (
              <button key={id} type="button" aria-pressed={id === way} onClick={() => setWay(id)}>
                <b>{name}</b>
                <span>{says}</span>
              </button>
            ))}
          </div>
        </PanelBox>
        {way === 'practice' && <PracticeWay />}
        {way === 'file' && <FromFile />}
        {way === 'hand' && <ByHand />}
      </PageBody>
    </>
  );
}
