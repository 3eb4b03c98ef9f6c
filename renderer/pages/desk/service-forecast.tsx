import { useQuery } from '@tanstack/react-query';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';

/** Polls come every second or two, and the fifth that fails rests them: failures add up also where some succeed between. */
const STOP_FORECAST =
  'After five failed polls, about 5 to 10 s of 503, it does not poll /prices for 120 s: a longer stop may leave us dark for two minutes after the resume.';

/** When the service is likely to come back to each pair after a resume: what we infer, not what it says. */
export function ServiceForecast() {
  const { desk } = useConsole();
  const pairs = useDesk((view) => view.listed);
  const restrictions = useQuery(useQueries().service.restrictions.queryOptions({ input: {}, refetchInterval: 10_000 }));
  const late = restrictions.data ?? [];
  const free = pairs.length - late.length;
  return (
    <Panel name="What the service will do" aside="forecast">
      <ul className="side-list scroll">
        <li>
          <Mark shape="note" tone="quiet" />
          <span>
            It probably routes past us while our prices answer 503.{' '}
            {late.length === 0 && 'After a stop of less than five polls every pair is probably asked again at once.'}
          </span>
        </li>
        <li>
          <Mark shape="note" tone="quiet" />
          <span>{STOP_FORECAST}</span>
        </li>
        {late.map(({ chainId, pair, until, sentence }) => (
          <li key={`${chainId} ${pair}`} title={sentence}>
            <Mark shape="look" tone="attn" />
            <PairName pair={pair} />
            <span className="fill" />
            <b className="strong">not before {momentText(until, desk.now())}</b>
          </li>
        ))}
        {late.length > 0 && free > 0 && (
          <li>
            <Mark shape="done" tone="ok" />
            <span className="muted">{free} other pairs probably at once</span>
          </li>
        )}
      </ul>
    </Panel>
  );
}
