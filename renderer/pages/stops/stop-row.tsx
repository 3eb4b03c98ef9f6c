import type { Stop } from '../../../electron/contract/stops.ts';
import { ageText, momentText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { scopeText, whyLines } from './stop-text.ts';

/** One stop, from the row that began it to the one that ended it. */
export function StopRow({ stop }: { stop: Stop }) {
  const { desk } = useConsole();
  const { scope, began, ended } = stop;
  const now = desk.now();
  const name = useScopeName(stop);
  return (
    <tr aria-label={`${name.what}, stopped ${momentText(began.at, now)}`}>
      <td className="muted">{momentText(began.at, now)}</td>
      <td className="stop-scope">
        <span className={`with-mark ${ended === null ? 'strong stop' : ''}`}>
          <Mark shape={shapeOf(stop)} />
          {name.what}
        </span>
        {name.where !== null && <span className="unit">{name.where}</span>}
      </td>
      <td>{personText(began.actor)}</td>
      <td className="words">
        {whyLines(stop).map(({ key, text, isReason, by }) => (
          <p key={key} className={isReason ? undefined : 'muted'}>
            {text}
            {by !== null && (
              <>
                {' '}
                <span className="quiet">
                  {personText(by.actor)}, {momentText(by.at, now)}
                </span>
              </>
            )}
          </p>
        ))}
      </td>
      {ended === null ? (
        <td colSpan={2} className="strong stop">
          {scope.pair === undefined ? 'still stopped' : 'still off'}
        </td>
      ) : (
        <>
          <td className="muted">{momentText(ended.at, now)}</td>
          <td>{personText(ended.actor)}</td>
        </>
      )}
      <td className="words">
        {ended !== null && (
          <p className={ended.reason === null ? 'muted' : undefined}>
            {ended.reason ?? (ended.what === 'imported' ? 'A desk file was imported.' : 'No reason given.')}
          </p>
        )}
      </td>
      <td className="right">{ended === null ? <Lasting since={began.at} /> : ageText(ended.at - began.at)}</td>
    </tr>
  );
}

function Lasting({ since }: { since: number }) {
  return <>{ageText(useDeskNow() - since)}</>;
}

function useScopeName({ scope }: Stop): ReturnType<typeof scopeText> {
  const chains = useDesk((view) => view.chains);
  return scopeText(scope, chains);
}

function shapeOf({ scope, began }: Stop): MarkShape {
  if (scope.pair !== undefined) return 'off';
  return began.what === 'drained' ? 'drain' : 'halted';
}

/** What the desk did by itself is not a person's. */
function personText(actor: string): string {
  return actor === 'desk' ? 'the desk itself' : actor;
}
