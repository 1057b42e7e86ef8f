import { expect } from 'chai';
import { readExamples } from '../../engine/http/description/describe-service.js';
import { describeOperations } from '../../server/describe-operations.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { type AnswerCheck, createAnswerCheck } from './answer-check.js';

const CREATORS = '/v1/repos/amber-ibex/reed-stack/issue_creators/';

describe('the check of answers against the description', () => {
  let check: AnswerCheck;
  let creators: string;
  before(async () => {
    const endpoints = await loadDefinitions({ endpointsDirectory: undefined });
    check = createAnswerCheck(JSON.stringify(describeOperations(endpoints).openApi()));
    creators = JSON.stringify(readExamples()['list-issue-creators']?.[0]?.answer);
  });

  const problem = {
    type: 'about:blank',
    title: 'Unauthorized',
    status: 401,
    code: 'credential_missing',
    detail: 'This operation needs a signed-in user.',
    request_id: 'one',
  };
  const difference = (path: string, status: number, body: string, headers: Record<string, string> = {}) => {
    const all: Record<string, string> = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'one',
      ...headers,
    };
    const header = (name: string) => all[name.toLowerCase()] ?? null;
    return check({ method: 'GET', path, status, header, body })?.split('\n')[0];
  };

  it('accepts a valid answer', () => {
    expect(difference(CREATORS, 200, creators)).to.equal(undefined);
  });

  it('reports a status, a media type and a header that the description does not contain', () => {
    expect(difference(CREATORS, 201, creators)).to.match(/→ 201: the description has only 200, 400/);
    const html = { 'content-type': 'text/html' };
    expect(difference(CREATORS, 200, creators, html)).to.match(
      /its type is text\/html, the description has application\/json/,
    );
    const body = JSON.stringify(problem);
    const unauthorized = { 'content-type': 'application/problem+json' };
    expect(difference('/user/', 401, body, unauthorized)).to.match(/the header WWW-Authenticate is missing/);
    expect(difference('/user/', 401, body, { ...unauthorized, 'www-authenticate': 'Bearer' })).to.equal(undefined);
  });

  it('reports the faults of a body', () => {
    const number = creators.replace(/"issues":"(\d+)"/, '"issues":$1');
    expect(difference(CREATORS, 200, number)).to.match(/\/data\/rows\/0\/issues must be string/);
    const day = creators.replace(/("first_issue_opened_at":"[\d-]+)[^"]*"/, '$1"');
    expect(difference(CREATORS, 200, day)).to.match(/\/data\/rows\/0\/first_issue_opened_at must match pattern/);
    const missing = creators.replace(/"login":"[^"]*",/, '');
    expect(difference(CREATORS, 200, missing)).to.match(/\/data\/rows\/0 must have required property 'login'/);
    expect(difference(CREATORS, 200, creators.slice(1))).to.match(/the body is not JSON/);
    const code = { 'content-type': 'application/problem+json', 'www-authenticate': 'Bearer' };
    expect(difference('/user/', 401, JSON.stringify({ ...problem, code: 'no_such' }), code)).to.match(
      /\/code must be equal/,
    );
    expect(difference('/user/', 401, JSON.stringify({ ...problem, code: 'not_trusted' }), code)).to.match(
      /the code not_trusted is not one of credential_invalid, credential_missing/,
    );
    expect(difference('/user/', 401, JSON.stringify({ ...problem, status: 400 }), code)).to.match(
      /the body has the status 400/,
    );
  });

  it('expects 404 and a problem for a path without an operation', () => {
    expect(difference('/nowhere', 200, '{}')).to.match(/expected 404/);
    expect(difference('/v1/nowhere', 404, creators)).to.match(/\/data\/rows must NOT have more than 0 items/);
  });
});
