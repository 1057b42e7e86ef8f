import type { Operation } from '../../app-routes/operation.js';
import type { Endpoint } from '../../engine/index.js';
import type { DescribedOperation, Description } from './description.js';
import { namedOperations, OTHER_API, publicOperations } from './endpoint-operations.js';
import { type Examples, readExamples } from './examples.js';
import { handWrittenOperations } from './hand-written-operations.js';
import { describeTags } from './tags.js';

/** Describes everything that is served, with answers that were recorded. */
export function describeService(
  endpoints: readonly Endpoint[],
  operations: readonly Operation[],
  sessionCookie?: string,
): Description {
  const examples = readExamples();
  const described = [
    ...publicOperations(endpoints),
    OTHER_API,
    ...handWrittenOperations(operations),
    ...namedOperations(endpoints),
  ];
  return {
    tags: describeTags(described.map(({ tag }) => tag)),
    operations: described.map((operation) => withExamples(operation, examples)),
    sessionCookie,
  };
}

/** A successful answer is shown as it once came. */
function withExamples(operation: DescribedOperation, examples: Examples): DescribedOperation {
  const own = examples[operation.id];
  if (own === undefined) return operation;
  const [success, ...failures] = operation.answers;
  if (success === undefined) return operation;
  return { ...operation, answers: [{ ...success, examples: own }, ...failures] };
}
