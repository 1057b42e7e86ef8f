import { distance } from 'fastest-levenshtein';
import { contradictions } from './contradictions.js';
import type { Setting } from './setting.js';
import { SETTINGS, type Settings } from './settings.js';

/** Wrong settings, all of them at once. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads all settings from environment variables. Throws `SettingsError` naming every wrong or misspelt one. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems = misspelt(environment);
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = environment[setting.name];
    const source = given === undefined || given === '' ? setting.defaultText : given;
    try {
      values[key] = source === undefined ? undefined : setting.read(source);
    } catch (error) {
      const got = setting.isSecret ? 'something else' : JSON.stringify(withoutPassword(source));
      problems.push(`${setting.name}: expected ${(error as Error).message}, got ${got}`);
    }
  }
  if (problems.length === 0) problems.push(...contradictions(values as Settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return values as Settings;
}

/** The text of a setting as it may be shown. What looks like a URL is cut before the last `@`, whatever is wrong with it. */
export function withoutPassword(text: string | undefined): string | undefined {
  return text?.replace(/^(.*?:\/\/|mysql:)?([^:@/]*):.*@/is, '$1$2:***@');
}

/** Names so close to a setting that nobody can have meant anything else. Short names are too close to too many. */
function misspelt(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names: string[] = Object.values(SETTINGS).map((setting) => setting.name);
  return Object.keys(environment).flatMap((given) => {
    if (names.includes(given)) return [];
    const meant = names.find((name) => name.length >= 6 && distance(name, given.toUpperCase()) <= 2);
    return meant === undefined ? [] : [`${given} is not a setting; did you mean ${meant}?`];
  });
}
