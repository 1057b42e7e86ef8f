import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';
import { addBackupCommand } from './data/backup.js';
import { addCollectionsCommand } from './data/collections.js';
import { addDemoCommand } from './data/demo.js';
import { addEnrichCommand } from './data/enrich.js';
import { addFollowCommand } from './data/follow.js';
import { addImportCommand } from './data/import.js';
import { addMigrateCommand } from './data/migrate.js';
import { addOsdbCommand } from './data/osdb.js';
import { addRefreshCommand } from './data/refresh.js';
import { addStatusCommand } from './data/status.js';
import { addTableCommands } from './data/table.js';
import { addTrackCommands } from './data/track.js';
import { addVerifyCommand } from './data/verify.js';

export function addDataCommands(program: Command, context: CommandContext): void {
  const data = program.command('data').description('import, enrich and inspect data');
  addImportCommand(data, context);
  addFollowCommand(data, context);
  addEnrichCommand(data, context);
  addTrackCommands(data, context);
  addStatusCommand(data, context);
  addRefreshCommand(data, context);
  addCollectionsCommand(data, context);
  addOsdbCommand(data, context);
  addDemoCommand(data, context);
  addTableCommands(data, context);
  addMigrateCommand(data, context);
  addBackupCommand(data, context);
  addVerifyCommand(data, context);
}
