import type { CallOptions, HostClient } from '../client/github-client.js';
import { HostError } from '../client/github-error.js';
import type { Candidate } from './ask.js';

/** What GraphQL told of a record. */
export type Node = Readonly<Record<string, unknown>> & { readonly databaseId?: number };

/** The field of GraphQL that finds a record, and its arguments, all of them texts. */
interface Finder {
  readonly field: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Asks about many records in one query, in which each has an alias. A query that the platform fails to answer is asked again
 * in halves, as it may have taken too long. Gives the nodes by the id that was asked for.
 */
export async function byAliases(
  candidates: readonly Candidate[],
  finderOf: (candidate: Candidate) => Finder,
  fields: string,
  client: HostClient,
  options: CallOptions,
): Promise<ReadonlyMap<number, Node>> {
  const ask = async (some: readonly Candidate[]): Promise<readonly (readonly [number, Node])[]> => {
    const { query, variables } = write(some.map(finderOf), fields);
    try {
      const data = await client.graphql(query, variables, options);
      return some.flatMap(({ id }, index) => {
        const node = data[`r${index}`];
        return typeof node === 'object' && node !== null ? [[id, node as Node] as const] : [];
      });
    } catch (error) {
      if (!(error instanceof HostError) || error.failure !== 'away' || some.length < LEAST_TO_HALVE) throw error;
      const half = Math.ceil(some.length / 2);
      return [...(await ask(some.slice(0, half))), ...(await ask(some.slice(half)))];
    }
  };
  return new Map(await ask(candidates));
}

/** Of fewer records a query is not too large, and the platform is away. */
const LEAST_TO_HALVE = 50;

function write(finders: readonly Finder[], fields: string) {
  const variables: Record<string, string> = {};
  const lines = finders.map(({ field, values }, index) => {
    const given = Object.entries(values).map(([name, value]) => {
      variables[`${name}${index}`] = value;
      return `${name}: $${name}${index}`;
    });
    return `r${index}: ${field}(${given.join(', ')}) {${fields}}`;
  });
  const declared = Object.keys(variables).map((name) => `$${name}: String!`);
  return { query: `query(${declared.join(', ')}) {\n${lines.join('\n')}\n}`, variables };
}
