import { Note } from '../../components/note.tsx';
import { useDesk } from '../../state/console.tsx';
import { keysText } from '../../state/shortcuts.ts';

/** Whether the desk is halted: what replaces the configuration whole, a desk that trades must not live through. */
export function useHalted(): boolean {
  return useDesk((view) => view.status?.state === 'HALTED');
}

/** Whether a chain is halted, by itself or with the desk: then it can be set anew while the others go on. */
export function useChainHalted(chainId: number): boolean {
  return useDesk(
    ({ status }) =>
      status?.state === 'HALTED' || status?.chains.find((chain) => chain.chainId === chainId)?.state === 'HALTED',
  );
}

export function ChainHaltedOnly({ chainId, name }: { chainId: number; name: string }) {
  if (useChainHalted(chainId)) return null;
  return (
    <Note level="note" title={`Can be changed only while ${name} is halted.`}>
      Its state in the strip above offers Halt: the other chains go on, and signed quotes stay fillable until they
      expire. A chain is added or removed while the desk is halted ({keysText('halt')}).
    </Note>
  );
}
