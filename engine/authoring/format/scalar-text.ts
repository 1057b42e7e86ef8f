import { NOT_CODE } from '../../sql/reading/lexemes.js';

/** The longest line of a formatted file. Rows of columns and SQL can be longer. */
export const LINE_WIDTH = 120;

/** Writes text as a YAML scalar on one line, without quotes if every YAML parser reads it as the same text. */
export function writeText(text: string, isFlow: boolean): string {
  if (isPlain(text, isFlow)) return text;
  return UNPRINTABLE.test(text) ? quoteText(text) : `'${text.replaceAll("'", "''")}'`;
}

/** Writes text in double quotes. Characters that JSON allows but YAML does not are escaped. */
export function quoteText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns text as a literal block of YAML: its header, and its lines, which start with `indent`. */
export function writeLiteral(text: string, indent: string): { readonly header: string; readonly lines: string[] } {
  const body = text.replace(/\n+$/, '');
  const ending = text.slice(body.length);
  const chomp = ending === '' ? '-' : ending === '\n' ? '' : '+';
  const step = /^[\n]*[ \t]/.test(body) ? '2' : '';
  const lines = [...body.split('\n'), ...ending.slice(1).split('\n').slice(1)];
  return { header: `|${step}${chomp}`, lines: lines.map((line) => (line === '' ? '' : `${indent}${line}`)) };
}

/** Whether a literal block can represent the text. */
export function canBeLiteral(text: string): boolean {
  return /\S/.test(text) && !UNPRINTABLE.test(text.replaceAll(/[\n\t]/g, ''));
}

/** Returns the lines of text as a folded block (`>-`), without the header. Returns undefined for text that folding would change. */
export function foldText(text: string, indent: string): string[] | undefined {
  if (!/^\S+( \S+)*$/.test(text)) return undefined;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}

/** Removes blanks at the ends of SQL lines except in quoted texts and names, and removes empty lines at the end. */
export function trimSqlLines(sql: string): string {
  const trimmed = sql.replace(TRAILING, (part: string, noCode: string | undefined) => {
    if (noCode === undefined) return '';
    return /^(--|#)/.test(part) ? part.trimEnd() : part;
  });
  return trimmed.replace(/\n+$/, '\n');
}

const TRAILING = new RegExp(`(${NOT_CODE})|[ \\t]+(?=\\n|$)`, 'gs');

/** Characters that YAML reads only between double quotes, as escapes. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u;

/** Texts that some YAML parsers read as another type. */
const OTHER_TYPES = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/** A duration such as `30s`, which no YAML parser reads as a number. */
const TIME = /^\d+(?:ms|[smhd])$/;

function isPlain(text: string, isFlow: boolean): boolean {
  if (TIME.test(text)) return true;
  if (!/^[\p{L}/]/u.test(text) || UNPRINTABLE.test(text) || OTHER_TYPES.test(text)) return false;
  if (/: | #|[: ]$/.test(text)) return false;
  return !isFlow || !/[,[\]{}]/.test(text);
}
