import { numberFault } from '../duckdb/tree/literals.js';
import type { Node } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { quotedText } from './writer.js';

/** A literal, written by its value and not as it came. */
export function writeLiteral(node: Node): string {
  const value = String(node.fields.value);
  const type = String(node.fields.literal_type);
  if (type === 'number') {
    if (!NUMBER.test(value) || value.length > MAX_DIGITS) refuse(`the number ${value.slice(0, 40)} is not allowed`);
    const fault = numberFault(value);
    if (fault !== undefined) refuse(`the number ${value} ${fault}`, value);
    return value;
  }
  if (type === 'hex_string' || type === 'hex_number') {
    if (!/^[\da-f]*$/i.test(value)) refuse(`the literal 0x${value.slice(0, 40)} is not allowed`);
    return `0x${value}`;
  }
  const word = WORDS[type];
  if (word === undefined) return refuse(`a literal of the type ${type.replaceAll('_', ' ')} is not allowed`);
  if (CONTROL.test(value)) refuse('a text holds a control character');
  return `${word}${quotedText(value)}`;
}

const NUMBER = /^(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i;
const MAX_DIGITS = 80;

/** What stands before the text of a literal. */
const WORDS: Readonly<Record<string, string>> = {
  string: '',
  national_string: '',
  date: 'DATE ',
  timestamp: 'TIMESTAMP ',
  datetime: 'TIMESTAMP ',
  time: 'TIME ',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
