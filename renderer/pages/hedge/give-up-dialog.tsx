import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { Lead } from '../../components/dialog.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useConsole } from '../../state/console.tsx';
import { cutAmount, rowWords } from './hedge-words.ts';

/** Ends a hedge of which nobody can tell what becomes of it, with the reason of the one who says so. */
export function GiveUpDialog({ hedge, onClose }: { hedge: HedgeDetail; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const isGood = hedge.deadline * 1_000 > desk.now();
  return (
    <ReasonDialog
      needs="trade"
      title={`Give hedge ${hedge.seq} up?`}
      question="How do you know what became of it?"
      keep="Keep following it"
      act="Give it up"
      send={(reason) => connection.client.hedge.giveUp({ seq: hedge.seq, reason })}
      onClose={onClose}
    >
      <Lead>
        {rowWords(hedge)}. The desk no longer asks the service about it. What the chain shows stays booked: gave{' '}
        {cutAmount(hedge.spent, hedge.src, 'up')}, got {cutAmount(hedge.received, hedge.dest)}.{' '}
        {isGood
          ? 'What is signed stays good until its deadline. It may still be filled, the desk looks for that on the chain, and whoever would hedge the same again is asked first.'
          : 'Its deadline is over: once the chain has shown that nothing more was filled, its fills can be hedged again.'}
      </Lead>
    </ReasonDialog>
  );
}
