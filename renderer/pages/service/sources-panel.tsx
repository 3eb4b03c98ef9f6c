import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ServiceState } from '../../../electron/contract/service-view.ts';
import { REFERENCE_URL } from '../../../electron/contract/sources.ts';
import styles from '../../components/check-list.module.css';
import { ReadState } from '../../components/empty.tsx';
import { Address } from '../../components/figures/address.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText, plural, signedMsText } from '../../components/figures/counts.ts';
import { User } from '../../components/figures/party.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useDesk, useQueries } from '../../state/console.tsx';
import { NETWORKS } from '../../state/network-presets.ts';
import { TakersList } from './takers-list.tsx';

type Engine = ServiceState['engines'][number];

/** What a chain gets from outside: the execution contracts we sign for, and the reference the grid is judged by. */
export function SourcesPanel({ chainId }: { chainId: number }) {
  const state = useQuery(useQueries().service.state.queryOptions({ input: { chainId }, refetchInterval: 5_000 }));
  const skewMs = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.skewMs ?? null);
  const heard = useQuery(useQueries().service.sources.queryOptions({ input: { chainId }, refetchInterval: 5_000 }));
  const sources = (heard.data?.sources ?? []).filter(({ name }) => name !== REFERENCE_URL);
  const { data } = state;
  return (
    <Panel name="From outside">
      <Scroll>
        <ReadState
          read={state}
          rows={4}
          unknown="What comes from outside is not known; what was taken stays in force"
        />
        {data !== undefined && (
          <ul className={styles.list}>
            {data.engines.map((engine) => (
              <Source key={engine.token} fine={isFine(engine)} name={`Engine ${engine.token}`} at={engine.lastAt}>
                {engineText(engine)}
              </Source>
            ))}
            <TakersList chainId={chainId} takers={data.takers} onChanged={() => void state.refetch()}>
              <Source fine={data.serviceUrl !== null} name="Service" at={null}>
                {data.serviceUrl ?? 'No address: orders cannot be looked up, and takers are not fetched.'}
                {data.asked !== null && ` · ${askedText(data.asked)}`}
              </Source>
              <Source fine={data.takers.fault === null} name="Execution contracts" at={data.takers.fetchedAt}>
                {data.takers.fault ?? takersText(data.takers)}
              </Source>
            </TakersList>
            {data.takers.refused.map(({ address, count, at, pair }) => (
              <Source key={address} fine={false} name="A taker was refused" at={at}>
                <span>
                  <Address hex={address} of="contract" />
                </span>
                {unlistedText(chainId, address)} Refused {timesText(count)} within the last hour
                {pair === null ? '' : `, last for ${pair}`}; each time the service skips the pair for 15 minutes.
              </Source>
            ))}
            {data.dust.map(({ address, count, at, pair }) => (
              <Source key={address} fine={false} name="A user asked for dust" at={at}>
                <span>
                  <User address={address} copies renames />
                </span>
                asked {timesText(count)} within the last hour for less than one raw unit
                {pair === null ? '' : `, last of ${pair}`}; each time the service skips the pair for 15 minutes.
                Blacklist the user if it goes on.
              </Source>
            ))}
            <Source
              fine={data.reference.fault === null && data.referenceUrl !== null}
              name="Reference"
              at={data.reference.answeredAt}
            >
              {data.reference.fault ??
                data.referenceUrl ??
                'None: nothing tells whether the grid is far from the market.'}
            </Source>
            {sources.map(({ name, kind, url, lastAt, updates, fault }) => (
              <Source key={name} fine={fault === null && lastAt !== null} name={`Source ${name}`} at={lastAt}>
                {fault ?? `${kind}${url === null ? '' : ` ${url}`} · ${plural(updates, 'update')} in ten seconds`}
              </Source>
            ))}
            <Source fine={skewMs === null || Math.abs(skewMs) < 10_000} name="Clock" at={null}>
              {skewMs === null
                ? 'No signed request came yet.'
                : `Theirs minus ours: ${signedMsText(skewMs)}; requests beyond ±30 s are refused.`}
            </Source>
          </ul>
        )}
      </Scroll>
    </Panel>
  );
}

/** What is known of a taker that is on no list in force. */
function unlistedText(chainId: number, address: string): string {
  const preset = NETWORKS.find((network) => network.chainId === chainId);
  const known = preset?.takers.includes(address) ? `, though it is a known one of ${preset.name}` : '';
  return `is not on the list in force${known}.`;
}

/** Whether nothing of an engine was refused since the last ten seconds, and something came. */
function isFine({ updates, lastError, lastAt }: Engine): boolean {
  return updates > 0 && (lastError === null || lastAt - lastError.at > 10_000);
}

function engineText({ pairs, updates, lastError }: Engine): string {
  const rate = `${plural(updates, 'update')} in ten seconds`;
  const prices = pairs.length === 0 ? 'prices no pair' : `prices ${pairs.join(', ')}`;
  return `${prices} · ${rate}${lastError === null ? '' : ` · last refused: ${lastError.error}`}`;
}

function timesText(count: number): string {
  return count === 1 ? 'once' : plural(count, 'time');
}

function takersText({ list, waiting = [], fetchedAt }: ServiceState['takers']): string {
  const inForce = list.length === 0 ? 'No taker is in force' : `${plural(list.length, 'taker')} in force`;
  if (fetchedAt === null) return `${inForce}. What the service names was not fetched.`;
  return `${inForce}${waiting.length === 0 ? ', and the service names no other.' : `; ${plural(waiting.length, 'other')} ${waiting.length === 1 ? 'waits' : 'wait'} for you.`}`;
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

/** What was asked of the service today, what is left where it counts, and what that is kept for. */
export function askedText({ today, perDay, reserve }: NonNullable<ServiceState['asked']>): string {
  if (perDay === null) return `Asked ${plural(today, 'time')} today, with a key.`;
  const left = Math.max(0, perDay - today);
  const said = `Asked ${plural(today, 'time')} today: ${countText(left)} of ${countText(perDay)} left until 00:00 UTC`;
  if (left > reserve) return `${said}, the last ${countText(reserve)} of them for orders under way.`;
  return `${said}, kept for orders under way. Prices and new hedges wait until then, or give the desk a key to the service under Settings.`;
}
