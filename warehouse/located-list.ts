import type { ErrorObject } from 'ajv';
import { constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import { describeValue, expectedBySchema, type Problem, placeOf, positionOf } from '../engine/index.js';

/** The value of a YAML or JSON file, with the positions of its parts in the file. */
export interface LocatedValue {
  readonly value: unknown;
  /**
   * Creates a problem at the position of a JSON pointer such as `/2/items/0`. If the part at the pointer does not exist, the position of
   * its nearest existing ancestor is used.
   */
  problem(pointer: string, message: string, facts?: Pick<Problem, 'expected' | 'got'>): Problem;
}

/** Parses text as YAML, which includes JSON. Returns a problem if it is not valid YAML. */
export function readLocated(file: string, text: string): LocatedValue | Problem {
  try {
    const events = parseEvents(text, { maxDepth: 20 });
    const value = constructFromEvents(events, { source: text, maxAliases: 0 })[0];
    const problem: LocatedValue['problem'] = (pointer, message, facts = {}) => {
      const steps = pointer.split('/').slice(1);
      const place = positionOf(text, placeOf(text, events, steps).value);
      return { file, ...place, key: steps.join('.'), message, ...facts };
    };
    return { value, problem };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = positionOf(text, error.mark?.position ?? 0);
    return { file, ...place, key: '', message: `not valid YAML: ${error.reason}` };
  }
}

/** Converts an error of ajv to a problem. */
export function schemaProblem(located: LocatedValue, error: ErrorObject): Problem {
  const { keyword, instancePath, params, data } = error;
  if (keyword === 'required') return located.problem(instancePath, `the key "${params.missingProperty}" is missing`);
  if (keyword === 'additionalProperties') {
    return located.problem(`${instancePath}/${params.additionalProperty}`, 'unknown key');
  }
  // In these files, only `repo_name` has a pattern.
  const expected = keyword === 'pattern' ? 'owner/name' : expectedBySchema(error);
  return located.problem(instancePath, 'invalid value', { expected, got: describeValue(data) });
}
