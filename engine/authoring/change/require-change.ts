import { isDeepStrictEqual } from 'node:util';
import { parseDefinition } from '../../definitions/definition-source.js';

type Values = Readonly<Record<string, unknown>>;

/** A change of the text of a definition file. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
  /** Returns the values that the changed text must have, from those of the text before. */
  readonly expect: (values: Values) => Values;
  /** How the author can make the change by hand. */
  readonly advice: string;
}

/** Throws an error if the changed text does not have exactly the expected values, so that a wrong edit is never written. */
export function requireChange(file: string, { before, after, expect, advice }: TextChange): void {
  const [old, changed] = [before, after].map((text) => parseDefinition(file, Buffer.from(text)));
  const isExpected =
    old !== undefined &&
    changed !== undefined &&
    'value' in old &&
    'value' in changed &&
    isDeepStrictEqual(changed.value, expect(old.value));
  if (!isExpected)
    throw new Error(`${file} has a form that cannot be changed without changing other values: ${advice}.`);
}
