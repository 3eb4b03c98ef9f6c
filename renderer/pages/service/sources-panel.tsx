import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Waiting } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Age } from '../../components/figures/age.tsx';
import { plural, signedMsText } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';

/** What a chain gets from outside: the execution contracts we sign for, and the reference the grid is judged by. */
export function SourcesPanel({ chainId }: { chainId: number }) {
  const state = useQuery(useQueries().service.state.queryOptions({ input: { chainId }, refetchInterval: 5_000 }));
  const skewMs = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.skewMs ?? null);
  const { data } = state;
  return (
    <Panel name="From outside" className="sources">
      <div className="scroll">
        {state.isPending && <Waiting rows={4} />}
        {state.error !== null && <QueryError error={state.error} again={() => void state.refetch()} />}
        {data !== undefined && (
          <ul className="check-list">
            <Source fine={data.serviceUrl !== null} name="Service" at={null}>
              {data.serviceUrl ?? 'No address: orders cannot be looked up, and takers are not fetched.'}
            </Source>
            <Source fine={data.takers.fault === null} name="Execution contracts" at={data.takers.fetchedAt}>
              {data.takers.fault ?? takersText(data.takers)}
              {data.takers.list.map((address) => (
                <span key={address} className="taker">
                  <Address hex={address} of="contract" />
                </span>
              ))}
            </Source>
            <Source
              fine={data.reference.fault === null && data.referenceUrl !== null}
              name="Reference"
              at={data.reference.answeredAt}
            >
              {data.reference.fault ??
                data.referenceUrl ??
                'None: nothing tells whether the grid is far from the market.'}
            </Source>
            <Source fine={skewMs === null || Math.abs(skewMs) < 10_000} name="Clock" at={null}>
              {skewMs === null
                ? 'No signed request came yet.'
                : `Theirs minus ours: ${signedMsText(skewMs)}; requests beyond ±30 s are refused.`}
            </Source>
          </ul>
        )}
      </div>
    </Panel>
  );
}

function takersText({ list, fetchedAt }: { list: readonly string[]; fetchedAt: number | null }): string {
  if (list.length === 0) return 'No list: any taker is signed for.';
  return `${plural(list.length, 'contract')}, ${fetchedAt === null ? 'from the desk file' : 'fetched from the service'}. `;
}

function Source(props: { fine: boolean; name: string; at: number | null; children: ReactNode }) {
  return (
    <li>
      <Mark shape={props.fine ? 'done' : 'look'} tone={props.fine ? 'ok' : 'attn'} />
      <div className="fill">
        <b>{props.name}</b>
        {props.at !== null && (
          <span className="quiet">
            {' '}
            <Age since={props.at} /> ago
          </span>
        )}
        <p>{props.children}</p>
      </div>
    </li>
  );
}
