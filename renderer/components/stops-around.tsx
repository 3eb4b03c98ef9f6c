import type { StandingStop } from '../../electron/contract/trading.ts';
import { useDeskNow } from '../state/clock.ts';
import { useDesk } from '../state/console.tsx';
import type { StopsSeen } from '../state/use-stops-seen.ts';
import { Button } from './button.tsx';
import { momentText } from './figures/times.ts';
import { InSight, Note, QueryError } from './note.tsx';
import { Sentence } from './sentence.tsx';

/** Who stopped what is to be resumed, and why. */
export function StopsAround({ stops }: { stops: StopsSeen }) {
  if (stops.overtaken || stops.now === undefined) return <StoppedMeanwhile stops={stops} />;
  return stops.now.map((stop) => (
    <p key={JSON.stringify(stop)}>
      <StopText stop={stop} />
    </p>
  ));
}

/** That a stop came while somebody wrote why it is safe to trade: it is read before that counts. Or that it is not known whether one did. */
export function StoppedMeanwhile({ stops }: { stops: StopsSeen }) {
  const { error, refetch, canDecide } = stops;
  if (!canDecide) {
    return error === null ? null : <QueryError what="Who stopped this is not known" error={error} again={refetch} />;
  }
  if (!stops.overtaken) return null;
  return (
    <InSight of={stops.now}>
      <Note
        level="stop"
        title="Stopped meanwhile. Is it still safe to trade?"
        actions={<Button onClick={stops.takeAsRead}>I have read it</Button>}
      >
        {(stops.now ?? []).map((stop) => (
          <span key={JSON.stringify(stop)}>
            <StopText stop={stop} />{' '}
          </span>
        ))}
      </Note>
    </InSight>
  );
}

function StopText({ stop: { scope, state, since, actor, reason } }: { stop: StandingStop }) {
  const { chainId, pair, side } = scope;
  const chain = useDesk((view) => view.chains.find((one) => one.chainId === chainId)?.name ?? `Chain ${chainId}`);
  const what = chainId === undefined ? 'The whole desk' : pair === undefined ? chain : `${pair} ${side ?? ''}`.trim();
  return (
    <>
      <b className="strong">
        {what}: {state} since {momentText(since, useDeskNow())} by {actor}.
      </b>{' '}
      {reason === null ? 'No reason given.' : <Sentence text={reason} />}
    </>
  );
}
