import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { sessionCookie } from '../../app-routes/sign-in/browser-sessions.js';
import { writeDocuments } from '../../http/description/formats/documents.js';
import { loadDefinitions } from '../../server/definitions.js';
import { operationsToDescribe } from '../../server/operations-to-describe.js';
import { signInProvider } from '../../server/sign-in-provider.js';
import type { CommandContext } from '../command-context.js';

export function addOpenApiCommand(program: Command, { output, settings, cwd }: CommandContext): void {
  program
    .command('openapi')
    .description('write the machine-readable description of all operations as OpenAPI 3.1; needs no database')
    .option('--swagger', 'as Swagger 2.0')
    .option('--out <file>', 'into a file')
    .action(async ({ swagger, out }: { swagger?: boolean; out?: string }) => {
      const endpoints = await loadDefinitions(settings);
      const { publicUrl } = settings;
      const cookie = publicUrl && signInProvider(settings) && sessionCookie(new URL(publicUrl));
      const documents = writeDocuments(endpoints, operationsToDescribe(endpoints), cookie);
      const document = swagger ? documents.swagger() : documents.openApi();
      if (out === undefined) output.json(document);
      else await writeFile(resolve(cwd, out), `${JSON.stringify(document, null, 2)}\n`);
    });
}
