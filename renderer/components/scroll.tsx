import { type ComponentProps, useCallback, useContext, useState } from 'react';
import { PanelName } from './panel.tsx';

const TAKES_FOCUS =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]:not([tabindex="-1"])';

/**
 * What scrolls in a panel. While there is more than is seen and nothing in it takes the focus, it is itself a stop of Tab, from
 * which the keys scroll it; it is then named like its panel, or by its `aria-label`.
 */
export function Scroll({ ref, className = '', 'aria-label': label, ...rest }: ComponentProps<'div'>) {
  const panel = useContext(PanelName);
  const [isStop, setIsStop] = useState(false);
  const place = useCallback(
    (element: HTMLDivElement) => {
      const look = () => {
        const isMore = element.scrollHeight > element.clientHeight + 1;
        // What a small window leaves out takes no focus.
        setIsStop(isMore && ![...element.querySelectorAll(TAKES_FOCUS)].some((part) => part.checkVisibility()));
      };
      const sizes = new ResizeObserver(look);
      const watchParts = () => {
        sizes.disconnect();
        for (const part of [element, ...element.children]) sizes.observe(part);
      };
      const parts = new MutationObserver(watchParts);
      parts.observe(element, { childList: true });
      watchParts();
      if (typeof ref === 'function') ref(element);
      else if (ref) ref.current = element;
      return () => {
        parts.disconnect();
        sizes.disconnect();
        if (typeof ref === 'function') ref(null);
        else if (ref) ref.current = null;
      };
    },
    [ref],
  );
  const stop = isStop ? { role: 'group', tabIndex: 0, 'aria-label': label ?? panel } : {};
  return <div className={`scroll ${className}`} ref={place} {...stop} {...rest} />;
}
