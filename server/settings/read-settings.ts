import { contradictions } from './contradictions.js';
import type { Setting } from './setting.js';
import { SETTINGS, type SettingValues } from './settings.js';
import { type Environment, unknownSettings } from './unknown-settings.js';

/** The error for invalid settings. The error lists all problems. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(readonly problems: readonly string[]) {
    super(`Wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads all settings from environment variables. Throws `SettingsError` with every wrong, misspelled or removed setting. */
export function readSettings(environment: Environment): SettingValues {
  const all = Object.entries<Setting<unknown>>(SETTINGS);
  const problems = unknownSettings(
    environment,
    all.map(([, { name }]) => name),
  );
  const values: Record<string, unknown> = {};
  for (const [key, setting] of all) {
    const given = environment[setting.name];
    const source = given === undefined || given === '' ? setting.defaultText : given;
    try {
      values[key] = source === undefined ? undefined : setting.parse(source);
    } catch (error) {
      const got = setting.isSecret ? 'another value' : JSON.stringify(hidePassword(source));
      problems.push(`${setting.name}: expected ${(error as Error).message}, got ${got}`);
    }
  }
  if (problems.length === 0) problems.push(...contradictions(values as SettingValues));
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingValues;
}

/** Returns the value of a setting in a form that the setting accepts; null if it has no value. Hides secrets and passwords. */
export function printValue(setting: Setting<unknown>, value: unknown): string | number | null {
  if (value === undefined) return null;
  if (setting.isSecret === true) return '***';
  if (setting.format !== undefined) return setting.format(value);
  return typeof value === 'number' ? value : (hidePassword(String(value)) ?? '');
}

/**
 * Returns the text of a setting without its password. If the text looks like a URL, even an invalid one, everything from the first `:` to
 * the last `@` is hidden.
 */
export function hidePassword(text: string | undefined): string | undefined {
  return text?.replace(/^(.*?:\/\/|mysql:)?([^:@/]*):.*@/is, '$1$2:***@');
}
