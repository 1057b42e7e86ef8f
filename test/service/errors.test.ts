import { expect } from 'chai';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { useSharedDemo } from './demo-service.js';
import { rawRequest } from './raw-request.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const CREATORS = '/v1/repos/amber-ibex/reed-stack/issue_creators/';

describe('errors over HTTP', () => {
  const shared = useSharedDemo();

  const result = async (path: string, status: number) => {
    const response = await shared.demo.get(path);
    expect(response.status, path).to.equal(status);
    const { type, data } = (await response.json()) as Envelope;
    expect({ type, columns: data.columns, rows: data.rows, code: data.result.code }).to.deep.equal({
      type: 'sql_endpoint',
      columns: [],
      rows: [],
      code: status,
    });
    expect(data.result.request_id).to.equal(response.headers.get('x-request-id'));
    return data.result;
  };

  it('list all invalid parameters of a request', async () => {
    const { error, errors } = await result(`${CREATORS}?sort=stars&page=0&exclude_bots=maybe`, 400);
    expect(error).to.equal('bad_parameter');
    expect(errors?.map(({ parameter, expected, got }) => ({ parameter, expected, got }))).to.deep.equal([
      {
        parameter: 'sort',
        expected: 'one of issues, issues-desc, first_issue_opened_at, first_issue_opened_at-desc, login',
        got: '"stars"',
      },
      { parameter: 'exclude_bots', expected: 'true or false', got: '"maybe"' },
      { parameter: 'page', expected: 'an integer from 1 to 21474836', got: '"0"' },
    ]);
  });

  it('do not occur for a target that is a whole URL with any host', async () => {
    const path = `/v1/repos/${shared.demo.repository}/pull_request_creators/`;
    const target = `http://nowhere:9999${path}?page_size=1`;
    const said = await rawRequest(
      shared.demo.service.url,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(said).to.match(/^HTTP\/1.1 200 /);
    expect(said).to.include(`Link: <${path}?page_size=1&page=2>; rel="next"`);
  });

  const rejected: readonly (readonly [string, string])[] = [
    [`${CREATORS}?pages=2`, 'did you mean "page"?'],
    [`${CREATORS}?page=1&page=2`, 'given once'],
    [`${CREATORS}?page_size=101`, 'from 1 to 100'],
    [`${CREATORS}?page=`, 'an integer'],
    [`${CREATORS}?sort=%E0%A4%A`, 'percent-encoded UTF-8'],
    [`${CREATORS}history/?from=2021-02-30`, 'a date YYYY-MM-DD'],
    [`${CREATORS}history/?from=2024-01-02&to=2024-01-01`, 'at most to (2024-01-01)'],
    ['/v1/collections/one/repos/', 'an integer'],
    ['/v1/trends/repos/?language=C++', 'one of All, JavaScript'],
    ['/v1/repos/a%00b/c/issue_creators/', 'owner'],
    [`/v1/repos/${'x'.repeat(40)}/c/issue_creators/`, '1 to 39'],
  ];
  for (const [path, words] of rejected) {
    it(`reject ${path.slice(0, 80)} with a message that contains ${words}`, async () => {
      const { message, error } = await result(path, 400);
      expect(error).to.equal('bad_parameter');
      expect(message).to.include(words);
    });
  }

  it('answer an unknown path under /v1 with 404 in the envelope', async () => {
    const { error, message } = await result('/v1/nothing/here', 404);
    expect({ error, message }).to.deep.equal({
      error: 'endpoint_not_found',
      message: 'There is no operation at /v1/nothing/here; /docs lists all operations.',
    });
  });

  it('name a parameter that is given thousands of times once', async () => {
    const { errors } = await result(`${CREATORS}?page${'&page'.repeat(3_000)}`, 400);
    expect(errors?.map(({ parameter, got }) => ({ parameter, got }))).to.deep.equal([
      { parameter: 'page', got: '"3001 values"' },
    ]);
  });

  it('have status 400 for invalid percent-encoding in the path', async () => {
    const { error } = await result('/v1/repos/%E0%A4%A/x/issue_creators/', 400);
    expect(error).to.equal('bad_parameter');
  });

  it('answer a wrong method with 405 and Allow', async () => {
    const response = await shared.demo.get(CREATORS, { method: 'POST' });
    expect(response.status).to.equal(405);
    expect(response.headers.get('allow')).to.equal('GET, HEAD, OPTIONS');
    const { data } = (await response.json()) as Envelope;
    expect(data.result.error).to.equal('method_not_allowed');
  });

  it('are problem details outside /v1', async () => {
    const response = await shared.demo.get('/nowhere', { headers: { 'X-Request-Id': 'a-request-of-mine' } });
    expect(response.status).to.equal(404);
    expect(response.headers.get('content-type')).to.match(/^application\/problem\+json/);
    expect(await response.json()).to.deep.equal({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'route_not_found',
      detail: 'There is no operation at /nowhere; /docs lists all operations.',
      request_id: 'a-request-of-mine',
    });
  });

  const problems: readonly (readonly [string, RequestInit, number, string])[] = [
    ['/q/no-such-query', {}, 404, 'query_not_found'],
    ['/q/list-issue-creators', {}, 400, 'bad_parameter'],
    ['/healthy/', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['/', { method: 'POST' }, 405, 'method_not_allowed'],
    ['/user/', {}, 401, 'credential_missing'],
    ['/user/email-updates/', { method: 'PUT', body: '{', headers: JSON_TYPE }, 401, 'credential_missing'],
  ];
  for (const [path, init, status, code] of problems) {
    it(`answer ${init.method ?? 'GET'} ${path} with ${status} ${code}`, async () => {
      const response = await shared.demo.get(path, init);
      const body = (await response.json()) as Record<string, unknown>;
      expect([response.status, body.status, body.code]).to.deep.equal([status, status, code]);
    });
  }

  it('contain a new request id if the client sends an invalid one', async () => {
    const response = await shared.demo.get('/healthy/', { headers: { 'X-Request-Id': 'two words' } });
    expect(response.headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('are logged under the id of the request', async () => {
    await shared.demo.get('/nowhere', { headers: { 'X-Request-Id': 'look-me-up' } });
    const line = shared.demo.log.find(({ req }) => (req as { id?: string } | undefined)?.id === 'look-me-up');
    expect(line?.res).to.deep.equal({ statusCode: 404 });
  });

  it('are logged without the credentials of the target', async () => {
    const target = 'http://ada:hidden-password@a.example/v1/collections/?access_token=hidden-token&page=2';
    await shared.demo.get('/v1/nothing?ID%5Ftoken=hidden-token');
    await rawRequest(shared.demo.service.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(shared.demo.log.map(({ req }) => (req as { url?: string } | undefined)?.url)).to.include(
      '/v1/nothing?ID%5Ftoken=…',
    );
    expect(JSON.stringify(shared.demo.log)).to.not.include('hidden');
  });
});
