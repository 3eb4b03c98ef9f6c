import { refusalOf } from '../state/refusal-of.ts';
import { Note } from './note.tsx';

/** A read that did not happen: what the desk said, and the button that asks again. */
export function QueryError({ error, again }: { error: unknown; again: () => void }) {
  const { sentence, remedy } = refusalOf(error);
  return (
    <Note
      level="stop"
      title={sentence}
      actions={
        <button type="button" className="button" onClick={again}>
          Ask again
        </button>
      }
    >
      {remedy}
    </Note>
  );
}
