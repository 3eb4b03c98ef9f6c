import { type ComponentProps, createContext, type ReactNode } from 'react';
import styles from './panel.module.css';

/** How the panel is named that something stands in. */
export const PanelName = createContext<string | undefined>(undefined);

/** A panel: a head that names it, a body that scrolls in one direction, a foot if there is something to say. */
export function Panel(props: {
  name: string;
  aside?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <PanelBox className={props.className} aria-label={props.name}>
      <header>
        <h2>{props.name}</h2>
        {props.aside !== undefined && <span className="quiet">{props.aside}</span>}
        <span className="fill" />
        {props.actions}
      </header>
      {props.children}
      {props.footer !== undefined && <footer>{props.footer}</footer>}
    </PanelBox>
  );
}

/** The box alone, where the head is another one or there is none. */
export function PanelBox({ className = '', ...rest }: ComponentProps<'section'>) {
  return (
    <PanelName value={rest['aria-label']}>
      <section className={`${styles.panel} ${className}`} {...rest} />
    </PanelName>
  );
}
