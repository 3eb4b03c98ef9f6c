import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { Field } from '../../components/field.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';
import type { DeskView } from '../../state/live-desk.ts';
import { ladderPath } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { useListings } from '../../state/tokens.ts';
import { PairForm } from '../listings/pairs-panel.tsx';
import { type BuildFaults, type BuildInput, NEW_BUILD, readBuild } from '../prices/build-input.ts';
import { AsOnChain, LadderAsOnChain, useOtherChains } from './as-on-chain.tsx';
import styles from './first-start.module.css';
import type { SetUpOnChain } from './set-up.ts';
import { usePublishFirst } from './use-publish-first.ts';

/** Pairs, each with the ladder that is published first, or where its ladder is. */
export function LaddersStep(setUp: SetUpOnChain) {
  const { chain, onChanged } = setUp;
  const { chainId } = chain;
  const others = useOtherChains(setUp);
  const tokens = useListings(chainId).data?.tokens ?? {};
  const cache = useQueryClient();
  const queries = useQueries();
  const pairs = useDesk((view) => view.pairs).filter((row) => row.chainId === chainId && row.retiredUntil === null);
  return (
    <>
      {pairs.length === 0 && <Empty title="No pair yet">One pair, one level on each side is enough to begin.</Empty>}
      {pairs.map((row) => (
        <PairSection key={row.pair} row={row} others={others} tokens={tokens} />
      ))}
      {others.map((other) => (
        <AsOnChain key={other.chain.chainId} other={other} {...setUp} />
      ))}
      <PairForm
        chainId={chainId}
        tokenIds={chain.tokenIds}
        edited={null}
        onDone={async () => {
          await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
          onChanged();
        }}
        showNow={() => {}}
      />
    </>
  );
}

function PairSection(props: Parameters<typeof LadderAsOnChain>[0]) {
  const { row } = props;
  const { chainId, pair, bestBid, bestAsk } = row;
  const isPriced = bestBid !== null || bestAsk !== null;
  return (
    <section className={styles.part} aria-label={pair}>
      <header>
        <Mark shape={isPriced ? 'done' : 'open'} tone={isPriced ? 'ok' : 'quiet'} />
        <h3>
          <PairName pair={pair} />
        </h3>
        <span className="muted fill">
          {isPriced
            ? `we buy at ${bestBid === null ? '—' : exactText(bestBid)}, we sell at ${bestAsk === null ? '—' : exactText(bestAsk)}`
            : 'no prices yet'}
        </span>
        <Button asChild look="quiet">
          <Link href={ladderPath(chainId, pair)}>Open its ladder</Link>
        </Button>
      </header>
      {!isPriced && <LadderAsOnChain {...props} />}
      {!isPriced && <FirstLadder row={row} />}
    </section>
  );
}

const FIRST: BuildInput = { ...NEW_BUILD, spreadBps: '10', levels: '5', sizeOf: 'quote' };

/** A ladder from its middle, as the form of the Prices page builds them; published at once, on a desk that is halted. */
function FirstLadder({ row: { chainId, pair, base, quote } }: { row: DeskView['pairs'][number] }) {
  const queries = useQueries();
  const [input, setInput] = useState(FIRST);
  const { form, faults } = readBuild(input.size === '' ? { ...input, sizeOf: 'payable' } : input);
  const build = useQuery(
    queries.ladders.build.queryOptions({
      input: { pairs: [{ chainId, pair }], form: form as NonNullable<typeof form> },
      enabled: form !== null,
    }),
  );
  const built = form === null ? undefined : build.data?.[0];
  const publish = usePublishFirst({ chainId, pair });
  const field = (name: keyof BuildFaults, label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="decimal"
      value={input[name]}
      fault={input[name] === '' ? null : faults[name]}
      onChange={(event) => setInput({ ...input, [name]: event.target.value })}
    />
  );
  const [bid, ask] = [built?.ladder?.bids[0], built?.ladder?.asks[0]];
  return (
    <form
      className={styles.stack}
      aria-label={`First ladder of ${pair}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (built?.ladder != null) publish.run(built.ladder);
      }}
    >
      <div className={styles.fiveFields}>
        {field('price', 'Mid', `${quote} for one ${base}`)}
        {field('spreadBps', 'Spread, bps', 'best bid to best ask')}
        {field('stepBps', 'Step, bps', 'from level to level')}
        {field('levels', 'Levels', 'each side')}
        {field('size', `A level, ${quote}`, 'each alike; empty: all that can be paid')}
      </div>
      {build.error !== null && form !== null && <RefusalNote refusal={refusalOf(build.error)} />}
      {publish.refusal !== null && <RefusalNote refusal={publish.refusal} />}
      <div className={styles.row}>
        <Button type="submit" look="primary" size="large" disabled={built?.ladder == null || publish.busy}>
          Publish the first ladder
        </Button>
        <span className="muted">
          {built?.fault != null && <span className="stop">{built.fault}</span>}
          {bid !== undefined && ask !== undefined
            ? `We buy ${exactText(bid[1])} ${base} at ${exactText(bid[0])}, and sell ${exactText(ask[1])} at ${exactText(ask[0])}.`
            : built?.fault == null && 'Type the mid to see what it gives.'}
        </span>
      </div>
    </form>
  );
}
