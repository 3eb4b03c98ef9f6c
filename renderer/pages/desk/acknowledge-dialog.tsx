import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useClient } from '../../state/console.tsx';

/** An alarm stands until somebody says what they found. */
export function AcknowledgeDialog({ seqs, onClose }: { seqs: number[]; onClose: () => void }) {
  const client = useClient();
  return (
    <ReasonDialog
      needs="trade"
      title="Take this alarm off the screen"
      question="What did you find?"
      hint="Goes into the journal with your name. Nothing is resumed by it."
      keep="Leave it there"
      act="I have looked"
      // The answer may be that of a line before, and its status of then: what is so now comes with the stream.
      send={(reason) => client.trading.acknowledgeAlarms({ seqs, reason })}
      onClose={onClose}
    />
  );
}
