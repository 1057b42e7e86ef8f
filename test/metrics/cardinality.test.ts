import { expect } from 'chai';
import { createOwnFolder, type OwnFolder, versionOf } from '../live/own-folder.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { rawRequest } from '../service/raw-request.js';
import { eventually } from '../services/eventually.js';
import { labelValues, type Scraped, scrape, sumOf } from './scraped.js';

const REQUESTS = 'repo_insight_http_requests_total';

describe('the labels of metrics', () => {
  let own: OwnFolder;
  let demo: DemoService;
  before(async () => {
    own = await createOwnFolder();
    await own.write('stays.yaml', versionOf('stays', 1));
    demo = await startDemoService({ METRICS_PORT: '0', ENDPOINTS_DIR: own.path, RATE_LIMIT_PER_HOUR: '0' });
  });
  after(async () => {
    await demo?.close();
    await own?.close();
  });

  const scraped = () => scrape(demo.service.metricsUrl ?? '');
  const settled = async (requests: number): Promise<Scraped> => {
    // A request is counted when its connection is free again, which can be after the client has received the answer.
    await eventually(async () => sumOf(await scraped(), REQUESTS) >= requests);
    return scraped();
  };

  it('have no value of a client: paths, names, methods, ids, parameters and broken requests', async () => {
    const { url } = demo.service;
    const count = 40;
    /** Sends requests that differ from those of all earlier rounds. */
    const attack = async (round: string) => {
      for (let number = 0; number < count; number += 1) {
        const name = `${round}-${number}`;
        const paths = [
          `/v1/${name}`,
          `/q/${name}`,
          `/${name}`,
          `/v1/live/stays/?${name}=1`,
          `/q/stays?version=${name}`,
        ];
        const lines = [
          ...paths.map((path) => `GET ${path} HTTP/1.1\r\nX-Request-Id: ${name}`),
          `${number % 2 === 0 ? 'PROPFIND' : 'MKCALENDAR'} /v1/live/stays/?${name} HTTP/1.1`,
          `DELETE /explorer/questions/${name}/ HTTP/1.1\r\nAuthorization: Bearer ${name}`,
          `GET http://${name}.example/v1/live/stays/ HTTP/1.1`,
        ];
        await Promise.all(
          lines.map((line) => rawRequest(url, `${line}\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)),
        );
        await rawRequest(url, `${name} / HTTP/9.${number}\r\n\r\n`);
      }
    };
    await attack('first');
    const after = await settled(8 * count);
    await attack('second');
    const end = await settled(16 * count);
    const series = (all: Scraped) => [...all.keys()].filter((name) => name.startsWith('repo_insight_')).sort();
    expect(series(end)).to.deep.equal(series(after));
    expect([...labelValues(end, REQUESTS, 'operation')].sort()).to.deep.equal(['named-query', 'other', 'stays']);
    expect([...labelValues(end, REQUESTS, 'method')].sort()).to.deep.equal(['DELETE', 'GET', 'other']);
  });

  it('have no name of a definition that was removed', async () => {
    const { url } = demo.service;
    for (let round = 0; round < 5; round += 1) {
      await own.write('passing.yaml', versionOf(`passing-${round}`, 1));
      await demo.service.definitions.reload();
      expect((await fetch(`${url}/v1/live/passing-${round}/`)).status).to.equal(200);
    }
    const isKept = async (name: string) => labelValues(await scraped(), REQUESTS, 'operation').has(name);
    await eventually(() => isKept('passing-4'));
    for (const name of [REQUESTS, 'repo_insight_database_query_duration_seconds_count']) {
      const values = [...labelValues(await scraped(), name, 'operation')].filter((value) => /^passing/.test(value));
      expect(values).to.deep.equal(['passing-4']);
    }
    await own.remove('passing.yaml');
    await demo.service.definitions.reload();
    expect(await isKept('passing-4')).to.equal(false);
  });
});
