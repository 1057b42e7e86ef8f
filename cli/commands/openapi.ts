import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../terminal/command-context.js';

interface Options {
  readonly openapi30?: boolean;
  readonly swagger?: boolean;
  readonly out?: string;
}

export function addOpenApiCommand(program: Command, context: CommandContext): void {
  program
    .command('openapi')
    .description('write the OpenAPI 3.1 description of all operations; needs no database')
    .option('--openapi-3-0', 'write OpenAPI 3.0 instead')
    .option('--swagger', 'write Swagger 2.0 instead')
    .option('--out <file>', 'write to a file')
    .action((options: Options) => writeDescription(context, options));
}

async function writeDescription({ output, settings, cwd }: CommandContext, options: Options): Promise<void> {
  const { out } = options;
  const { sessionCookie } = await import('../../app-routes/sign-in/browser-sessions.js');
  const { loadDefinitions } = await import('../../server/settings/definitions.js');
  const { describeOperations } = await import('../../server/describe-operations.js');
  const { createSignInProvider } = await import('../../server/identity/sign-in.js');
  const endpoints = await loadDefinitions(settings);
  const { publicUrl } = settings;
  const cookie = publicUrl && createSignInProvider(settings) && sessionCookie(new URL(publicUrl));
  const documents = describeOperations(endpoints, { sessionCookie: cookie, api: settings.api });
  const document = documents[options.swagger ? 'swagger' : options.openapi30 ? 'openApi30' : 'openApi']();
  if (out === undefined) output.json(document);
  else await writeFile(resolve(cwd, out), `${JSON.stringify(document, null, 2)}\n`);
}
