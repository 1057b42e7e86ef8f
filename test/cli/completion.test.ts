import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SHELLS, type Shell, shellScript } from '../../cli/completion/shell-scripts.js';
import { run } from './command-line.js';

const execute = promisify(execFile);

/** The options with which each shell parses a script without running it. */
const PARSE: Readonly<Record<Shell, readonly string[]>> = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] };

describe('the completion', () => {
  let folder: string;
  const environment = () => ({ ENDPOINTS_DIR: join(folder, 'definitions') });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-completion-'));
    await mkdir(join(folder, 'definitions', 'inner'), { recursive: true });
    const write = (path: string, text: string) => writeFile(join(folder, 'definitions', path), text);
    await write('stars.yaml', 'name: stars\nsummary: Stars of a repository\nsql: is not read');
    await write('inner/forks.json', '{\n  "name": "forks-by-day",\n  "summary": "Forks"\n}');
    await write('parts.shared.yaml', 'name: not-an-endpoint');
    await write('broken.yaml', ': :');
  });
  after(() => rm(folder, { recursive: true }));

  const complete = async (...words: string[]) => {
    const { code, out } = await run(['complete', '--', ...words], { environment: environment() });
    expect(code).to.equal(0);
    return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0]]));
  };

  it('offers commands, options, values of options, and names', async () => {
    expect(await complete('endpoint', 'ex')).to.deep.equal(['explain']);
    expect(await complete('data', 'table', '')).to.deep.equal(['load', 'list', 'drop', 'help']);
    expect(await complete('co')).to.deep.equal(['config', 'completion']);
    expect(await complete('endpoint', 'diff', '--f')).to.deep.equal(['--fail-on']);
    expect(await complete('endpoint', 'diff', '--fail-on', 'b')).to.deep.equal(['breaking']);
    expect(await complete('endpoint', 'diff', '--fail-on', '=', 'c')).to.deep.equal(['compatible', 'cosmetic']);
    expect(await complete('endpoint', 'diff', '--fail-on=b')).to.deep.equal(['--fail-on=breaking']);
    expect(await complete('data', 'enrich', '')).to.deep.equal(['users', 'repos']);
    expect(await complete('config', 'PORT', 'HOS')).to.deep.equal(['HOST']);
    expect(await complete('tables', 'mv_repo_stars')).to.deep.equal(['mv_repo_stars']);
    expect(await complete('completion', '')).to.deep.equal(['bash', 'zsh', 'fish']);
  });

  it('offers the names in the definition files, and paths where a file is possible', async () => {
    expect(await complete('endpoint', 'run', '')).to.deep.equal(['forks-by-day', 'stars', ':files']);
    expect(await complete('endpoint', 'test', '--verbose', '-p', 'a=b', 's')).to.deep.equal(['stars', ':files']);
    expect(await complete('endpoint', 'rename', 'stars', '')).to.deep.equal([]);
    expect(await complete('endpoint', 'promote', 'f')).to.deep.equal(['forks-by-day']);
    expect(await complete('data', 'import', '')).to.deep.equal([':files']);
    expect(await complete('openapi', '--out', '')).to.deep.equal([':files']);
    expect(await complete('endpoint', 'run', 'stars', '')).to.deep.equal([]);
    expect(await complete('endpoint', 'no-such-command', '')).to.not.include('stars');
  });

  it('works in bash, for both programs', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    for (const program of ['repo-insight', 'endpoint']) {
      const script = fileURLToPath(new URL(`../../cli/${program}.cjs`, import.meta.url));
      await writeFile(join(bin, program), `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
      await chmod(join(bin, program), 0o755);
    }
    await writeFile(join(folder, 'one file.yaml'), '');
    const commands = `
      source <(repo-insight completion bash); source <(endpoint completion bash)
      ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); \${functions[$1]} "$1"; (IFS='|'; echo "\${COMPREPLY[*]}"); }
      declare -A functions=([repo-insight]=_repo_insight_complete [endpoint]=_endpoint_complete)
      ask repo-insight endpoint r
      ask endpoint run st
      ask endpoint diff --fail-on = br
      ask endpoint check one
      complete -p repo-insight`;
    const { stdout } = await execute('bash', ['--norc', '-c', commands], {
      cwd: folder,
      env: { ...environment(), PATH: `${bin}:${process.env.PATH}` },
    });
    expect(stdout.split('\n')).to.deep.equal([
      'run|rename|reload',
      'stars',
      'breaking',
      'one file.yaml',
      'complete -F _repo_insight_complete repo-insight',
      '',
    ]);
  });

  for (const shell of SHELLS) {
    it(`prints a script that ${shell} can read`, async function () {
      const { out } = await run(['completion', shell]);
      expect(out).to.equal(`${shellScript(shell, 'repo-insight')}\n`);
      const file = join(folder, `script.${shell}`);
      await writeFile(file, out);
      await execute(shell, [...PARSE[shell], file]).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        this.skip();
      });
    });
  }

  it('rejects an unknown shell', async () => {
    const { code, err } = await run(['completion', 'tcsh']);
    expect([code, err.split('\n')[0]]).to.deep.equal([
      2,
      "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
    ]);
  });
});
