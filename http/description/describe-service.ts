import type { Endpoint } from '../../engine/index.js';
import type { Operation } from '../operations/operation.js';
import { DEFINITIONS_FOLDER } from '../package-root.js';
import type { DescribedOperation, Description, Example } from './description.js';
import { namedOperations, OTHER_API, publicOperations } from './endpoint-operations.js';
import { readExamples } from './examples.js';
import { handWrittenOperations } from './hand-written-operations.js';
import { describeTags } from './tags.js';

/** Describes all operations that the service offers, with recorded answers as examples. */
export function describeService(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
  sessionCookie?: string,
): Description {
  const others = [OTHER_API, ...handWrittenOperations(operations), ...namedOperations(endpoints)];
  const taken = new Set(others.map(({ id }) => id));
  const published = publicOperations(endpoints).map((it) => (taken.has(it.id) ? { ...it, id: `v1-${it.id}` } : it));
  const examples = examplesFor(endpoints);
  const described = [...published, ...others];
  return {
    tags: describeTags(described.map(({ tag }) => tag)),
    operations: described.map((operation) => withExamples(operation, examples)),
    sessionCookie,
  };
}

/** The recorded examples, except those of an operation whose name an operator's own definition uses. */
function examplesFor(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Example[]> {
  const added = endpoints.filter(({ file }) => !file.startsWith(DEFINITIONS_FOLDER));
  const replaced = new Set(added.flatMap(({ definition: { name } }) => [name, `query-${name}`]));
  return new Map(Object.entries(readExamples()).filter(([id]) => !replaced.has(id)));
}

/** Adds the examples of an operation to its successful answer, which is the first one. */
function withExamples(
  operation: DescribedOperation,
  examples: ReadonlyMap<string, readonly Example[]>,
): DescribedOperation {
  const own = examples.get(operation.id);
  if (own === undefined) return operation;
  const [success, ...failures] = operation.answers;
  if (success === undefined) return operation;
  return { ...operation, answers: [{ ...success, examples: own }, ...failures] };
}
