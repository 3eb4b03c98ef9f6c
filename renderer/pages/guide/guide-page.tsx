import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useParams } from 'wouter';
import { Empty } from '../../components/empty.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { GUIDE, GUIDE_PATH } from '../../state/guide.ts';
import styles from './guide-page.module.css';
import { type Block, blocksOf, type Words } from './guide-text.ts';

/** The pictures of the guide, by their names on its pages; each is read once it is shown. */
const PICTURES = import.meta.glob<string>('../../../resources/guide/pictures/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** A page of the guide, the same words as in the folder `resources/guide`; without a name its first one. */
export function GuidePage() {
  const { name } = useParams<{ name?: string }>();
  const top = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its top
  useEffect(() => {
    top.current?.scrollIntoView(); // gives a promise in newer browsers, which is nothing for an effect to end with
  }, [name]);
  const page = GUIDE.find((candidate) => candidate.name === (name ?? ''));
  return (
    <>
      <PageHead name="Guide">
        <span className="fill" />
        {name !== undefined && <Link href={GUIDE_PATH}>All pages</Link>}
      </PageHead>
      <PageBody className={styles.page}>
        <PanelBox aria-label={page?.title ?? 'Guide'}>
          <Scroll>
            <div ref={top} />
            {page === undefined ? (
              <Empty title="The guide has no such page">Its first page names them all.</Empty>
            ) : (
              <article className={styles.text}>
                {blocksOf(page.text).map((block, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
                  <Part key={index} block={block} />
                ))}
              </article>
            )}
          </Scroll>
        </PanelBox>
      </PageBody>
    </>
  );
}

function Part({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'title':
      return <h2>{said(block.words)}</h2>;
    case 'head':
      return <h3>{said(block.words)}</h3>;
    case 'text':
      return <p>{said(block.words)}</p>;
    case 'steps':
      return <ol>{block.items.map(item)}</ol>;
    case 'list':
      return <ul>{block.items.map(item)}</ul>;
    case 'typed':
      return <pre className="mono">{block.text}</pre>;
    case 'picture':
      return <img src={PICTURES[`../../../resources/guide/${block.to}`]} alt={block.text} />;
    case 'table':
      return (
        <Table>
          <thead>
            <tr>{block.head.map((cell, index) => inRow(cell, index, 'th'))}</tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
              <tr key={index}>{row.map((cell, place) => inRow(cell, place, 'td'))}</tr>
            ))}
          </tbody>
        </Table>
      );
  }
}

function item(words: Words[], index: number): ReactNode {
  return <li key={index}>{said(words)}</li>;
}

function inRow(words: Words[], index: number, Cell: 'th' | 'td'): ReactNode {
  return <Cell key={index}>{said(words)}</Cell>;
}

/** Words as they are meant; a link to a file that only the sources have is its words alone. */
function said(words: Words[]): ReactNode[] {
  return words.map((word, index) => {
    const key = `${index} ${word.text}`;
    if (word.kind === 'bold') return <b key={key}>{word.text}</b>;
    if (word.kind === 'said') return <em key={key}>{word.text}</em>;
    if (word.kind === 'typed') return <code key={key}>{word.text}</code>;
    const to = word.kind === 'link' ? GUIDE.find(({ file }) => file === word.to.split('#')[0]) : undefined;
    return to === undefined ? (
      word.text
    ) : (
      <Link key={key} href={to.path}>
        {word.text}
      </Link>
    );
  });
}
