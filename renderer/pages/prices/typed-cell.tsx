import { type RefObject, useState } from 'react';

/** The cell that is being typed into. What stands in it is its own affair until it is taken: nothing else is drawn anew. */
export function TypedCell(props: { name: string; initial: string; typed: RefObject<string>; onTake: () => void }) {
  const { name, initial, typed, onTake } = props;
  const [text, setText] = useState(initial);
  return (
    <input
      aria-label={name}
      // The cell was asked to be edited: the caret belongs there.
      ref={(input) => input?.focus()}
      value={text}
      spellCheck={false}
      autoComplete="off"
      inputMode="decimal"
      onChange={(event) => {
        typed.current = event.target.value;
        setText(event.target.value);
      }}
      onBlur={onTake}
    />
  );
}
