import { createElement, useMemo } from 'react';
import styles from './markdown.module.css';
import { type Block, type Inline, parseInline, parseMarkdown } from './parse-markdown.js';

export interface MarkdownProps {
  readonly text: string;
  /** The level of the headings with one mark. */
  readonly level?: 2 | 3 | 4;
}

/** Shows Markdown that others wrote. HTML in it is text. */
export function Markdown({ text, level = 2 }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <MarkdownBlocks blocks={blocks} level={level} />;
}

/** Shows parsed Markdown. */
export function MarkdownBlocks({ blocks, level }: { readonly blocks: readonly Block[]; readonly level: number }) {
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text do not change
        <BlockPart key={index} block={block} level={level} />
      ))}
    </div>
  );
}

/** Shows one line of Markdown. */
export function InlineMarkdown({ text }: { readonly text: string }) {
  return <Parts parts={parseInline(text.replaceAll(/\s*\n\s*/g, ' '))} />;
}

function BlockPart({ block, level }: { readonly block: Block; readonly level: number }) {
  switch (block.kind) {
    case 'heading': {
      const tag = `h${Math.min(6, level + block.level - 1)}`;
      return createElement(tag, undefined, <Parts parts={block.parts} />);
    }
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'list': {
      const items = keyed(block.items).map(([key, parts]) => (
        <li key={key}>
          <Parts parts={parts} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'quote':
      return (
        <blockquote>
          <Parts parts={block.parts} />
        </blockquote>
      );
    case 'table':
      return <Table block={block} />;
    case 'paragraph':
      return (
        <p>
          <Parts parts={block.parts} />
        </p>
      );
  }
}

function Table({ block: { head, rows } }: { readonly block: Extract<Block, { kind: 'table' }> }) {
  return (
    <div className={styles.scroll}>
      <table>
        <thead>
          <tr>
            {keyed(head).map(([key, parts]) => (
              <th key={key} scope="col">
                <Parts parts={parts} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(([key, cells]) => (
            <tr key={key}>
              {keyed(cells).map(([column, parts]) => (
                <td key={column}>
                  <Parts parts={parts} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Parts({ parts }: { readonly parts: readonly Inline[] }) {
  return keyed(parts).map(([key, part]) => <Part key={key} part={part} />);
}

function Part({ part }: { readonly part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'strong':
      return (
        <strong>
          <Parts parts={part.parts} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Parts parts={part.parts} />
        </em>
      );
    case 'link':
      return (
        <a href={part.href} rel="noopener noreferrer">
          <Parts parts={part.parts} />
        </a>
      );
  }
}

/** The parts of a text do not change, so their positions are their keys. */
function keyed<Item>(items: readonly Item[]): readonly (readonly [number, Item])[] {
  return items.map((item, index) => [index, item] as const);
}
