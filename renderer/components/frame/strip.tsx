import { useDesk } from '../../state/console.tsx';
import { HeardAgo } from './not-connected.tsx';
import { StripBalances } from './strip-balances.tsx';
import { StripChains } from './strip-chains.tsx';
import { StripExposure } from './strip-exposure.tsx';

/** The strip over everything: trading and polling per chain, what is signed and live, balances. HALT is laid over its right end. */
export function Strip() {
  const heard = useDesk((view) => view.status !== null);
  return (
    <section className="strip" aria-label="Status">
      {heard && (
        <>
          <StripChains />
          <StripExposure />
          <StripBalances />
        </>
      )}
      <HeardAgo />
    </section>
  );
}
