import { useDesk } from '../state/console.tsx';

/** Which chain a page is about; nothing to choose where there is one. */
export function ChainTabs({ chainId, onChange }: { chainId: number | undefined; onChange: (chainId: number) => void }) {
  const chains = useDesk((view) => view.chains);
  if (chains.length < 2) return null;
  return (
    <fieldset className="choice" aria-label="Chain">
      {chains.map((chain) => (
        <button
          key={chain.chainId}
          type="button"
          className="button"
          aria-pressed={chain.chainId === chainId}
          onClick={() => onChange(chain.chainId)}
        >
          {chain.name}
        </button>
      ))}
    </fieldset>
  );
}
