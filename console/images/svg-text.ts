import { FONT } from '../../engine/charts/options/drawing.js';

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

/** Escapes markup, and removes characters that are invalid in XML. */
export function escapeXml(text: string): string {
  return withoutInvalid(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Removes characters that are invalid in XML. */
export function withoutInvalid(text: string): string {
  return text.replaceAll(NOT_XML, '');
}

const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
