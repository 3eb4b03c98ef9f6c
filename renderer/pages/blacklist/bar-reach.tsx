import { Note } from '../../components/note.tsx';
import { Segmented } from '../../components/segmented.tsx';

/** Where somebody is barred. */
const REACHES = [
  { value: false, text: 'on the public list' },
  { value: true, text: 'by this desk only' },
] as const;

/** Whether the service is told of who is barred: what it does with either is not ours to say, so it is told before. */
export function BarReach({ onlyHere, onChange }: { onlyHere: boolean; onChange: (onlyHere: boolean) => void }) {
  return (
    <>
      <Segmented label="Where" options={REACHES} value={onlyHere} onChoose={onChange} />
      {onlyHere ? (
        <Note level="look" title="Each of their asks costs us the pair for 15 minutes.">
          The service is not told and goes on routing this user to us. Each ask is refused with 422, and the service
          then keeps away from that pair for 15 minutes, in both directions. Nothing of this bar stays with it at the
          end; the public list, once read, is for good.
        </Note>
      ) : (
        <Note level="look" title="The service may not take an address off again.">
          We quote again at the end. The service keeps the address for good once it has read it from our list or was
          answered 403 for it, whatever end is set here: expect that this user is never routed to us again.
        </Note>
      )}
    </>
  );
}

/** Why somebody is barred, and that it is by this desk only. */
export function BarReason({ reason, onlyHere }: { reason: string | null; onlyHere: boolean }) {
  return (
    <>
      {onlyHere && <span className="chip is-outline">only here</span>}{' '}
      {reason ?? <span className="quiet">none given</span>}
    </>
  );
}
