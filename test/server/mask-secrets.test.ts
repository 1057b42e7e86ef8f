import { expect } from 'chai';
import { maskTarget, maskText, maskUrl } from '../../server/logging/mask-secrets.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

/** The secret of an API key. */
const KEY = `rik_3f9a01c2_${'aB3-_'.repeat(8)}xyz`;

/** A text length that is ten times the maximum length of a request target. */
const LONG = 800_000;

describe('the mask of the log', () => {
  const targets: readonly (readonly [string, string])[] = [
    ['/v1/collections/?page=2&sort=stars-desc', '/v1/collections/?page=2&sort=stars-desc'],
    ['/user/?access_token=abc&page=1', '/user/?access_token=…&page=1'],
    ['/user/?page=1&Access-Token=abc%26x', '/user/?page=1&Access-Token=…'],
    ['/user/?access%5Ftoken=abc', '/user/?access%5Ftoken=…'],
    ['/user/?%61ccess_token=abc', '/user/?%61ccess_token=…'],
    ['/user/?access%255Ftoken=abc', '/user/?access%255Ftoken=…'],
    ['/user/?access_token[]=abc', '/user/?access_token[]=…'],
    ['/user/?token=ab/cd;ef?gh', '/user/?token=…'],
    ['/user/?token=&token', '/user/?token=&token'],
    ['/x?return_to=%2Fy%3Fid_token%3Dabc', '/x?return_to=…'],
    ['/x?a=1;token=abc', '/x?a=…'],
    [`/x?q=${JWT}`, '/x?q=…'],
    [`/x?${JWT}`, '/x?…'],
    [`/x?${JWT}=1`, '/x?…=1'],
    [`/x?q=${JWT.replaceAll('.', '%2E')}`, '/x?q=…'],
    [`/x?q=${JWT.replaceAll('.', '%252E')}`, '/x?q=…'],
    [`/x/${JWT}/y`, '/x/…/y'],
    [`/x/${JWT.replaceAll('.', '%2e')}/y`, '/x/…/y'],
    ['/x;token=abc/y', '/x;token=…'],
    ['/x?code_verifier=abc&SAMLResponse=abc', '/x?code_verifier=…&SAMLResponse=…'],
    ['/x?a=xoxb-1234567890-abc&b=AKIAIOSFODNN7EXAMPLE', '/x?a=…&b=…'],
    ['/x?country_code=US&code=abc', '/x?country_code=US&code=…'],
    ['/x?q=Bearer%20abcdef', '/x?q=…'],
    [`/x?q=ghp_${'a'.repeat(36)}`, '/x?q=…'],
    [`/x?q=sk-proj-${'a1'.repeat(24)}`, '/x?q=…'],
    [`/x?q=${KEY}&id=rik_3f9a01c2`, '/x?q=…&id=rik_3f9a01c2'],
    [`/x/${KEY}/y`, '/x/…/y'],
    [`/x?q=${KEY.replaceAll('_', '%5F')}`, '/x?q=…'],
    ['/v1/repos/sk-learn/task-runner/', '/v1/repos/sk-learn/task-runner/'],
    ['http://ada:p@ss@a.example/x?page=1', 'http://…@a.example/x?page=1'],
    ['http://a.example/x?API-KEY=1', 'http://a.example/x?API-KEY=…'],
    ['/x?%E0%A4%A=1&%zz=2&secret%zz=3', '/x?%E0%A4%A=1&%zz=2&secret%zz=…'],
  ];
  for (const [target, masked] of targets) {
    it(`shows ${target.slice(0, 60)} as ${masked}`, () => {
      expect(maskTarget(target)).to.equal(masked);
    });
  }

  it('hides the code of a sign-in and the token that ends digests', () => {
    expect(maskUrl('/sign-in/callback?code=abc&state=def')).to.equal('/sign-in/callback?…');
    expect(maskUrl('/unsubscribe/12.Wm9fZ2-h/')).to.equal('/unsubscribe/…/');
    expect(maskUrl('/base/unsubscribe/12.Wm9fZ2-h?x=1')).to.equal('/base/unsubscribe/…?x=1');
  });

  it('hides the values of all secret names', () => {
    const names = `access_token token id_token refresh_token code state key api_key apikey x-api-key password passwd secret
      client_secret sig signature X-Amz-Signature session session_id jwt auth authorization assertion nonce SAMLTicket`;
    for (const name of names.split(/\s+/)) {
      for (const spelt of [name, name.toUpperCase(), encodeURIComponent(name).replace(/_|-/g, '%5f')]) {
        expect(maskTarget(`/x?${spelt}=hidden`)).to.equal(`/x?${spelt}=…`);
      }
    }
  });

  it('hides secrets in any text', () => {
    const text = `GET https://ada:pw@a.example/x?access_token=abc failed: Bearer abc, ${JWT} at "code=1" (page=2)`;
    expect(maskText(text)).to.equal(
      'GET https://…@a.example/x?access_token=… failed: Bearer …, … at "code=…" (page=2)',
    );
  });

  it('hides secrets of API keys in any text, also if a text is before or after them', () => {
    expect(maskText(`{"x-api-key":"${KEY}"} of ${KEY}, key${KEY} and ${KEY.slice(0, 20)}`)).to.equal(
      '{"x-api-key":"…"} of …, key… and …',
    );
    expect(maskText('key rik_3f9a01c2 and rik_reports')).to.equal('key rik_3f9a01c2 and rik_reports');
  });

  it('hides a token that follows other letters', () => {
    expect(maskText(`bearer_${JWT} and id.${JWT} and eyJeyJ${JWT}`)).to.equal('… and id.… and …');
  });

  it('takes time that is linear in the length of the text, also for repetitive texts', () => {
    // If the time were quadratic in the length of the text, each text would take minutes.
    for (const piece of [
      'a',
      'eyJ',
      'a=',
      '%25',
      'x://',
      '://',
      'bearer ',
      'gh',
      'ghp_',
      'rik_',
      'rik_3f9a01c2_',
      'a-',
      'eyJ.',
      'a&',
      'a/',
    ]) {
      const repeated = piece.repeat(LONG / piece.length);
      for (const text of [repeated, `${repeated}.x`, `${repeated}.eyJaaaaa`]) {
        maskTarget(`/x?${text}`);
        maskText(text);
      }
    }
  });
});
