import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CachedService, NAMES, startCachedService } from '../cache/cached-service.js';
import { eventually } from '../services/eventually.js';
import { type PrivateServer, type ServerProgram, startPrivateServer } from '../services/private-server.js';

const TARGET = '/v1/cached/names/?least=1';

const PROXIES: Readonly<Record<string, { readonly command: string; program(servicePort: number): ServerProgram }>> = {
  nginx: { command: 'nginx', program: nginx },
  varnish: { command: 'varnishd', program: varnish },
};

for (const [name, { command, program }] of Object.entries(PROXIES)) {
  describe(`answers in the cache of ${name}`, () => {
    let demo: CachedService;
    let counter: Server;
    let proxy: PrivateServer;
    /** The statuses of the service's answers, in order. */
    const statuses: number[] = [];
    before(async function () {
      if (spawnSync(command, ['-V']).error !== undefined) {
        console.error(`      skipped: this machine has no ${command}`);
        this.skip();
      }
      demo = await startCachedService([NAMES]);
      counter = countStatuses(demo.service.url, statuses);
      await once(counter, 'listening');
      proxy = await startPrivateServer(program((counter.address() as AddressInfo).port));
    });
    after(async () => {
      await proxy?.remove();
      counter?.closeAllConnections();
      counter?.close();
      await demo?.close();
    });
    beforeEach(() => statuses.splice(0));

    const ask = async (target: string, headers: Readonly<Record<string, string>> = {}) => {
      const plain = { 'Accept-Encoding': 'identity', Connection: 'close' };
      const response = await fetch(`http://127.0.0.1:${proxy.port}${target}`, { headers: { ...plain, ...headers } });
      const { status } = response;
      return { status, etag: response.headers.get('etag'), text: await response.text() };
    };

    it('are stored, and checked before each use', async () => {
      const first = await ask(TARGET);
      const others = [await ask(TARGET), await ask(TARGET)];
      expect(others).to.deep.equal([first, first]);
      expect(first.status).to.equal(200);
      expect(statuses).to.deep.equal([200, 304, 304]);
    });

    it('are those of the newest data', async () => {
      await ask(TARGET);
      await demo.rename(2, 'changed');
      await eventually(async () => (await demo.ask(TARGET)).text.includes('changed'));
      expect((await ask(TARGET)).text).to.include('changed');
      expect(statuses.at(-1)).to.equal(200);
    });

    it('are separate for each format, and confirmed to clients that have them', async () => {
      const csv = await ask(TARGET, { Accept: 'text/csv' });
      expect(csv.text).to.match(/^id,name\r\n/);
      const json = await ask(TARGET);
      expect(json.text).to.match(/^\{/);
      expect(await ask(TARGET, { Accept: 'text/csv' })).to.deep.equal(csv);
      const { status } = await ask(TARGET, { 'If-None-Match': String(json.etag), 'Cache-Control': 'max-age=0' });
      expect(status).to.equal(304);
    });

    it('are stored and checked as images', async () => {
      const first = await ask('/e/names.svg?least=1');
      expect(first.text).to.match(/^<svg /);
      expect(await ask('/e/names.svg?least=1')).to.deep.equal(first);
      expect(statuses).to.deep.equal([200, 304]);
    });

    it('have parts', async () => {
      const whole = await ask('/q/names.csv');
      const part = await ask('/q/names.csv', { Range: 'bytes=3-9', 'If-Range': String(whole.etag) });
      expect([part.status, part.text]).to.deep.equal([206, whole.text.slice(3, 10)]);
    });
  });
}

/** Starts a server in front of the service that records the statuses of its answers. */
function countStatuses(url: string, statuses: number[]): Server {
  const { hostname, port } = new URL(url);
  return createServer((received, response) => {
    const { method, url: path, headers } = received;
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      statuses.push(answer.statusCode ?? 0);
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    received.pipe(sent);
  }).listen(0, '127.0.0.1');
}

function nginx(servicePort: number): ServerProgram {
  return {
    name: 'nginx',
    command: 'nginx',
    arguments: (folder, port) => {
      const snippet = readFileSync('deploy/nginx/cached-answers.conf', 'utf8');
      const [line] = /(?<=# +)proxy_cache_path .*;/.exec(snippet) ?? [];
      if (line === undefined) throw new Error('The file contains no `proxy_cache_path`.');
      mkdirSync(join(folder, 'temporary'), { recursive: true });
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const temporary = paths.map((path) => `${path}_temp_path ${join(folder, 'temporary', path)};`).join('\n  ');
      writeFileSync(join(folder, 'cached-answers.conf'), snippet);
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off;
master_process off;
pid ${join(folder, 'pid')};
events {}
http {
  access_log off;
  ${temporary}
  ${line.replace('/var/cache/nginx/repo_insight', join(folder, 'cache'))}
  upstream repo_insight { server 127.0.0.1:${servicePort}; }
  server {
    listen 127.0.0.1:${port};
    proxy_buffering off;
    include cached-answers.conf;
  }
}
`,
      );
      return ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'];
    },
  };
}

function varnish(servicePort: number): ServerProgram {
  return {
    name: 'varnish',
    command: 'varnishd',
    arguments: (folder, port) => {
      const file = readFileSync('deploy/varnish/repo-insight.vcl', 'utf8');
      if (!file.includes('.port = "3450"')) throw new Error('The file contains no `.port = "3450"`.');
      writeFileSync(join(folder, 'service.vcl'), file.replace('.port = "3450"', `.port = "${servicePort}"`));
      // Without a jail, because another account could not read the folder.
      const place = ['-j', 'none', '-n', join(folder, 'varnish'), '-s', 'malloc,20m', '-T', 'none'];
      return ['-F', ...place, '-a', `127.0.0.1:${port}`, '-f', join(folder, 'service.vcl')];
    },
  };
}
