import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { generate } from 'openapi-typescript-codegen';
import { PACKAGE_ROOT } from '../../engine/http/package-root.js';

/** The clients that two generators create for both API descriptions. */
export interface GeneratedClients {
  readonly folder: string;
  /** Compiles a program that imports `./openapi`, `./swagger` and `./oazapfts`, and returns its exports. */
  compile(program: string): Promise<Readonly<Record<string, (...given: string[]) => Promise<unknown>>>>;
  remove(): Promise<void>;
}

export async function generateClients(documents: { openApi: object; swagger: object }): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-insight-clients-'));
  const write = (name: string, content: string) => writeFile(join(folder, name), content);
  await symlink(join(PACKAGE_ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, input] of [
    ['openapi', documents.openApi],
    ['swagger', documents.swagger],
  ] as const) {
    await generate({
      input: structuredClone(input),
      output: join(folder, name),
      httpClient: 'fetch',
      useOptions: true,
    });
  }
  await write('openapi.json', JSON.stringify(documents.openApi));
  await write('oazapfts.ts', await generateSource(join(folder, 'openapi.json'), { useEnumType: true }));
  await write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  return {
    folder,
    compile: async (program) => {
      await write('program.ts', program);
      await compile(folder);
      return createRequire(join(folder, 'out/'))('./program.js');
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

const COMPILER_OPTIONS = {
  strict: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedIndexedAccess: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: [],
  module: 'CommonJS',
  moduleResolution: 'Bundler',
  outDir: 'out',
  rootDir: '.',
};

async function compile(folder: string): Promise<void> {
  const compiler = join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(({ stdout }: { stdout?: string }) => {
    throw new Error(`The generated clients do not compile:\n${stdout?.slice(0, 3_000)}`);
  });
}
