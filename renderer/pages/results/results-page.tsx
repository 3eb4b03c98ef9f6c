import { useState } from 'react';
import { Link } from 'wouter';
import type { NamesOf } from '../../../electron/contract/given-names.ts';
import {
  type ResultBy,
  type ResultRow,
  type Results,
  resultsBy,
  resultsCsv,
} from '../../../electron/contract/results.ts';
import { Button } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { ageText } from '../../components/figures/times.ts';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel, PanelBox } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { counterpartyText, useNames, userText } from '../../state/names.tsx';
import { fillsPath, pagePath } from '../../state/pages.ts';
import { openTextFile } from '../../state/save-text.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useCommand } from '../../state/use-command.ts';
import type { Span } from '../fills/fill-ranges.ts';
import { CurvePanel } from './curve-panel.tsx';
import { PartsPanel } from './parts-panel.tsx';
import { PickTime } from './pick-time.tsx';
import { ResultFills } from './result-fills.tsx';
import { RESULT_RANGES, type ResultRange, spanText, useResultSpan } from './result-span.ts';
import { ResultTable } from './result-table.tsx';
import styles from './results-page.module.css';
import { nameOf, useResultFills, useResults, whoseFills } from './use-results.ts';

/** From then on figures are said to be old. Milliseconds. */
const OLD_MS = 5_000;
const LONGEST: ResultRange = '7 d';
const UNKNOWN = 'What this time came to is not known; quoting and hedging do not wait for it';

/** Did this time make money, and from whom? The fills of a span with all that became of them until now. */
export function ResultsPage() {
  const { desk } = useConsole();
  const chains = useDesk((view) => view.chains);
  const listed = useDesk((view) => view.listed);
  const names = useNames();
  const [range, setRange] = useState<ResultRange>('1 h');
  const [picked, setPicked] = useState<Span | null>(null);
  const [chain, setChain] = useState('');
  const [by, setBy] = useState<ResultBy>('pair');
  const [chosenName, setChosen] = useState('');
  const span = useResultSpan(range, picked);
  const of = { span, chainId: chain === '' ? undefined : Number(chain) };
  const sums = useResults(of);
  const results = sums.shown && resultsBy(sums.shown, by);
  const chosen = results?.rows.find((row) => nameOf(row) === chosenName) ?? null;
  const first = results?.rows[0];
  // Whose fills are shown stays as it is: nothing moves under a hand.
  if (chosen === null && first !== undefined && !sums.waiting) setChosen(nameOf(first));
  const fills = useResultFills(of, {
    key: chosen,
    by,
    now: results?.now ?? 0,
    range: picked === null ? range : `${picked.since} ${picked.until}`,
  });

  const now = results?.now ?? desk.now();
  const chainName = (chainId: number | null) => chains.find((one) => one.chainId === chainId)?.name ?? `${chainId}`;
  const isTwice = (pair: string | null) => listed.filter((one) => one.pair === pair).length > 1;
  const pairName = ({ pair, chainId }: ResultRow) => (isTwice(pair) ? `${pair} ${chainName(chainId)}` : `${pair}`);
  const pathOf = (row: ResultRow | null, of: ResultBy = row !== null && row.user !== null ? 'user' : by) =>
    fillsPath({ ...span, ...(chain !== '' && { chainId: Number(chain) }), ...whoseFills(row, of) });
  const isNothing = results !== undefined && results.all.fills === 0 && (results.noFill?.count ?? 0) === 0;
  const elsewhere =
    chains.length === 0 ? (
      <Button asChild>
        <Link href="/">Set up the first chain</Link>
      </Button>
    ) : (
      (picked !== null || range !== LONGEST) && (
        <Button
          onClick={() => {
            setPicked(null);
            setRange(LONGEST);
          }}
        >
          Show {LONGEST}
        </Button>
      )
    );
  return (
    <>
      <PageHead name="Results">
        <Segmented
          label="How far back"
          options={RESULT_RANGES}
          value={picked === null ? range : null}
          onChoose={(value) => {
            setRange(value);
            setPicked(null);
          }}
        />
        <PickTime picked={picked} onPick={setPicked} />
        {chains.length > 1 && (
          <FilterSelect
            label="Chain"
            any="all"
            value={chain}
            options={chains.map(({ chainId, name }) => ({ value: `${chainId}`, text: name }))}
            onChange={setChain}
          />
        )}
        <span className={`quiet ${styles.when}`}>
          {spanText(span, span.until === null ? now : span.until - 1, now)} {zoneName(span.since)}
          {results !== undefined && <Age of={results.now} />}
        </span>
        <span className="fill" />
        <Button asChild>
          <Link href={pagePath('handover')}>Handover</Link>
        </Button>
        <ExportButton results={results} by={by} />
      </PageHead>
      <PageBody className={styles.page}>
        <div className={styles.top}>
          {results === undefined && sums.read.error !== null ? (
            <PanelBox className={styles.whole} aria-label="Net and its parts">
              <ReadState read={sums.read} unknown={UNKNOWN} />
            </PanelBox>
          ) : sums.shown === undefined || isNothing ? (
            // In two, as they will stand: nothing moves when the figures come.
            <>
              <PanelBox className={styles.parts} aria-label="Net and its parts">
                <ReadState read={sums.read} rows={8} unknown={UNKNOWN} />
                {isNothing && (
                  <Empty title="No fills in this time" heading="h2" actions={elsewhere}>
                    The first one fills this page: edge, markout, inventory, hedge costs, gas, fees and net.
                  </Empty>
                )}
              </PanelBox>
              <Panel name="Net" aside="and its parts, $">
                <div className={styles.curve} />
              </Panel>
            </>
          ) : (
            <>
              <PartsPanel
                sums={sums.shown}
                pathOf={(row) => pathOf(row, row === null ? by : row.user === null ? 'pair' : 'user')}
                pairName={pairName}
              />
              <CurvePanel results={sums.shown} />
            </>
          )}
        </div>
        <ResultTable
          by={by}
          onBy={(next) => {
            setBy(next);
            setChosen('');
          }}
          sums={sums}
          results={results}
          chosen={chosenName}
          onChoose={(row) => setChosen(nameOf(row))}
        />
        <ResultFills
          row={chosen}
          sums={sums.read}
          by={by}
          name={chosen === null ? '' : titleOf(chosen, by, pairName, names)}
          path={pathOf(chosen)}
          now={now}
          read={fills}
        />
      </PageBody>
    </>
  );
}

/** How old the figures are, once anybody could take them for newer ones. */
function Age({ of }: { of: number }) {
  const old = useDeskNow() - of;
  return old > OLD_MS && ` · ${ageText(old)} old`;
}

function titleOf(row: ResultRow, by: ResultBy, pairName: (row: ResultRow) => string, names: NamesOf): string {
  if (by === 'pair') return pairName(row);
  if (by === 'user') return userText(names, row.user ?? '');
  return row.counterparty === null ? 'No counterparty named' : counterpartyText(names, row.counterparty);
}

/** Writes the table to a file. */
function ExportButton({ results, by }: { results: Results | undefined; by: ResultBy }) {
  const { desk, toasts } = useConsole();
  const names = useNames();
  const run = useCommand(async () => {
    if (results === undefined) return;
    const stamp = new Date(desk.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-');
    const name = `results-by-${by}-${stamp}.csv`;
    const file = await openTextFile(name, 'text/csv');
    if (file === null) return;
    await file.write(resultsCsv(results, names));
    await file.done();
    toasts.show({ level: 'done', title: 'Wrote the results', detail: name });
  });
  return (
    <Button disabled={results === undefined || run.busy} onClick={() => run.run()} title="As comma-separated values">
      Export CSV
    </Button>
  );
}
