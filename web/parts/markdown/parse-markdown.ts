/** A part of a line, such as text, code or a link. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly Inline[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly parts: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly head: Cells; readonly rows: readonly Cells[] };

type Cells = readonly (readonly Inline[])[];

/**
 * Parses a subset of Markdown. Blocks are headings, paragraphs, flat lists, quotes, tables and code. Within lines there can be code, bold,
 * italic and links. Everything else, such as HTML, is treated as text.
 */
export function parseMarkdown(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; ) {
    const [block, end] = readBlock(lines, start);
    if (block !== undefined) blocks.push(block);
    start = end;
  }
  return blocks;
}

type Read = readonly [block: Block | undefined, end: number];

function readBlock(lines: readonly string[], start: number): Read {
  const line = lines[start] ?? '';
  if (line.trim() === '') return [undefined, start + 1];
  if (FENCE.test(line)) return readCode(lines, start);
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    return [{ kind: 'heading', level: marks.length, parts: parseInline(title) }, start + 1];
  }
  if (ITEM.test(line)) return readList(lines, start);
  if (QUOTE.test(line)) {
    const end = endOf(lines, start, (one) => QUOTE.test(one));
    const text = lines.slice(start, end).map((one) => one.replace(QUOTE, ''));
    return [{ kind: 'quote', parts: parseInline(text.join(' ')) }, end];
  }
  if (line.includes('|') && RULE.test(lines[start + 1] ?? '')) return readTable(lines, start);
  const end = endOf(lines, start, (one, index) => index === start || !startsBlock(one));
  return [
    {
      kind: 'paragraph',
      parts: parseInline(
        lines
          .slice(start, end)
          .map((one) => one.trim())
          .join(' '),
      ),
    },
    end,
  ];
}

const FENCE = /^\s*```/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^\s*([-*+]|\d{1,9}[.)])\s+/;
const QUOTE = /^\s*>\s?/;
/** Matches the line below the head of a table. */
const RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;

function startsBlock(line: string): boolean {
  return line.trim() === '' || [FENCE, HEADING, ITEM, QUOTE].some((pattern) => pattern.test(line));
}

function endOf(lines: readonly string[], start: number, isPart: (line: string, index: number) => boolean): number {
  let end = start;
  while (end < lines.length && isPart(lines[end] ?? '', end)) end += 1;
  return end;
}

function readCode(lines: readonly string[], start: number): Read {
  const end = endOf(lines, start + 1, (line) => !FENCE.test(line));
  return [{ kind: 'code', text: lines.slice(start + 1, end).join('\n') }, end + 1];
}

function readList(lines: readonly string[], start: number): Read {
  const end = endOf(lines, start, (line, index) => index === start || ITEM.test(line) || !startsBlock(line));
  const items: string[] = [];
  for (const line of lines.slice(start, end)) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  const isOrdered = /^\s*\d/.test(lines[start] ?? '');
  return [{ kind: 'list', isOrdered, items: items.map(parseInline) }, end];
}

function readTable(lines: readonly string[], start: number): Read {
  const end = endOf(lines, start + 2, (line) => line.includes('|'));
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => parseInline(cell.trim()));
  return [{ kind: 'table', head: cells(lines[start] ?? ''), rows: lines.slice(start + 2, end).map(cells) }, end];
}

const PART = /(`+)(.+?)\1|\*\*(.+?)\*\*|(?<![\w*])[*_](?![\s*_])(.+?)[*_](?![\w*])|\[([^\]]+)\]\(([^\s()]+)\)/;

/** Parses the parts of a line. */
export function parseInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let match = PART.exec(rest); match !== null; match = PART.exec(rest)) {
    if (match.index > 0) parts.push({ kind: 'text', text: rest.slice(0, match.index) });
    parts.push(toInline(match));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest !== '') parts.push({ kind: 'text', text: rest });
  return parts;
}

function toInline([whole, , code, strong, emphasis, label, href]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', parts: parseInline(strong) };
  if (emphasis !== undefined) return { kind: 'emphasis', parts: parseInline(emphasis) };
  const target = href === undefined ? undefined : safeHref(href);
  if (label === undefined || target === undefined) return { kind: 'text', text: whole };
  return { kind: 'link', href: target, parts: parseInline(label) };
}

/** Returns the URL of a link to a page of the service or the web; undefined for other links, such as `javascript:`. */
function safeHref(href: string): string | undefined {
  if (/^https?:\/\//i.test(href) || href.startsWith('#')) return href;
  // Browsers ignore control characters, so a scheme could be hidden behind them.
  if (/^[^/?#]*:|^\/\/|[\\\p{Cc}]/u.test(href)) return undefined;
  // The leading slash is removed, so that the link works if the service is served under another path.
  return href.replace(/^\/+/, '');
}
