import { useState } from 'react';
import type { WhatIfAsked, WhatIfProgress } from '../../../electron/contract/what-if.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Waiting } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { Meter } from '../../components/meter.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useConsole } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import type { Span } from '../fills/fill-ranges.ts';
import { PickTime } from '../results/pick-time.tsx';
import { spanText } from '../results/result-span.ts';
import { CurvesPanel } from './curves-panel.tsx';
import { makeDrafts } from './make-drafts.ts';
import { PairsPanel } from './pairs-panel.tsx';
import { QuotesBehind } from './quotes-behind.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { AS_THEY_WERE, settingsOf } from './typed-settings.ts';
import { type Figure, useWhatIf, type WhatIfResult } from './use-what-if.ts';
import styles from './what-if-page.module.css';

const HOUR = 3_600_000;
const RANGES = [
  { value: HOUR, text: '1 h' },
  { value: 6 * HOUR, text: '6 h' },
  { value: 24 * HOUR, text: '24 h' },
  { value: 168 * HOUR, text: '7 d' },
];

/** What would yesterday have been by tomorrow's settings? A stretch of the journal, priced again beside the desk. */
export function WhatIfPage() {
  const { desk } = useConsole();
  const [range, setRange] = useState(HOUR);
  const [picked, setPicked] = useState<Span | null>(null);
  const [typed, setTyped] = useState(AS_THEY_WERE);
  const [asked, setAsked] = useState<WhatIfAsked | null>(null);
  const [figure, setFigure] = useState<Figure | null>(null);
  const run = useWhatIf(asked);
  const settings = settingsOf(typed);
  const result = run.whole;
  const isRunning = asked !== null && run.isOld;
  // What stands on the screen is of what is chosen now.
  const isOfThese = result !== null && JSON.stringify(result.asked.settings) === JSON.stringify(settings);
  const priceAgain = () => {
    if (settings === null) return;
    const now = desk.now();
    const { since, until } = picked ?? { since: now - range, until: null };
    setFigure(null);
    setAsked({ since, until: until === null ? now : until - 1, settings });
  };
  return (
    <>
      <PageHead name="What if">
        <Segmented
          label="Which time"
          options={RANGES}
          value={picked === null ? range : null}
          onChoose={(value) => {
            setRange(value);
            setPicked(null);
          }}
        />
        <PickTime picked={picked} onPick={setPicked} />
        <span className={`quiet ${styles.when}`}>{whenText(picked, result, desk.now())}</span>
        <span className="fill" />
        {isRunning && <Progress of={run.progress} />}
        {isRunning ? (
          <Button onClick={() => setAsked(null)}>Stop</Button>
        ) : (
          <Button look={isOfThese ? undefined : 'primary'} disabled={settings === null} onClick={priceAgain}>
            Price again
          </Button>
        )}
        {!isRunning && isOfThese && result !== null && <ToDrafts result={result} />}
      </PageHead>
      <PageBody className={styles.page}>
        <SettingsPanel settings={typed} tried={result?.end.tried ?? null} onChange={setTyped} />
        <Answer run={run} isRunning={isRunning} onOpen={setFigure} />
      </PageBody>
      {figure !== null && result !== null && (
        <QuotesBehind
          asked={{ ...result.asked, until: result.end.until }}
          figure={figure}
          onClose={() => setFigure(null)}
        />
      )}
    </>
  );
}

function Answer(props: { run: ReturnType<typeof useWhatIf>; isRunning: boolean; onOpen: (figure: Figure) => void }) {
  const { run, isRunning, onOpen } = props;
  const result = run.whole;
  if (run.error !== null && !isRunning) {
    return (
      <PanelBox aria-label="Result">
        <QueryError error={run.error} again={run.again} />
      </PanelBox>
    );
  }
  if (result === null) {
    return (
      <PanelBox aria-label="Result">
        {isRunning ? (
          <Waiting rows={10} />
        ) : (
          <Empty title="Nothing is priced again yet" heading="h2">
            Choose a time above and other settings at the left, then press Price again. Every firm request of that time
            is decided again from the journal: what it would have been quoted, what would have tripped, and between
            which two figures edge and markout would have been. The desk goes on meanwhile, and nothing is changed.
          </Empty>
        )}
      </PanelBox>
    );
  }
  if (result.end.requests === 0) {
    return (
      <PanelBox aria-label="Result" aria-busy={isRunning}>
        <Empty title="No firm request in this time" heading="h2">
          Choose a longer time, or another one.
        </Empty>
      </PanelBox>
    );
  }
  return (
    <div className={styles.result} aria-busy={isRunning}>
      <CurvesPanel result={result} onOpen={onOpen} />
      <PairsPanel result={result} onOpen={onOpen} />
    </div>
  );
}

/** How far it has come, in counts. */
function Progress({ of: progress }: { of: WhatIfProgress | null }) {
  const of = progress?.of ?? null;
  return (
    <span className={styles.progress} role="status">
      {progress === null ? (
        'Not begun yet'
      ) : progress.reading === 'before' ? (
        <>Read {countText(progress.done)} of the day before</>
      ) : (
        <>
          Priced again <b>{countText(progress.done)}</b>
          {of !== null && ` of ${countText(of)}`}
        </>
      )}
      <Meter
        share={of === null || progress === null ? null : progress.done / Math.max(1, of)}
        className={styles.meter}
      />
    </span>
  );
}

/** Puts what was tried of the ladders into drafts. */
function ToDrafts({ result }: { result: WhatIfResult }) {
  const deskConsole = useConsole();
  const { ladders = [] } = result.asked.settings;
  const make = useCommand(async () => {
    const { made, refused } = await makeDrafts(deskConsole, ladders);
    deskConsole.toasts.show({
      level: refused.length > 0 ? 'look' : 'done',
      title: `In ${plural(made, 'draft')}. Nothing is published.`,
      detail: refused.join(' '),
    });
  });
  if (ladders.length === 0) return null;
  return (
    <Button
      look="primary"
      needs="trade"
      disabled={make.busy}
      title="Done to the drafts as they are now. Nothing is published; formulas, limits and protections stay as they are"
      onClick={() => make.run()}
    >
      Make these the draft
    </Button>
  );
}

function whenText(picked: Span | null, result: WhatIfResult | null, now: number): string {
  if (picked !== null)
    return `${spanText(picked, picked.until === null ? now : picked.until - 1, now)} ${zoneName(picked.since)}`;
  if (result === null) return '';
  const { since } = result.asked;
  return `priced: ${spanText({ since, until: null }, result.end.until, now)} ${zoneName(since)}`;
}
