import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useShortcuts } from '../../state/shortcuts.ts';
import { type Story, storiesAt, storyName, storyPath } from '../../state/story.ts';
import { layers } from '../dialog.tsx';
import { Key } from '../key.tsx';
import styles from './story-menu.module.css';

/** The ways from any row or cell to what the journal tells of it: in a menu at a right click, and the first of them by a key. */
export function StoryMenu() {
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<{ x: number; y: number; stories: readonly Story[] } | null>(null);
  const before = useRef<Element | null>(null);
  useShortcuts({
    story: () => {
      const [first] = storiesHere();
      if (first === undefined) return false;
      navigate(storyPath(first));
      return true;
    },
  });
  useEffect(() => {
    const onContextMenu = (event: MouseEvent) => {
      const { target, clientX, clientY } = event;
      // Marked text and fields have what the browser offers: copy and paste.
      if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return;
      const stories = target.closest('input, textarea, select') === null ? storiesAt(target) : [];
      if (stories.length === 0) return;
      event.preventDefault();
      before.current = document.activeElement;
      // The key for it has no place of the pointer.
      const { left, bottom } = target.getBoundingClientRect();
      const isByKey = clientX === 0 && clientY === 0;
      setOpened({ x: isByKey ? left : clientX, y: isByKey ? bottom : clientY, stories });
    };
    window.addEventListener('contextmenu', onContextMenu);
    return () => window.removeEventListener('contextmenu', onContextMenu);
  }, []);
  if (opened === null) return null;
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && setOpened(null)}>
      <DropdownMenu.Trigger asChild>
        <span className={styles.at} style={{ left: opened.x, top: opened.y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={layers()}>
        <DropdownMenu.Content
          className={styles.menu}
          aria-label="Journal"
          align="start"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
          }}
        >
          {opened.stories.map((story, at) => (
            <DropdownMenu.Item key={storyPath(story)} asChild>
              <Link href={storyPath(story)}>
                {storyName(story)} {at === 0 && <Key of="story" />}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** What is meant without a pointer to say so: where the focus is, else the row that is chosen, else what the pointer is on. */
function storiesHere(): readonly Story[] {
  const { activeElement } = document;
  const places = [activeElement, document.querySelector('main [aria-selected="true"]'), innermostHovered()];
  for (const place of places) {
    const stories = storiesAt(place);
    if (stories.length > 0) return stories;
  }
  return [];
}

function innermostHovered(): Element | null {
  return [...document.querySelectorAll('[data-stories]:hover')].at(-1) ?? null;
}
