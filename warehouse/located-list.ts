import { constructFromEvents, parseEvents, YAMLException } from 'js-yaml';
import type { Problem } from '../engine/index.js';
import { placeOf, positionOf } from '../engine/index.js';

/** A value of a YAML or JSON file that knows the places of its parts. */
export interface LocatedValue {
  readonly value: unknown;
  /** A problem at the part that a JSON pointer such as `/2/items/0` names, or at its nearest ancestor. */
  problem(pointer: string, message: string, facts?: Pick<Problem, 'expected' | 'got'>): Problem;
}

/** Reads text as YAML, of which JSON is a part; what cannot be read is a problem. */
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
    return { file, ...place, key: '', message: `cannot be read: ${error.reason}` };
  }
}
