import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useConsole } from '../../state/console.tsx';

/** An alarm stands until somebody says what they found. */
export function AcknowledgeDialog({ seqs, onClose }: { seqs: number[]; onClose: () => void }) {
  const { connection, desk } = useConsole();
  return (
    <ReasonDialog
      needs="trade"
      title="Take this alarm off the screen"
      question="What did you find?"
      hint="Goes into the journal with your name. Nothing is resumed by it."
      keep="Leave it there"
      act="I have looked"
      send={async (reason) => desk.acknowledge(await connection.client.trading.acknowledgeAlarms({ seqs, reason }))}
      onClose={onClose}
    />
  );
}
