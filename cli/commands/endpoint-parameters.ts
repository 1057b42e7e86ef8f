import { InvalidArgumentError, Option } from 'commander';
import type { Endpoint, RawParameters } from '../../engine/index.js';

/** `--param name=value`, as often as there are parameters. */
export function parameterOption(description = 'a parameter; may be given more than once'): Option {
  return new Option('-p, --param <name=value>', description)
    .default([], 'none')
    .argParser((text: string, earlier: readonly string[]) => {
      if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('Expected name=value.');
      return [...earlier, text];
    });
}

/** The parameters of the option as a request would bring them. */
export function rawFromOption(pairs: readonly string[]): RawParameters {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { path: {}, query };
}

/** Throws where a parameter is one of none of the endpoints. */
export function requireKnown(texts: RawParameters['query'], endpoints: readonly Endpoint[]): void {
  const known = [...new Set(endpoints.flatMap(({ parameters }) => Object.keys(parameters)))];
  const unknown = Object.keys(texts).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
  throw new Error(`--param: expected ${expected}, got ${JSON.stringify(unknown)}.`);
}
