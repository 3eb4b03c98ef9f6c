import { Link } from 'wouter';
import type { ReferenceLine, SourceLine } from '../../../electron/contract/sources.ts';
import { Button } from '../../components/button.tsx';
import { Empty, type Read, ReadState } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { pagePath } from '../../state/pages.ts';
import { ruleText, SourcesTable } from '../prices/sources-table.tsx';
import styles from './pair-pricing.module.css';

/** Where the mid of a pair comes from: each source with its health, and what is made of them. */
export function SourcesPanel(props: {
  read: Read;
  reference: ReferenceLine | undefined;
  lines: readonly SourceLine[];
  quote: string;
}) {
  const { read, reference, lines, quote } = props;
  const silent = reference?.sources.filter(({ use }) => use === 'silent').length ?? 0;
  return (
    <Panel
      name="Sources"
      aside={reference === undefined ? '' : countsText(reference)}
      actions={
        silent > 0 && (
          <span className="stop nowrap">
            <Mark shape="refused" /> {plural(silent, 'says nothing', 'say nothing')}
          </span>
        )
      }
      footer={reference === undefined ? undefined : <RuleLine reference={reference} />}
      className={styles.sources}
    >
      {reference !== undefined ? (
        <SourcesTable reference={reference} lines={lines} quote={quote} />
      ) : read.isPending || read.error !== null ? (
        <ReadState read={read} rows={3} unknown="The sources are not known here; the desk goes on asking them" />
      ) : (
        <Empty
          title="No source"
          actions={
            <Button asChild>
              <Link href={`${pagePath('settings')}/chains`}>Settings, Chains</Link>
            </Button>
          }
        >
          Nothing outside says where this pair stands. A formula begins with a reference: give its chain an address to
          ask, or name sources in the desk file.
        </Empty>
      )}
    </Panel>
  );
}

/** The rule, whole in a tooltip where there is no room for it. */
function RuleLine({ reference }: { reference: ReferenceLine }) {
  const text = ruleText(reference);
  return (
    <>
      <span className="quiet">Rule</span>
      <span className={styles.rule} title={text}>
        {text}
      </span>
    </>
  );
}

function countsText({ sources }: ReferenceLine): string {
  const of = (...uses: string[]) => sources.filter(({ use }) => uses.includes(use)).length;
  const old = of('old');
  return `${of('mid', 'counted')} counted${old === 0 ? '' : `, ${old} too old`}`;
}

/** What the mid is made of, in words. */
export function midText(reference: ReferenceLine | undefined): string {
  if (reference === undefined) return 'the reference';
  const counted = reference.sources.filter(({ use }) => use === 'mid' || use === 'counted');
  const names = reference.sources.filter(({ use }) => use === 'mid').map(({ name }) => name);
  const from = names.length === 0 ? '' : `: ${names.join(', ')}`;
  if (reference.sources.length === 1) return `one source${from}`;
  const how = { first: 'the first of', median: 'median of', widest: 'middle of' }[reference.rule];
  return `${how} ${plural(counted.length, 'fresh source')}${from}`;
}
