import type { Command } from 'commander';
import { printValue, readSettings } from '../../server/settings/read-settings.js';
import type { Setting } from '../../server/settings/setting.js';
import { SETTINGS } from '../../server/settings/settings.js';
import type { CommandContext } from '../terminal/command-context.js';

export function addConfigCommand(program: Command, { output, environment }: CommandContext): void {
  program
    .command('config')
    .description('show settings with their values, sources and meanings')
    .argument('[names...]', 'settings to show, for example PORT; without names, all of them')
    .option('--json', 'print JSON')
    .action((names: readonly string[], { json }: { json?: boolean }) => {
      const rows = select(describeSettings(environment), names);
      if (json) output.json(rows);
      else
        output.table(
          ['setting', 'value', 'from', 'meaning'],
          rows.map(({ name, value, source, help }) => [name, value ?? '', source, help]),
          { optional: ['from'], prose: ['meaning'] },
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

/** Returns the settings with these names, or all settings if there are no names. Throws for an unknown name. */
function select<Row extends { readonly name: string }>(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    throw new Error(`${JSON.stringify(unknown)} is not a setting; \`repo-insight config\` shows all settings.`);
  }
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
}
