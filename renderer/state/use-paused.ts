import { useEffect, useState } from 'react';

/** How long nothing may have changed, milliseconds. */
const PAUSE = 400;

/** What is typed, once it has been the same for a moment: the desk is not asked for every letter. Nothing at once when it goes away. */
export function usePaused<T>(value: T | null): T | null {
  const text = value === null ? null : JSON.stringify(value);
  const [settled, setSettled] = useState<string | null>(text);
  useEffect(() => {
    if (text === null) {
      setSettled(null);
      return;
    }
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null || settled !== text ? null : value;
}
