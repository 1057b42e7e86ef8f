import { NOT_CODE } from '../../sql/reading/lexemes.js';

/** The longest line of a formatted file. Rows of columns and SQL can be longer. */
export const LINE_WIDTH = 120;

/** Writes text as a YAML scalar on one line, without quotes if every YAML reader reads it as the same text. */
export function writeText(text: string, isFlow: boolean): string {
  if (isPlain(text, isFlow)) return text;
  return UNPRINTABLE.test(text) ? quoteText(text) : `'${text.replaceAll("'", "''")}'`;
}

/** Writes text between double quotes. JSON allows some characters that YAML does not; they are escaped. */
export function quoteText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Writes text as a literal block whose lines start at `indent`: the header, and the lines. */
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

/** Writes prose as a folded block (`>-`): the lines after the header. Returns undefined for text that folding would change. */
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

/** Removes blanks at the ends of the lines of SQL, but not inside quoted texts and names, and empty lines at its end. */
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

/** Texts that some YAML reader reads as another type. */
const OTHER_TYPES = /^(?:true|false|yes|no|on|off|null|y|n)$/i;

/** A time such as `30s`, which no YAML reader reads as a number. */
const TIME = /^\d+(?:ms|[smhd])$/;

function isPlain(text: string, isFlow: boolean): boolean {
  if (TIME.test(text)) return true;
  if (!/^[\p{L}/]/u.test(text) || UNPRINTABLE.test(text) || OTHER_TYPES.test(text)) return false;
  if (/: | #|[: ]$/.test(text)) return false;
  return !isFlow || !/[,[\]{}]/.test(text);
}
