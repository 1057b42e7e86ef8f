import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Documents } from '../../engine/http/description/formats/documents.js';
import { describeOperations } from '../../server/describe-operations.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { installGoCommand, run, skipWithout } from './external-tools.js';
import { record } from './report.js';

const PYTHON_PACKAGE = 'openapi-spec-validator==0.9.0';
const NPM_PACKAGES = ['@apidevtools/swagger-cli@4.0.4', '@stoplight/spectral-cli@6.16.3'];
const GO_SWAGGER = 'github.com/go-swagger/go-swagger/cmd/swagger@v0.36.7';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OAPI_RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';

describe('the description is valid', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-validators-'));
    const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    const documents: Documents = describeOperations(endpoints, { sessionCookie: 'session' });
    for (const [file, write] of Object.entries(FILES)) {
      await writeFile(join(folder, file), JSON.stringify(write(documents)));
    }
    await writeFile(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('for openapi-spec-validator', async function () {
    skipWithout(['python3'], this, 'openapi-spec-validator');
    await run(folder, 'python3', '-m', 'venv', 'python');
    await run(folder, join(folder, 'python/bin/python'), '-m', 'pip', 'install', '--quiet', PYTHON_PACKAGE);
    for (const file of Object.keys(FILES)) await run(folder, 'python/bin/openapi-spec-validator', file);
    record('openapi-spec-validator', 'no errors');
  });

  it('for swagger-cli and spectral', async function () {
    skipWithout(['npm'], this, 'swagger-cli and spectral');
    await run(
      folder,
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      '.',
      ...NPM_PACKAGES,
    );
    for (const file of Object.keys(FILES)) {
      await run(folder, 'node_modules/.bin/swagger-cli', 'validate', file);
      // Warnings are ignored: they ask for a contact and a host, and reject trailing slashes, which the specification requires.
      const given = ['--ruleset', 'ruleset.yaml', '--fail-severity', 'error', '--display-only-failures'];
      await run(folder, 'node_modules/.bin/spectral', 'lint', ...given, file);
    }
    record('swagger-cli and spectral', 'no errors');
  });

  it('for go-swagger', async function () {
    skipWithout(['go'], this, 'go-swagger');
    await run(folder, await installGoCommand(folder, GO_SWAGGER), 'validate', 'swagger-2.0.json');
    record('go-swagger', 'no errors');
  });

  it('for oapi-codegen, whose client compiles', async function () {
    skipWithout(['go'], this, 'oapi-codegen');
    const own = join(folder, 'client');
    await mkdir(own);
    const generator = await installGoCommand(folder, OAPI_CODEGEN);
    const text = await run(folder, generator, '-generate', 'types,client', '-package', 'client', 'openapi-3.0.json');
    await writeFile(join(own, 'client.go'), text);
    await run(own, 'go', 'mod', 'init', 'example.org/client');
    await run(own, 'go', 'get', OAPI_RUNTIME);
    await run(own, 'go', 'build', './...');
    record('oapi-codegen', 'generated and compiled');
  });
});

const FILES: Readonly<Record<string, (documents: Documents) => object>> = {
  'openapi-3.1.json': ({ openApi }) => openApi(),
  'openapi-3.0.json': ({ openApi30 }) => openApi30(),
  'swagger-2.0.json': ({ swagger }) => swagger(),
};
