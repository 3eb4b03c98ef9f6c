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
import { useDeskNow } from '../../state/clock.ts';
import { useConsole } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { useCommand } from '../../state/use-command.ts';
import type { Span } from '../fills/fill-ranges.ts';
import { PickTime } from '../results/pick-time.tsx';
import { CurvesPanel } from './curves-panel.tsx';
import { type MadeDrafts, makeDrafts, NONE_MADE } from './make-drafts.ts';
import { PairsPanel } from './pairs-panel.tsx';
import { QuotesBehind } from './quotes-behind.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { AS_THEY_WERE, settingsOf } from './typed-settings.ts';
import {
  type ChosenTime,
  type Figure,
  isOfChoice,
  isOfTime,
  useWhatIf,
  type WhatIfResult,
  whenText,
} from './use-what-if.ts';
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
  const [drafts, setDrafts] = useState<{ of: WhatIfResult; made: MadeDrafts } | null>(null);
  const run = useWhatIf(asked);
  const settings = settingsOf(typed);
  const result = run.whole;
  const isRunning = asked !== null && run.isOld;
  // What stands on the screen is of what is chosen now.
  const isOfThese = result !== null && isOfChoice(result.asked, { range, picked }, settings);
  const isThisTime = result !== null && isOfTime(result.asked, { range, picked });
  const before = isOfThese ? null : `of the ${isThisTime ? 'settings' : 'time'} before`;
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
        <When chosen={{ range, picked }} result={result} />
        <span className="fill" />
        {isRunning && <Progress of={run.progress} />}
        {isRunning ? (
          <Button onClick={() => setAsked(null)}>Stop</Button>
        ) : (
          <Button look={isOfThese ? undefined : 'primary'} disabled={settings === null} onClick={priceAgain}>
            Price again
          </Button>
        )}
        {!isRunning && isOfThese && result !== null && (
          <ToDrafts
            result={result}
            made={drafts?.of === result ? drafts.made : NONE_MADE}
            onMade={(made) => setDrafts({ of: result, made })}
          />
        )}
      </PageHead>
      <PageBody className={styles.page} data-asked={isRunning || result !== null || run.error !== null || undefined}>
        <SettingsPanel settings={typed} tried={result?.end.tried ?? null} onChange={setTyped} />
        <Answer run={run} isRunning={isRunning} before={before} onOpen={setFigure} />
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

/** Which time is priced, or was: one that ends now goes on with the clock. */
function When({ chosen, result }: { chosen: ChosenTime; result: WhatIfResult | null }) {
  return <span className={`quiet ${styles.when}`}>{whenText(chosen, result, useDeskNow())}</span>;
}

function Answer(props: {
  run: ReturnType<typeof useWhatIf>;
  isRunning: boolean;
  /** What a result is of that is not of what is chosen now; null where it is. */
  before: string | null;
  onOpen: (figure: Figure) => void;
}) {
  const { run, isRunning, before, onOpen } = props;
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
          <Empty title="Nothing repriced yet" heading="h2">
            Choose a time above and other settings at the left, then press Price again. Every firm request of that time
            is decided again from the journal. The result says what it would have been quoted, what would have tripped,
            and between which two figures edge and markout would have been. The desk goes on meanwhile, and nothing is
            changed.
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
    <div className={`${styles.result} ${before === null ? '' : styles.before}`} aria-busy={isRunning}>
      <CurvesPanel
        result={result}
        before={before === null || isRunning ? before : `${before}, press Price again`}
        onOpen={onOpen}
      />
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

/** Why pairs have no draft of it: so many are named. */
const MOST_NAMED = 5;

/** Puts what was tried of the ladders into drafts that nobody has changed: a second time it would be done to what it has become. */
function ToDrafts(props: { result: WhatIfResult; made: MadeDrafts; onMade: (made: MadeDrafts) => void }) {
  const { result, made: before, onMade } = props;
  const deskConsole = useConsole();
  const { ladders = [] } = result.asked.settings;
  const make = useCommand(async () => {
    const after = await makeDrafts(deskConsole, ladders, before);
    onMade(after);
    const { refused } = after;
    const named = refused.slice(0, MOST_NAMED).map(({ pair, sentence }) => `${pair.pair}: ${sentence}`);
    const more = refused.length - named.length;
    deskConsole.toasts.show({
      level: refused.length > 0 ? 'look' : 'done',
      title: `In ${plural(after.made.size, 'draft')}. Nothing is published.`,
      detail: [...named, ...(more > 0 ? [`And ${plural(more, 'other')}.`] : [])].join(' '),
    });
  });
  if (ladders.length === 0) return null;
  const { made, doubtful, refused } = before;
  const others = refused.filter(({ pair }) => !doubtful.has(pairKey(pair))).length;
  const isTried = made.size + doubtful.size > 0;
  return (
    <>
      {isTried && (
        <span className="quiet nowrap">
          Made in {plural(made.size, 'draft')}
          {doubtful.size > 0 && `, not known of ${plural(doubtful.size, 'other')}`}
        </span>
      )}
      {(!isTried || others > 0) && (
        <Button
          look="primary"
          needs="trade"
          disabled={make.busy}
          title="Spread, shift and sizes, in drafts that nobody has changed. Nothing is published; formulas, limits and protections stay as they are"
          onClick={() => make.run()}
        >
          {isTried ? `Make ${plural(others, 'other draft')}` : 'Make the prices the draft'}
        </Button>
      )}
    </>
  );
}
