import { Lead } from '../../components/dialog.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useClient, useDesk, useToasts } from '../../state/console.tsx';

/** Asks whether a chain really was reset, as `makerdesk accept-chain` does: whoever says so ends what was signed for the old one. */
export function AcceptChainDialog({
  chainId,
  genesis,
  onClose,
}: {
  chainId: number;
  genesis: string;
  onClose: () => void;
}) {
  const client = useClient();
  const toasts = useToasts();
  const name = useDesk((view) => view.chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`);
  return (
    <ReasonDialog
      needs="settings"
      title={`Was ${name} really reset?`}
      question="How do you know that it was started over from its first block?"
      hint="Goes into the journal with your name. Nothing is resumed by it."
      keep="Leave it closed"
      act="It was reset"
      look="stop"
      send={async (reason) => {
        await client.trading.acceptChain({ chainId, genesis, reason });
        const detail =
          'When its node is next read, every order signed for the old chain ends. It stays halted until it is resumed.';
        toasts.show({ level: 'done', title: `${name} is accepted as reset`, detail });
      }}
      onClose={onClose}
    >
      <Lead>
        Its node has another chain, which begins with block{' '}
        <span className="mono">{`${genesis.slice(0, 10)}…${genesis.slice(-8)}`}</span>. If you say yes, every order that
        was signed for the old one counts as ended. If the node is wrong, those orders can still be filled, and this
        desk counts them no longer: name another node instead.
      </Lead>
    </ReasonDialog>
  );
}
