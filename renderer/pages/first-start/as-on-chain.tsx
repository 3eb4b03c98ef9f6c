import { useQueries as useEach, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { plural } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { exactText } from '../../components/figures/prices.ts';
import { RefusalNote } from '../../components/note.tsx';
import { Table } from '../../components/table.tsx';
import { useClient, useDesk, useQueries } from '../../state/console.tsx';
import { type DeskView, findPair } from '../../state/live-desk.ts';
import { readNumber } from '../../state/number-form.ts';
import { useListings } from '../../state/tokens.ts';
import { useCommand } from '../../state/use-command.ts';
import { midOf, spreadOf } from '../prices/ladder-figures.ts';
import { valuesOfLadder } from '../prices/ladder-values.ts';
import styles from './first-start.module.css';
import { ladderAround, limitName, newLimits, newPairs, samePairs, sameTokens, withLimits } from './from-chain.ts';
import type { SetUpOnChain } from './set-up.ts';
import { usePublishFirst } from './use-publish-first.ts';

type Listed = NonNullable<ReturnType<typeof useListings>['data']>;

/** Another chain of the desk, and what it lists. */
interface OtherChain {
  chain: SetUpChain;
  listed: Listed;
}

/** The other chains of the desk, the ones that are set up first. */
export function useOtherChains({ settings, chain }: Pick<SetUpOnChain, 'settings' | 'chain'>): OtherChain[] {
  const queries = useQueries();
  const others = settings.desk.chains.filter(({ chainId }) => chainId !== chain.chainId);
  const listed = useEach({
    queries: others.map(({ chainId }) => queries.listings.list.queryOptions({ input: { chainId } })),
  });
  return others.flatMap((other, index) => {
    const data = listed[index]?.data;
    return data === undefined ? [] : [{ chain: other, listed: data }];
  });
}

/** What another chain has and this one lacks, by symbol: pairs to be taken one by one, and limits. Nothing where it lacks nothing. */
export function AsOnChain({ other, chain, onChanged }: { other: OtherChain } & SetUpOnChain) {
  const client = useClient();
  const cache = useQueryClient();
  const queries = useQueries();
  const { chainId } = chain;
  const here = useListings(chainId).data;
  const pairs = here === undefined ? [] : newPairs(other.listed, here);
  const limits =
    here === undefined ? [] : newLimits(other.chain.limits, chain.limits, sameTokens(other.listed.tokens, here.tokens));
  const takePair = useCommand(async ({ pair, definition }: (typeof pairs)[number]) => {
    await client.listings.savePair({ chainId, pair, definition, seen: null });
    await cache.invalidateQueries({ queryKey: queries.listings.list.key() });
    onChanged();
  });
  const takeLimits = useCommand(async () => {
    await client.limits.set({ chainId, limits: withLimits(chain.limits, limits), seen: chain.limits });
    onChanged();
  });
  if (pairs.length + limits.length === 0) return null;
  return (
    <section className={styles.part} aria-label={`As on ${other.chain.name}`}>
      <header>
        <h3>As on {other.chain.name}</h3>
        <span className="muted">not on {chain.name} yet; each is taken as it stands here</span>
      </header>
      {takePair.refusal !== null && <RefusalNote refusal={takePair.refusal} />}
      {takeLimits.refusal !== null && <RefusalNote refusal={takeLimits.refusal} />}
      <Table>
        <colgroup>
          <col />
          <col className={styles.takeColumn} />
          <col className={styles.takeColumn} />
        </colgroup>
        <tbody>
          {pairs.map((one) => (
            <tr key={one.pair}>
              <td>
                <PairName pair={one.pair} />
              </td>
              <td className="muted">liquidity {exactText(String(one.definition.liquidityUSD))} USD</td>
              <td className="right">
                <Button disabled={takePair.busy} aria-label={`Take ${one.pair}`} onClick={() => takePair.run(one)}>
                  Take
                </Button>
              </td>
            </tr>
          ))}
          {limits.map((limit, index) => (
            <tr key={limitName(limit)}>
              <td title={limitName(limit)}>{limitName(limit)}</td>
              <td className="live-figure">{exactText(String(limit.value))}</td>
              <td className="right">
                {index === 0 && (
                  <Button disabled={takeLimits.busy} onClick={() => takeLimits.run()}>
                    {limits.length === 1 ? 'Set this limit' : `Set these ${limits.length} limits`}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** The ladder that a pair has on another chain, around a middle that a person may change, shown level by level before it is published. */
export function LadderAsOnChain(props: {
  row: DeskView['pairs'][number];
  others: readonly OtherChain[];
  tokens: Listed['tokens'];
}) {
  const { row, others, tokens } = props;
  const { chainId, pair, base, quote } = row;
  const live = useDesk((view) => view.pairs);
  const twin = others
    .flatMap(({ chain, listed }) => samePairs(listed, tokens).map((same) => ({ chain, ...same })))
    .filter(({ definition }) => definition.base === base && definition.quote === quote)
    .find(({ chain, there }) => {
      const priced = findPair(live, chain.chainId, there);
      return priced !== undefined && priced.bestBid !== null && priced.bestAsk !== null;
    });
  const queries = useQueries();
  const { data } = useQuery(
    queries.ladders.published.queryOptions({
      input: { chainId: twin?.chain.chainId ?? chainId, pair: twin?.there ?? pair },
      enabled: twin !== undefined,
    }),
  );
  const [typed, setTyped] = useState<string | null>(null);
  const publish = usePublishFirst({ chainId, pair });
  if (twin === undefined || data === undefined) return null;
  const values = valuesOfLadder(data.ladder);
  const mid =
    typed ??
    midOf(values)
      ?.replace(/(\.\d*?)0+$/, '$1')
      .replace(/\.$/, '') ??
    '';
  const read = readNumber(mid);
  const ladder = read.text === null ? null : ladderAround(data.ladder, read.text);
  const levels = Math.max(ladder?.bids.length ?? 0, ladder?.asks.length ?? 0);
  return (
    <form
      className={styles.stack}
      aria-label={`Ladder of ${pair} as on ${twin.chain.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (ladder !== null) publish.run(ladder);
      }}
    >
      <h4>
        As on {twin.chain.name}:{' '}
        <span className="muted">
          {plural(data.ladder.bids.length, 'bid')}, {plural(data.ladder.asks.length, 'ask')}, spread{' '}
          {spreadOf(values) ?? '—'} bps
        </span>
      </h4>
      <div className={styles.beside}>
        <div className="fill">
          <Field
            label={`Mid, ${quote} for one ${base}`}
            large
            inputMode="decimal"
            hint={`as it is on ${twin.chain.name} now; every price keeps its distance from it`}
            value={mid}
            fault={mid === '' ? null : (read.fault ?? (ladder === null ? 'must be above 0' : null))}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <Button type="submit" size="large" className="below-label" disabled={ladder === null || publish.busy}>
          Publish it as on {twin.chain.name}
        </Button>
      </div>
      {publish.refusal !== null && <RefusalNote refusal={publish.refusal} />}
      {ladder !== null && (
        <Table aria-label={`Levels of ${pair}`}>
          <thead>
            <tr>
              <th className="right">Size, {base}</th>
              <th className="right">We buy at</th>
              <th className="right">We sell at</th>
              <th className="right">Size, {base}</th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: levels }, (_, level) => {
              const [bid, ask] = [ladder.bids[level], ladder.asks[level]];
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a level is its number.
                <tr key={level}>
                  <td className="right">{bid === undefined ? '' : exactText(bid[1])}</td>
                  <td className="right">{bid === undefined ? '' : exactText(bid[0])}</td>
                  <td className="right">{ask === undefined ? '' : exactText(ask[0])}</td>
                  <td className="right">{ask === undefined ? '' : exactText(ask[1])}</td>
                </tr>
              );
            })}
          </tbody>
        </Table>
      )}
    </form>
  );
}
