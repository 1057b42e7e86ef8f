import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command-line.js';

const ONE = `name: one
summary: One
columns:
  - { col: one, data_type: BIGINT, nullable: false, description: One }
sql: SELECT 1 AS one
`;

describe('the arguments of the endpoint commands', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-named-'));
    await mkdir(join(folder, 'definitions'));
    await writeFile(join(folder, 'definitions', 'first.yaml'), ONE);
    await writeFile(
      join(folder, 'definitions', 'broken.yaml'),
      ONE.replaceAll('one', 'second').replace('1 AS', 'x AS,'),
    );
    await writeFile(join(folder, 'draft.yaml'), ONE.replace('name: one', 'name: draft'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const endpoint = async (...words: string[]) => {
    const environment = { ENDPOINTS_DIR: join(folder, 'definitions'), DATABASE_URL: 'duckdb:none.duckdb' };
    const { code, out, err } = await run(['endpoint', ...words], { environment, cwd: folder });
    return [code, out.replaceAll(`${folder}/`, ''), err.replaceAll(`${folder}/`, '')];
  };

  it('can be names and files of the same definitions, relative to the folder of the caller', async () => {
    const shown = `${ONE.slice(0, ONE.indexOf('columns'))}columns:
  - col: one
    data_type: BIGINT
    nullable: false
    description: One
sql: SELECT 1 AS one
`;
    expect(await endpoint('show', 'one')).to.deep.equal([0, shown, '']);
    expect(await endpoint('show', 'definitions/first.yaml')).to.deep.equal([0, shown, '']);
    expect(await endpoint('show', 'draft.yaml')).to.deep.equal([0, shown.replace('name: one', 'name: draft'), '']);
    expect(await endpoint('check', 'one')).to.deep.equal([0, '', '1 valid, 0 problems\n']);
    expect(await endpoint('check', 'one', './definitions/first.yaml', 'draft.yaml')).to.deep.equal([
      0,
      '',
      '2 valid, 0 problems\n',
    ]);
    const problem = 'definitions/broken.yaml:5:17 sql: not SQL: Expected identifier, got "Comma"\n';
    expect(await endpoint('check', 'second')).to.deep.equal([1, problem, '0 valid, 1 problem\n']);
  });

  it('that name a file of the package cannot change it if there is a folder for own definitions', async () => {
    const environment = { ENDPOINTS_DIR: `built-in,${folder}`, DATABASE_URL: 'duckdb:none.duckdb' };
    const err = `built-in/collections/list.yaml is a file of the package, and an upgrade replaces it: copy it to ${folder}, add \`overrides: true\`, and change the copy.\n`;
    for (const words of [
      ['rename', 'list-collections', 'one'],
      ['columns', 'list-collections', '--update'],
    ])
      expect(await run(['endpoint', ...words], { environment, cwd: folder })).to.deep.equal({ code: 2, out: '', err });
  });

  it('that name nothing are errors with the nearest name or the folder of the path', async () => {
    const unknown = 'There is no endpoint named ones (did you mean "one"?). `endpoint list` lists all names.\n';
    expect(await endpoint('check', 'ones')).to.deep.equal([2, '', unknown]);
    expect(await endpoint('show', 'ones')).to.deep.equal([2, '', unknown]);
    for (const [path, reason] of [
      ['first.yaml', 'not an existing file'],
      ['definitions/', 'not a file'],
    ] as const) {
      const message = `${path} is ${reason} (from ${folder}).\n`;
      expect(await endpoint('check', path)).to.deep.equal([2, '', message]);
      expect(await endpoint('show', path)).to.deep.equal([2, '', message]);
    }
    expect(await endpoint('show', 'second')).to.deep.equal([
      2,
      '',
      'second is broken:\n  definitions/broken.yaml:5:17 sql: not SQL: Expected identifier, got "Comma"\n',
    ]);
    await writeFile(join(folder, 'a.shared.yaml'), 'views: { people: SELECT 1 }\n');
    expect(await endpoint('show', 'a.shared.yaml')).to.deep.equal([
      2,
      '',
      'a.shared.yaml contains no definition: it is a file of shared parts.\n',
    ]);
  });
});
