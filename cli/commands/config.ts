import type { Command } from 'commander';
import { hidePassword, readSettings } from '../../server/settings/read-settings.js';
import type { Setting } from '../../server/settings/setting.js';
import { SETTINGS } from '../../server/settings/settings.js';
import type { CommandContext } from '../terminal/command-context.js';

export function addConfigCommand(program: Command, { output, environment }: CommandContext): void {
  program
    .command('config')
    .description('show each setting with its value, source and meaning')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const rows = describeSettings(environment);
      if (json) output.json(rows);
      else
        output.table(
          ['setting', 'value', 'from', 'meaning'],
          rows.map(({ name, value, source, help }) => [name, value ?? '', source, help]),
        );
    });
}

function describeSettings(environment: CommandContext['environment']) {
  const settings = readSettings(environment);
  return Object.entries<Setting<unknown>>(SETTINGS).map(
    ([key, { name, form, defaultText, help, isSecret = false }]) => ({
      name,
      value: formatValue(settings[key as keyof typeof settings], isSecret),
      source: environment[name] ? 'environment' : 'default',
      form,
      default: defaultText ?? null,
      help,
    }),
  );
}

function formatValue(value: string | number | undefined, isSecret: boolean): string | number | null {
  if (isSecret && value !== undefined) return '***';
  return (typeof value === 'string' ? hidePassword(value) : value) ?? null;
}
