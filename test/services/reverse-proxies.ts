import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './debian.js';
import { type PrivateServer, type ServerProgram, startPrivateServer } from './private-server.js';

/** A reverse proxy that is configured with a file in `deploy/`. */
export interface ReverseProxy {
  /** The name of its command and its Debian package. */
  readonly name: 'nginx' | 'caddy';
  readonly protocol: 'https:' | 'http:';
  /** Whether requests wait while the service is not listening; otherwise they get an error. */
  readonly waitsForRestart: boolean;
  start(servicePort: number): Promise<PrivateServer>;
}

export const REVERSE_PROXIES: readonly ReverseProxy[] = [
  {
    name: 'nginx',
    protocol: 'https:',
    waitsForRestart: false,
    start: (servicePort) => startPrivateServer(nginx(servicePort)),
  },
  {
    name: 'caddy',
    protocol: 'http:',
    waitsForRestart: true,
    start: (servicePort) => startPrivateServer(caddy(servicePort)),
  },
];

/** Skips the suite if the proxy is not installed. With `REQUIRE_SERVICES=1`, installs the proxy, and fails if this is not possible. */
export function needProxy({ name }: ReverseProxy): void {
  before(function () {
    const isHere = () => spawnSync(name, [name === 'nginx' ? '-v' : 'version']).error === undefined;
    if (isHere()) return;
    if (process.env.REQUIRE_SERVICES !== '1') this.skip();
    if (!installPackage(name) || !isHere()) throw new Error(`This suite needs ${name}.`);
  });
}

/** Returns nginx with the unchanged file, except for ports, the address of the service, and paths. */
function nginx(servicePort: number): ServerProgram {
  return {
    name: 'nginx',
    command: 'nginx',
    prepare: async (folder) => {
      mkdirSync(join(folder, 'temporary'));
      const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
      execFileSync('openssl', [...CERTIFICATE, ...files], { stdio: 'ignore' });
    },
    arguments: (folder, port) => {
      const site = replaceAll(readFileSync('deploy/nginx/repo-insight.conf', 'utf8'), [
        ['server 127.0.0.1:3450;', `server 127.0.0.1:${servicePort};`],
        ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['listen 80;', `listen unix:${join(folder, 'http')};`],
        ['    listen [::]:80;\n', ''],
        ['/etc/ssl/insight.example/fullchain.pem', join(folder, 'certificate.pem')],
        ['/etc/ssl/insight.example/privkey.pem', join(folder, 'key.pem')],
      ]);
      writeFileSync(join(folder, 'site.conf'), site);
      writeFileSync(join(folder, 'nginx.conf'), mainFile(folder));
      return ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'];
    },
  };
}

const CERTIFICATE = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=insight.example'];

/** The main configuration file, which includes the site. There is only one process, so that none remains when it is killed. */
function mainFile(folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = paths.map((path) => `${path}_temp_path ${join(folder, 'temporary', path)};`).join('\n  ');
  return `daemon off;
master_process off;
pid ${join(folder, 'pid')};
events {}
http {
  access_log off;
  ${temporary}
  include ${join(folder, 'site.conf')};
}
`;
}

/** Returns Caddy with the unchanged file, except for the address of the service, and its own address, which has no certificate. */
function caddy(servicePort: number): ServerProgram {
  return {
    name: 'caddy',
    command: 'env',
    arguments: (folder, port) => {
      const site = replaceAll(readFileSync('deploy/caddy/Caddyfile', 'utf8'), [
        ['reverse_proxy 127.0.0.1:3450', `reverse_proxy 127.0.0.1:${servicePort}`],
        ['insight.example {', `http://:${port} {\n\tbind 127.0.0.1`],
        ['{\n\tservers {', '{\n\tadmin off\n\tservers {'],
      ]);
      writeFileSync(join(folder, 'Caddyfile'), site);
      const places = [`HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`, `XDG_DATA_HOME=${folder}`];
      return [...places, 'caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  };
}

function replaceAll(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`The file contains no \`${from}\`.`);
    return replaced.replaceAll(from, to);
  }, text);
}
