import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from './command-line.js';

const SHARED = 'params:\n  least: { in: query, type: integer, minimum: 1, default: 10, description: Least stars }\n';

describe('endpoint diff with git, files and folders', () => {
  let folder: string;
  let endpoints: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-diff-'));
    endpoints = join(folder, 'service/endpoints');
    await mkdir(endpoints, { recursive: true });
    await mkdir(join(folder, 'parts'));
    await write('parts/users.shared.yaml', SHARED);
    await write('service/endpoints/users.yaml', definition('users'));
    await write('service/endpoints/ids.yaml', definition('ids'));
    git('init', '--quiet');
    commit();
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  const git = (...words: string[]) => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.example'];
    return execFileSync('git', ['-C', folder, ...author, ...words])
      .toString()
      .trim();
  };
  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '--no-gpg-sign', '--message', 'A state');
    return git('rev-parse', 'HEAD');
  };
  const diff = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const { PATH = '' } = process.env;
    const settings = { PATH, DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: endpoints, NOW: '2026-11-23T12:00:00Z' };
    return run(['endpoint', 'diff', ...words], { environment: { ...settings, ...environment }, cwd: folder });
  };

  it('finds the changes since a revision, also those in a shared file outside of the folder', async () => {
    const id = git('rev-parse', 'HEAD');
    await write('parts/users.shared.yaml', SHARED.replace('default: 10', 'default: 20'));
    await write('service/endpoints/users.yaml', definition('users').replace('Users by id', 'Users'));
    await write('service/endpoints/new.yaml', definition('new'));
    const silent = 'requests without this parameter silently get another answer';
    expect(await diff(['HEAD'])).to.deep.equal({
      code: 1,
      out: `breaking
  ids
    params.least.default changed: 10 → 20; ${silent}
  users
    params.least.default changed: 10 → 20; ${silent}
compatible
  new
    endpoint added: the other endpoints are not affected
cosmetic
  users
    summary changed: only the documentation changes
`,
      err: `2 breaking, 1 compatible, 1 cosmetic; compared with git HEAD (${id})\n`,
    });
    commit();
    expect((await diff(['HEAD', '--fail-on', 'cosmetic'])).code).to.equal(0);
    const { code, out } = await diff([id, '--json']);
    expect(code).to.equal(1);
    const { changes, ...others } = JSON.parse(out);
    expect(others).to.deep.equal({
      from: `git ${id} (${id})`,
      counts: { breaking: 2, compatible: 1, cosmetic: 1 },
      notes: [],
    });
    expect(changes[0]).to.deep.equal({
      endpoint: 'ids',
      effect: 'breaking',
      action: 'changed',
      place: 'params.least.default',
      before: '10',
      after: '20',
      reason: silent,
    });
  });

  it('exits with 1 for changes of the given class and of more severe classes', async () => {
    const codes = async () => {
      const levels = ['breaking', 'compatible', 'cosmetic'];
      return Promise.all(levels.map(async (level) => (await diff(['HEAD', '--fail-on', level])).code));
    };
    await write('service/endpoints/users.yaml', definition('users').replace('Users by id', 'Users'));
    expect(await codes()).to.deep.equal([0, 0, 1]);
    await write('service/endpoints/users.yaml', definition('users').replace('>= {{', '> {{'));
    expect(await codes()).to.deep.equal([0, 1, 1]);
    await rm(join(endpoints, 'ids.yaml'));
    expect(await codes()).to.deep.equal([1, 1, 1]);
  });

  it('allows to remove an endpoint after its end', async () => {
    await write('service/endpoints/ids.yaml', `deprecated: 2026-01-01\nsunset: 2026-11-23\n${definition('ids')}`);
    commit();
    await rm(join(endpoints, 'ids.yaml'));
    expect((await diff(['HEAD'])).code).to.equal(0);
    expect((await diff(['HEAD'], { NOW: '2026-11-22T12:00:00Z' })).code).to.equal(1);
  });

  it('compares a folder that is in no repository with itself, and names it', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'repo-insight-outside-'));
    try {
      await writeFile(
        join(outside, 'other.yaml'),
        definition('other')
          .replace('shared: [../../parts/users.shared.yaml]\n', '')
          .replace('{ use: least }', '{ in: query, type: integer, default: 1, description: Least }'),
      );
      const { code, out, err } = await diff(['HEAD'], { ENDPOINTS_DIR: `${outside},${endpoints}` });
      expect([code, out]).to.deep.equal([0, '']);
      expect(err).to.include(`note: ${outside} is in no git repository, or ignored: it is compared with itself\n`);
      const alone = await diff(['HEAD'], { ENDPOINTS_DIR: outside });
      expect([alone.code, alone.err]).to.deep.equal([
        2,
        `HEAD is neither a file, a folder nor a URL, and ${outside} is in no git repository\n`,
      ]);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('uses the repository of the folder, also if a hook of git runs it', async () => {
    const { code, err } = await diff(['HEAD'], { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere' });
    expect([code, err]).to.deep.equal([
      0,
      `0 breaking, 0 compatible, 0 cosmetic; compared with git HEAD (${git('rev-parse', 'HEAD')})\n`,
    ]);
  });

  it('could not run for a text that names no revision', async () => {
    const no = (ref: string) =>
      `${ref} is neither a URL, a file, a folder nor a revision of the git repository of ${endpoints}\n`;
    const wrong = (ref: string) =>
      `expected a git revision such as main, v1.2.0 or HEAD~1, got ${JSON.stringify(ref)}\n`;
    const cases = [
      ['nothing', no('nothing')],
      ['$(touch x)', wrong('$(touch x)')],
      ['HEAD..HEAD', wrong('HEAD..HEAD')],
      ['HEAD:parts', wrong('HEAD:parts')],
      ['a\u001b[31m', wrong('a\u001b[31m')],
      ['HEAD;true', no('HEAD;true')],
    ] as const;
    for (const [ref, err] of cases) expect(await diff([ref])).to.deep.equal({ code: 2, out: '', err });
    expect((await diff(['--', '--output=x'])).err).to.equal(wrong('--output=x'));
  });

  it('could not run if a definition is broken now; an earlier broken definition counts as absent', async () => {
    await write('service/endpoints/ids.yaml', definition('ids').replace('sql:', 'sqll:'));
    const now = await diff(['HEAD']);
    expect(now.code).to.equal(2);
    expect(now.err).to.include(`${endpoints}/ids.yaml:`);
    const id = commit();
    await write('service/endpoints/ids.yaml', definition('ids'));
    const { code, out, err } = await diff([id]);
    expect([code, out]).to.deep.equal([
      0,
      'compatible\n  ids\n    endpoint added: the other endpoints are not affected\n',
    ]);
    expect(err).to.match(
      /^note: an earlier definition is broken and counts as absent: \w{40}:service\/endpoints\/ids\.yaml:8:1 sqll: unknown key/,
    );
  });

  it('names links, which it does not follow', async () => {
    execFileSync('ln', ['-s', 'users.yaml', join(endpoints, 'link.yaml')]);
    commit();
    await rm(join(endpoints, 'link.yaml'));
    expect((await diff(['HEAD'])).err).to.include(
      'note: service/endpoints/link.yaml is a link at HEAD: links in git are not followed\n',
    );
  });

  it('compares with a folder, and with a file by its name or its path', async () => {
    await cp(join(folder, 'service'), join(folder, 'old'), { recursive: true });
    await write(
      'service/endpoints/users.yaml',
      definition('users').replace('col: id, data_type: BIGINT', 'col: id, data_type: INT'),
    );
    const change = 'columns.id.data_type changed: BIGINT → INT; cells are written in the same way';
    expect(await diff(['old/endpoints'])).to.deep.equal({
      code: 0,
      out: `compatible\n  users\n    ${change}\n`,
      err: '0 breaking, 1 compatible, 0 cosmetic; compared with folder old/endpoints\n',
    });
    expect((await diff(['old/endpoints/users.yaml'])).out).to.equal(`compatible\n  users\n    ${change}\n`);
    await rm(join(endpoints, 'users.yaml'));
    expect(await diff(['old/endpoints/users.yaml'])).to.deep.equal({
      code: 1,
      out: 'breaking\n  users\n    endpoint removed: all its requests fail\n',
      err: '1 breaking, 0 compatible, 0 cosmetic; compared with file old/endpoints/users.yaml\n',
    });
    await write('service/endpoints/users.yaml', definition('people').replace('/v1/people/', '/v1/users/'));
    expect((await diff(['old/endpoints/users.yaml'])).out).to.equal(
      'breaking\n  people\n    name renamed: users → people; requests with the earlier name fail\n',
    );
    expect(await diff(['parts/users.shared.yaml'])).to.deep.include({ code: 2 });
    expect(await diff(['parts'])).to.deep.include({ code: 2 });
  });
});

function definition(name: string): string {
  return `name: ${name}
path: /v1/${name}/
summary: Users by id
shared: [../../parts/users.shared.yaml]
params:
  least: { use: least }
columns: [{ col: id, data_type: BIGINT, nullable: false, description: Id }]
sql: SELECT id FROM github_users WHERE followers >= {{ least }}
`;
}
