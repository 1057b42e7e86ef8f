import { findNumberFault } from '../duckdb/tree/literals.js';
import type { Node } from '../duckdb/tree/tree.js';
import { reject } from './rejection.js';
import { quoteText } from './writer.js';

/** Writes a literal from its value, not from the author's text. */
export function writeLiteral(node: Node): string {
  const value = String(node.fields.value);
  const type = String(node.fields.literal_type);
  if (type === 'number') {
    if (!NUMBER.test(value) || value.length > MAX_NUMBER_LENGTH)
      reject(`the number ${value.slice(0, 40)} is not allowed`);
    const fault = findNumberFault(value);
    if (fault !== undefined) reject(`the number ${value} ${fault}`, value);
    return value;
  }
  if (type === 'hex_string' || type === 'hex_number') {
    if (!/^[\da-f]*$/i.test(value)) reject(`the literal 0x${value.slice(0, 40)} is not allowed`);
    return `0x${value}`;
  }
  const word = PREFIXES[type];
  if (word === undefined) return reject(`a literal of the type ${type.replaceAll('_', ' ')} is not allowed`);
  if (CONTROL_CHARACTER.test(value)) reject('a text contains a control character');
  return `${word}${quoteText(value)}`;
}

const NUMBER = /^(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i;
const MAX_NUMBER_LENGTH = 80;

/** The keyword before the quoted text, by type of literal. */
const PREFIXES: Readonly<Record<string, string>> = {
  string: '',
  national_string: '',
  date: 'DATE ',
  timestamp: 'TIMESTAMP ',
  datetime: 'TIMESTAMP ',
  time: 'TIME ',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
