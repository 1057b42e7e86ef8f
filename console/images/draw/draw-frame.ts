import type { Theme } from '../../../charts/look.js';
import { PALETTES } from '../../../charts/palette.js';
import { svgDocument, svgText } from './svg-text.js';
import { cutText, wrapText } from './text-width.js';

export const PADDING = 16;

const TITLE = { size: 16, line: 22 } as const;
const SUBTITLE = { size: 12, line: 18 } as const;
const NOTE = { size: 12, line: 17 } as const;
const MAX_NOTE_LINES = 2;
const MAX_NOTES = 5;

const WARNING = { light: '#8a5300', dark: '#f2b84b' } as const;

/** The texts around the content of an image. */
export interface FrameTexts {
  readonly title: string;
  readonly subtitle: string;
  /** What the picture omits. */
  readonly notes: readonly string[];
  /** What a reader must know before trusting the picture. */
  readonly warnings: readonly string[];
  readonly age: string;
  readonly summary: string;
}

/** The lines of text above and below the content, and the height that they need. */
export interface Frame {
  readonly top: number;
  readonly bottom: number;
  readonly draw: (content: string, contentHeight: number) => string;
}

/** Lays out an image: title, content, notes. A frame without content has its texts only. */
export function layOut(texts: FrameTexts, theme: Theme, width: number): Frame {
  const { title, subtitle, age, summary } = texts;
  const palette = PALETTES[theme];
  const inner = width - 2 * PADDING;
  const titleLines = wrapText(title, inner, TITLE.size * 1.06, 2);
  const top = PADDING + titleLines.length * TITLE.line + (subtitle === '' ? 0 : SUBTITLE.line) + 8;
  const below = [
    ...limitNotes(texts.warnings).map((text) => ({ text, color: WARNING[theme] })),
    ...[...texts.notes, ...(age === '' ? [] : [age])].map((text) => ({ text, color: palette.softText })),
  ].flatMap(({ text, color }) => wrapText(text, inner, NOTE.size, MAX_NOTE_LINES).map((line) => ({ line, color })));
  const bottom = below.length * NOTE.line + (below.length === 0 ? 0 : 6) + PADDING - 4;
  return {
    top,
    bottom,
    draw: (content, contentHeight) => {
      const height = top + contentHeight + bottom;
      const box = { x: 0.5, y: 0.5, width: width - 1, height: height - 1 };
      const parts = [
        `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="8" fill="${palette.surface}" stroke="${palette.line}"/>`,
        ...titleLines.map((line, index) =>
          svgText(line, PADDING, PADDING + 14 + index * TITLE.line, {
            size: TITLE.size,
            color: palette.text,
            isBold: true,
          }),
        ),
        subtitle === ''
          ? ''
          : svgText(cutText(subtitle, inner, SUBTITLE.size), PADDING, top - 12, {
              size: SUBTITLE.size,
              color: palette.softText,
            }),
        `<g transform="translate(${PADDING} ${top})">${content}</g>`,
        ...below.map(({ line, color }, index) =>
          svgText(line, PADDING, top + contentHeight + 18 + index * NOTE.line, { size: NOTE.size, color }),
        ),
      ];
      return svgDocument({ width, height, label: `${title}. ${summary}` }, parts.join(''));
    },
  };
}

function limitNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes;
  return [...notes.slice(0, MAX_NOTES - 1), `And ${notes.length - MAX_NOTES + 1} more notices.`];
}
