import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { loadDefinitions } from '../../server/settings/definitions.js';
import type { DemoService } from '../service/demo-service.js';
import type { TwoPlaygrounds } from './two-playgrounds.js';

/** Defines the tests of plans and drafts, in the suite that opens the playgrounds. */
export function testDrafts(two: TwoPlaygrounds): void {
  describe('plans and drafts of playground SQL', () => {
    const onBoth = (title: string, test: (service: DemoService) => Promise<void>) => {
      it(`${title}, on the embedded database`, () => test(two.embedded));
      it(`${title}, on a server`, () => test(two.served));
    };

    onBoth('a draft is a valid file whose literals are parameters', async (service) => {
      const { status, body } = await post(service, '/console/drafts/', { sql: LANGUAGES, name: 'languages-since' });
      expect([status, body.name, body.file]).to.deep.equal([200, 'languages-since', 'languages-since.yaml']);
      const { params, columns, sql, limits } = parse(body.text as string);
      expect({ params: Object.keys(params), sql, limits }).to.deep.equal({
        params: ['primary_language', 'after'],
        sql: [
          'SELECT primary_language, COUNT(*) AS n',
          'FROM github_repos',
          'WHERE primary_language = {{ primary_language }} AND created_at > {{ after }}',
          'GROUP BY primary_language',
          '',
        ].join('\n'),
        limits: { rows: 5 },
      });
      expect(columns.map(({ col, data_type }: Record<string, string>) => [col, data_type])).to.deep.equal([
        ['primary_language', 'VARCHAR'],
        ['n', 'BIGINT'],
      ]);
      const folder = await mkdtemp(join(tmpdir(), 'repo-insight-draft-'));
      try {
        await writeFile(join(folder, String(body.file)), String(body.text));
        const endpoints = await loadDefinitions({ endpointsDirectory: folder });
        expect(endpoints.map(({ definition }) => definition.name)).to.include('languages-since');
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    onBoth('a draft of * contains only public columns', async (service) => {
      const { body } = await post(service, '/console/drafts/', { sql: 'SELECT * FROM github_users;' });
      const names = parse(body.text as string).columns.map(({ col }: { col: string }) => col);
      expect(names).to.include('login').and.not.include('email');
    });

    it('a draft of SQL that the playground rejects has the place of the problem', async () => {
      const service = two.embedded;
      const rejected = async (body: object) => {
        const { status, body: answer } = await post(service, '/console/drafts/', body);
        return [status, answer.code, answer.detail];
      };
      expect([
        await rejected({ sql: 'SELECT id\nFROM sys_users' }),
        await rejected({ sql: 'SHOW TABLES' }),
        await rejected({ sql: 'SELECT {{ now }}' }),
        await rejected({ sql: 'SELECT repo_id, r.* FROM github_repos r' }),
        await rejected({ sql: 'SELECT 1 AS one', name: 'list-collections' }),
      ]).to.deep.equal([
        [422, 'sql_refused', 'line 2, column 6: there is no public table sys_users'],
        [422, 'sql_refused', 'line 1, column 1: the SQL is not a SELECT'],
        [422, 'sql_refused', 'line 1, column 15: not SQL: bind a value with {{ name }}, in two braces'],
        [
          422,
          'sql_refused',
          'line 1, column 17: write the columns instead of *: it is not the only expression of the SELECT',
        ],
        [400, 'bad_body', 'name must be a name that no definition has, got "list-collections"'],
      ]);
    });

    onBoth('a plan states the estimated cost, and the SQL does not run', async (service) => {
      const { status, body } = await post(service, '/q/playground/plan/', { sql: LANGUAGES });
      expect([status, Object.keys(body), body.lane]).to.deep.equal([200, ['steps', 'estimatedRows', 'lane'], 'cheap']);
      expect(body.steps).to.have.length.above(0);
      const { status: rejected, body: problem } = await post(service, '/q/playground/plan/', { sql: 'SELECT nothing' });
      expect([rejected, problem.detail]).to.deep.equal([422, 'line 1, column 8: there is no column nothing here']);
    });

    onBoth('a failure of the database has the place of the part that its message quotes', async (service) => {
      const sql = "SELECT login\nFROM github_users\nWHERE login REGEXP '('";
      const { status, body } = await post(service, '/q/playground/', { sql });
      const [{ reason }] = body.errors as [{ reason: string }];
      expect([status, body.code, reason]).to.deep.equal([422, 'sql_failed', body.detail]);
    });
  });
}

const LANGUAGES =
  "SELECT primary_language, COUNT(*) AS n FROM github_repos WHERE primary_language = 'Go' AND created_at > '2015-01-01' " +
  'GROUP BY primary_language LIMIT 5';

async function post(service: DemoService, path: string, body: object) {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await service.get(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
