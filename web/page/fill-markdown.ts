import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { type Block, type Inline, parseMarkdown } from '../parts/markdown/parse-markdown.js';
import { fillText } from './fill-places.js';

/**
 * Parses Markdown and then replaces its placeholders by values. In this order, the values, which come from the URL of the page, are always
 * treated as text and cannot add links or other markup. In the target of a link, they are encoded.
 */
export function fillMarkdown(text: string, values: ParameterTexts): readonly Block[] {
  const inline = (part: Inline) => fillInline(part, values);
  return parseMarkdown(text).map((block): Block => {
    switch (block.kind) {
      case 'code':
        return { ...block, text: fillText(block.text, values) };
      case 'list':
        return { ...block, items: block.items.map((item) => item.map(inline)) };
      case 'table': {
        const cells = (row: (typeof block.rows)[number]) => row.map((cell) => cell.map(inline));
        return { ...block, head: cells(block.head), rows: block.rows.map(cells) };
      }
      default:
        return { ...block, parts: block.parts.map(inline) };
    }
  });
}

function fillInline(part: Inline, values: ParameterTexts): Inline {
  switch (part.kind) {
    case 'text':
    case 'code':
      return { ...part, text: fillText(part.text, values) };
    case 'link': {
      const encoded = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]);
      const href = fillText(part.href, Object.fromEntries(encoded));
      return { ...part, href, parts: part.parts.map((inner) => fillInline(inner, values)) };
    }
    default:
      return { ...part, parts: part.parts.map((inner) => fillInline(inner, values)) };
  }
}
