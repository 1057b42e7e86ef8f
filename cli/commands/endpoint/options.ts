import { InvalidArgumentError, Option } from 'commander';
import type { Endpoint, ParameterValue, RawParameters } from '../../../engine/index.js';
import type { FolderSettings } from '../../../server/settings/definition-folders.js';
import { hidePassword } from '../../../server/settings/read-settings.js';
import { SETTINGS } from '../../../server/settings/settings.js';

/** Creates an option whose value is a database URL with the same validation as `DATABASE_URL`. */
export function databaseOption(flag: '--database-url' | '--against', description: string): Option {
  return new Option(`${flag} <url>`, description).argParser((text: string) => {
    try {
      return SETTINGS.databaseUrl.parse(text);
    } catch (error) {
      // InvalidArgumentError is not used, because commander would then print the whole URL with its password.
      const got = JSON.stringify(hidePassword(text));
      throw new Error(`${flag}: expected ${(error as Error).message}, got ${got}`);
    }
  });
}

/** Creates the option `--param name=value`, which the command line can contain several times. */
export function parameterOption(
  description = 'value of a parameter; repeatable',
  flags = '-p, --param <name=value>',
): Option {
  return new Option(flags, description).default([], 'none').argParser((text: string, earlier: readonly string[]) => {
    if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('Expected name=value.');
    return [...earlier, text];
  });
}

/** Creates the option `--claim name=value`, which the command line can contain several times. */
export function claimOption(): Option {
  return parameterOption('claim of the caller instead of its example; repeatable', '--claim <name=value>');
}

/** Returns a request with the values of `--param`, from the caller for tests with the claims of `--claim`. */
export async function requestOf(
  settings: FolderSettings,
  { exampleCaller }: Endpoint,
  { param, claim }: { readonly param: readonly string[]; readonly claim: readonly string[] },
): Promise<RawParameters> {
  const { readClaims } = await import('../keys/key-grants.js');
  const claims = { ...exampleCaller.claims, ...readClaims(settings, claim) };
  return { ...rawFromOption(param), caller: { ...exampleCaller, claims } };
}

/** Converts the values of `--param` to the parameters of a request. */
export function rawFromOption(pairs: readonly string[]): RawParameters {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return { path: {}, query };
}

/** Throws if `texts` contains a parameter that does not exist in any of these endpoints. */
export function requireKnown(texts: RawParameters['query'], endpoints: readonly Endpoint[]): void {
  const known = [...new Set(endpoints.flatMap(({ parameters }) => Object.keys(parameters)))];
  const unknown = Object.keys(texts).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
  throw new Error(`--param: expected ${expected}, got ${JSON.stringify(unknown)}.`);
}

/**
 * Parses the values of `--param` for each endpoint. Throws an error for an invalid value. For an endpoint without a valid request, the
 * result has no values; its checks report the reason.
 */
export async function readValues(
  endpoints: readonly Endpoint[],
  param: readonly string[],
): Promise<ReadonlyMap<Endpoint, Record<string, ParameterValue>>> {
  const { EngineError } = await import('../../../engine/index.js');
  const { readKnownValues } = await import('../../../engine/authoring/index.js');
  const texts = rawFromOption(param).query;
  const values = new Map<Endpoint, Record<string, ParameterValue>>();
  for (const endpoint of endpoints) {
    try {
      values.set(endpoint, readKnownValues(endpoint, texts));
    } catch (error) {
      const wrong = error instanceof EngineError ? (error.details.parameters ?? []) : undefined;
      if (wrong === undefined || wrong.some(({ parameter }) => parameter in texts)) throw error;
    }
  }
  return values;
}
