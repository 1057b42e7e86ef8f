import { InvalidArgumentError, Option } from 'commander';
import type { RawParameters } from '../../engine/index.js';

/** `--param name=value`, as often as there are parameters. */
export function parameterOption(): Option {
  return new Option('-p, --param <name=value>', 'a parameter; may be given more than once')
    .default([])
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
