import { FONT } from '../../engine/charts/options/drawing.js';
import { escapeXml } from '../xml-text.js';

export interface TextStyle {
  readonly size: number;
  readonly color: string;
  readonly isBold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** Writes a line of text as SVG. Markup characters are escaped. */
export function svgText(
  text: string,
  x: number,
  y: number,
  { size, color, isBold, anchor = 'start' }: TextStyle,
): string {
  const weight = isBold === true ? ' font-weight="bold"' : '';
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}" font-size="${size}"${weight}${place} fill="${color}">${escapeXml(text)}</text>`;
}

/** Writes a complete SVG image, without scripts and references to other files. */
export function svgDocument(
  { width, height, label }: { readonly width: number; readonly height: number; readonly label: string },
  content: string,
): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" font-family="${FONT}">` +
    `<title>${escapeXml(label)}</title>${content}</svg>`
  );
}

/**
 * Estimates the width of a text in pixels. The estimate is for DejaVu Sans, with which PNG images are drawn. This font is wider than the
 * fonts of most browsers, so a text that fits in a PNG image also fits in a browser.
 */
export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += widthOf(character);
  return units * size;
}

function widthOf(character: string): number {
  if (NARROW.has(character)) return 0.36;
  if (WIDE.has(character)) return 0.97;
  const code = character.codePointAt(0) ?? 0;
  if (code >= FIRST_WIDE) return 1.05;
  return character >= 'A' && character <= 'Z' ? 0.69 : 0.61;
}

const NARROW = new Set("iIjl.,:;|!'`[]()/ -");
const WIDE = new Set('mwMW@%…–—');
/** From this character on, most scripts have characters that are as wide as they are high. */
const FIRST_WIDE = 0x1100;

/** Truncates a text that is wider than `width`. */
export function cutText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let cut = '';
  for (const character of text) {
    if (textWidth(`${cut}${character}…`, size) > width) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Breaks a text into lines of at most `width`. If there are more than `most` lines, the last line is truncated. */
export function wrapText(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || textWidth(longer, size) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  const shown = lines.slice(0, most).map((one) => cutText(one, width, size));
  const last = shown.at(-1);
  if (lines.length > most && last !== undefined) shown[most - 1] = cutText(`${last} …`, width, size);
  return shown;
}
