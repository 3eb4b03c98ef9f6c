import { useRef, useState } from 'react';

/**
 * The one form below a table: it adds something, or changes what it names. Once something is typed in it nothing else takes its place:
 * it is shown instead, and only its own buttons close it. `asked`: what the address of the page opens, which `onLeave` takes back.
 */
export function useOpenForm(asked: string | null = null, onLeave = () => {}) {
  const [form, setForm] = useState<{ edited: string | null } | null>(asked === null ? null : { edited: asked });
  /** Counts how often it was opened anew. */
  const [opened, setOpened] = useState(0);
  const [isTyped, setTyped] = useState(false);
  const [seen, setSeen] = useState(asked);
  const place = useRef<HTMLDivElement>(null);
  const anew = () => {
    setOpened((times) => times + 1);
    setTyped(false);
  };
  const show = (next: typeof form) => {
    setForm(next);
    anew();
  };
  if (asked !== seen) {
    setSeen(asked);
    if (asked !== null) show({ edited: asked });
  }
  return {
    form,
    key: opened,
    isAdding: form !== null && form.edited === null,
    /** For what stands around the form. */
    around: { ref: place, onInput: () => setTyped(true) },
    /** Opens the form that adds (null), or that changes what is named. */
    open: (edited: string | null) => {
      if (form !== null && (isTyped || form.edited === edited)) {
        place.current?.querySelector<HTMLElement>('input:enabled, select:enabled')?.focus();
        return;
      }
      show({ edited });
      onLeave();
    },
    /** Shows it anew, with what is in force. */
    anew,
    close: () => {
      show(null);
      onLeave();
    },
  };
}
