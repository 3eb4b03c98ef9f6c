import { Note, QueryError } from '../../components/note.tsx';
import { useBlacklists } from './blacklist-panel.tsx';
import { endText } from './blacklist-terms.tsx';

/** What stands of a user on the lists of all chains, or of one; `unread`: a list that could not be read. */
export function useStanding(address: string, chainId: number | null = null) {
  const lists = useBlacklists().filter((list) => chainId === null || list.chainId === chainId);
  const wanted = address.trim().toLowerCase();
  const entries = lists.flatMap(({ chain, data = [] }) =>
    data.filter((entry) => entry.address === wanted).map((entry) => ({ ...entry, chain })),
  );
  return {
    entries,
    unread: lists.find(({ isError }) => isError),
    isPending: lists.some(({ isPending }) => isPending),
  };
}

/** What whoever blacklists a user takes the place of. */
export function StandingEntries({ entries, unread }: ReturnType<typeof useStanding>) {
  return (
    <>
      {unread !== undefined && (
        <QueryError
          what={`Who is on the list of ${unread.chain} is not known`}
          error={unread.error}
          again={() => void unread.refetch()}
        />
      )}
      {entries.map(({ chain, until, onlyHere, actor, reason: why }) => (
        <Note
          key={chain}
          level="look"
          title={`On the list of ${chain} already, ${until === null ? 'for good' : `until ${endText(until)}`}${onlyHere ? ', by this desk only' : ''}.`}
        >
          By {actor}. {why === null ? 'No reason given.' : `Reason: ${why}.`} What you set here takes its place.
        </Note>
      ))}
    </>
  );
}
