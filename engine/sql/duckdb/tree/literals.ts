import { child, type Node, nameOf } from '../../reading/tree.js';
import { type Rewrite, reject, textLiteral } from './translator.js';

/** Rewrites of literals and parameters. DuckDB itself converts a text literal in a comparison to the type of the other side. */
export const LITERALS: Readonly<Record<string, Rewrite>> = {
  literal: (node) => writeLiteral(node),
  boolean: (node) => (node.fields.value === true ? '1' : '0'),
  null: () => 'NULL',
  parameter: (node) => writeParameter(node),
};

/** Returns true for the literal NULL. */
export function isNull(node: Node): boolean {
  return node.kind === 'null';
}

/** Returns the value of a string literal, or undefined for any other node. */
export function stringValue(node: Node): string | undefined {
  return isLiteral(node, 'string') || isLiteral(node, 'national_string') ? String(node.fields.value) : undefined;
}

/** Returns the value of an integer literal with or without a sign, or undefined for any other node. */
export function integerValue(node: Node): number | undefined {
  if (node.kind === 'neg') {
    const value = integerValue(child(node, 'this'));
    return value === undefined ? undefined : -value;
  }
  const value = isLiteral(node, 'number') ? String(node.fields.value) : '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
}

/** Returns true for a literal whose parser type is `type`, such as `number` or `string`. */
export function isLiteral(node: Node, type: string): boolean {
  return node.kind === 'literal' && node.fields.literal_type === type;
}

/**
 * Returns a description of what is wrong with a number literal, or undefined if the literal is valid. A number without
 * an exponent must fit in a DECIMAL, and a number with an exponent in a DOUBLE. Some databases change or reject numbers
 * that do not fit.
 */
export function findNumberFault(value: string): string | undefined {
  const [whole = '', fraction = ''] = value.split('.');
  if (!/e/i.test(value)) {
    return whole.replace(/^0+/, '').length + fraction.length > MAX_DIGITS
      ? `has more than ${MAX_DIGITS} digits`
      : undefined;
  }
  return Number.isFinite(Number(value)) ? undefined : `is too large; the maximum of a DOUBLE is ${Number.MAX_VALUE}`;
}

/** The maximum number of digits of a DECIMAL. */
export const MAX_DIGITS = 38;

function writeLiteral(node: Node): string {
  const value = String(node.fields.value);
  switch (node.fields.literal_type) {
    case 'string':
    case 'national_string':
      return textLiteral(value);
    case 'number':
      return writeNumber(value);
    case 'date':
      if (!/^\d{4}[-/]\d\d?[-/]\d\d?$/.test(value)) reject(`The literal DATE '${value}'`, 'Write YYYY-MM-DD.');
      return `DATE ${textLiteral(value)}`;
    case 'timestamp':
    case 'datetime':
      return `TIMESTAMP ${textLiteral(value)}`;
    case 'time':
      return `TIME ${textLiteral(value)}`;
    case 'hex_string':
    case 'hex_number':
      return textLiteral(decodeText(Buffer.from(value.padStart(value.length + (value.length % 2), '0'), 'hex')));
    default:
      return reject(`The literal ${value}`);
  }
}

function writeNumber(value: string): string {
  const fault = findNumberFault(value);
  if (fault !== undefined) reject(`The number ${value}, which ${fault},`);
  if (/^\d+\.$/.test(value)) return value.slice(0, -1);
  return value.startsWith('.') ? `0${value}` : value;
}

/** Decodes a hexadecimal literal, which is a text in MySQL. */
function decodeText(bytes: Buffer): string {
  const value = bytes.toString('utf8');
  if (!Buffer.from(value, 'utf8').equals(bytes)) reject(`The literal 0x${bytes.toString('hex')}, which is not text,`);
  return value;
}

function writeParameter(node: Node): string {
  const position = /^p(\d+)$/.exec(nameOf(node.fields))?.[1];
  if (position === undefined || node.fields.style !== 'Colon') {
    reject(`The variable ${nameOf(node.fields)}`, 'Write bound values as :p1, :p2, ….');
  }
  return `$${position}`;
}
