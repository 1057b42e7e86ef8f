import type { ErrorCode } from '../../databases/interface/errors.js';
import { STATUS_OF_ERROR } from '../problems/error-answers.js';
import { PROBLEMS, type ProblemCode } from '../problems/http-problem.js';

/** Converts a name to PascalCase: `list-cakes` → `ListCakes`, `rate_limited` → `RateLimited`. */
export function pascalCase(text: string): string {
  return text.replace(/(?:^[^A-Za-z0-9]*|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Returns names for the values of an enum that are valid identifiers in every language: `C++`, `price-desc`, 7 →
 * `CPlusPlus`, `PriceDesc`, `Value7`. The names are unique even if case is ignored.
 */
export function enumNames(values: readonly unknown[]): string[] {
  const taken = new Set<string>();
  return values.map((value) => {
    const name = nameOf(String(value));
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

function nameOf(value: string): string {
  // In some languages, a name in capital letters can collide with a macro.
  const text = /[a-z]/.test(value) ? value : value.toLowerCase();
  const words = text.replace(/[+#]|^-(?=[0-9])/g, (sign) => ` ${SIGNS[sign]} `);
  const name = pascalCase(words.trim());
  return /^[A-Za-z]/.test(name) ? name : `Value${name}`;
}

const SIGNS: Readonly<Record<string, string>> = { '+': 'plus', '#': 'sharp', '-': 'minus' };

export type FailureCode = ProblemCode | ErrorCode;

/** The HTTP status of every error code. */
export const STATUSES: Readonly<Record<FailureCode, number>> = { ...STATUS_OF_ERROR, ...PROBLEMS };
