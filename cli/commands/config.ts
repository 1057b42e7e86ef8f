import type { Command } from 'commander';
import { printValue, readSettings } from '../../server/settings/read-settings.js';
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
  return Object.entries<Setting<unknown>>(SETTINGS).map(([key, setting]) => ({
    name: setting.name,
    value: printValue(setting, settings[key as keyof typeof settings]),
    source: environment[setting.name] ? 'environment' : 'default',
    form: setting.form,
    default: setting.defaultText ?? null,
    help: setting.help,
  }));
}
