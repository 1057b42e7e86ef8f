import { expect } from 'chai';
import { normalizePath } from '../../engine/http/requests/read-request.js';
import { useSharedDemo } from './demo-service.js';

/** Lists of equivalent paths (RFC 3986, 6.2.2.2). The service must answer all of them in the same way as the first one. */
const EQUAL = [
  ['/v1/collections.csv', '/v1/collections%2Ecsv', '/v1/%63ollections%2ecsv?', '/%76%31/collections.csv'],
  ['/v1/collections/', '/v1/c%6Fllections/', '/%761/collections'],
  ['/q/list-collections.ndjson', '/q/list%2Dcollections%2Endjson', '/%71/list-collections.ndjson'],
  ['/q/list-collections', '/q/%6cist-collections/'],
  ['/q/tables/', '/q/t%61bles/'],
  ['/docs/', '/d%6fcs/'],
  ['/console/search/?q=a', '/console/se%61rch/?q=a'],
];

describe('percent-encoded characters of a path', () => {
  const shared = useSharedDemo();

  const read = async (path: string) => {
    // `shared.demo.get` is not used, because it looks up the API description by the path as sent.
    const response = await fetch(shared.demo.service.url + path);
    const { headers, status } = response;
    const body = (await response.text()).replace(/"[^"]*(?:at|At|_ms|ms|id)":(?:"[^"]*"|[\d.]+)/g, '');
    return { status, type: headers.get('content-type'), limit: headers.get('x-ratelimit-limit'), body };
  };

  it('have the same meaning as the characters, on every route and for every limit', async () => {
    for (const [plain = '', ...others] of EQUAL) {
      const expected = await read(plain);
      expect([plain, expected.status]).to.deep.equal([plain, 200]);
      // The second request for a path is answered from the cache, before express.
      for (const path of [...others, ...others]) expect([path, await read(path)]).to.deep.equal([path, expected]);
    }
  });

  it('stay encoded if the characters separate parts of a path, or if the encoding is malformed', async () => {
    for (const path of ['/v1%2Fcollections/', '/q%2flist-collections', '/v1/collections%3Fformat=csv']) {
      expect([path, (await fetch(shared.demo.service.url + path)).status]).to.deep.equal([path, 404]);
    }
    for (const path of ['/a%2fb?c=%2e', '/a%%32e', '/a%2', '/%E0%A4', '/a%252e']) {
      expect(normalizePath(path)).to.equal(path);
    }
    expect(normalizePath('/%2D%2e%30%39%41%4F%50%5a%5F%61%6f%70%7A%7e?%2e')).to.equal('/-.09AOPZ_aopz~?%2e');
  });
});
