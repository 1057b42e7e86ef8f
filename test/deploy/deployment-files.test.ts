import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { PING_TIMEOUT_MS } from '../../app-routes/healthy.js';
import { BODY_LIMIT, bytesOf } from '../../engine/http/requests/read-request.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { SETTINGS } from '../../server/settings/settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { stopLimit } from '../../server/workers/stop-limit.js';
import { useSharedDemo } from '../service/demo-service.js';
import {
  type ComposeService,
  deploymentFiles,
  type KubernetesObject,
  milliseconds,
  readCompose,
  readDeployment,
  readYaml,
  settingOf,
} from './deployment-files.js';

const NAMES: readonly string[] = Object.values(SETTINGS).map(({ name }) => name);
const DEFAULTS = readSettings({});
const PORT = DEFAULTS.port;
const STOP_MS = stopLimit(DEFAULTS);

describe('the files of deploy/', () => {
  it('are valid YAML with one document each', () => {
    for (const file of deploymentFiles('.', '.yaml')) readYaml(file);
  });

  it('contain no password except examples', () => {
    const secrets = ['', '.example']
      .flatMap((end) => deploymentFiles('.', end))
      .filter((file) => /\.(env|pem|key)$/.test(file));
    expect(secrets).to.deep.equal([]);
  });

  describe('for a container image', () => {
    const text = readDeployment('docker/Dockerfile');

    it('use a pinned base image with the newest supported version of Node', () => {
      const [, major] = /^ARG NODE_IMAGE=\S+\/node:(\d+)\.\d+\.\d+-bookworm-slim$/m.exec(text) ?? [];
      const tested =
        /node: \[(.*)\]/.exec(readFileSync('.github/workflows/ci.yml', 'utf8'))?.[1]?.match(/\d+(?=')/g) ?? [];
      expect(major).to.equal(tested.at(-1));
      expect(text.match(/^FROM .*/gm)?.filter((line) => !/^FROM \$\{NODE_IMAGE\}( AS \w+)?$/.test(line))).to.deep.equal(
        [],
      );
    });

    it('install without scripts, only production dependencies in the image, and no secrets', () => {
      expect([...text.matchAll(/npm ci(.*)/g)].map(([, options = '']) => options.trim())).to.deep.equal([
        '--ignore-scripts',
        '--omit=dev --ignore-scripts',
      ]);
      expect(text).to.not.match(/^(ENV|ARG).*(SECRET|TOKEN|PASSWORD|DATABASE_URL)/m);
    });

    it('run as another user than root, on the port of the service, with a check of its readiness', () => {
      expect(text).to.match(/^USER 1000:1000$/m);
      expect([settingOf(text, 'EXPOSE'), settingOf(text, 'STOPSIGNAL')]).to.deep.equal([String(PORT), 'SIGTERM']);
      expect(text).to.match(/^HEALTHCHECK (.|\\\n)*\/readyz/m);
      const environment = [...text.matchAll(/^(?:ENV| {3,}) ?([A-Z_]+)=/gm)].map(([, name = '']) => name);
      expect(environment.filter((name) => !NAMES.includes(name))).to.deep.equal(['NODE_ENV']);
    });
  });

  describe('for Compose', () => {
    for (const file of ['compose.yaml', 'tidb.yaml']) {
      const { services, volumes } = readCompose(file);

      it(`name existing services, volumes and settings in ${file}, and pinned images`, () => {
        const named = Object.values(services).flatMap(({ depends_on: needed = [] }) =>
          Array.isArray(needed) ? needed : Object.keys(needed),
        );
        expect(services).to.include.keys(...named);
        const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
        const used = mounted.map((mount) => mount.split(':')[0] ?? '').filter((name) => !name.startsWith('.'));
        expect(volumes).to.include.keys(...used);
        for (const { image } of Object.values(services)) expect(image).to.match(/:v?\d+\.\d+\.\d+/);
      });

      it(`restrict the containers of the service in ${file}`, () => {
        const ours = Object.entries(services).filter(([, { image }]) => image?.startsWith('repo-insight:'));
        for (const [name, service] of ours) expectRestricted(name, service);
        expect(services.service?.ports).to.deep.equal([`127.0.0.1:${PORT}:${PORT}`]);
      });
    }

    function expectRestricted(name: string, service: ComposeService): void {
      const { read_only, cap_drop, security_opt, environment = {}, stop_grace_period: stop = '' } = service;
      expect({ name, read_only, cap_drop, security_opt }).to.deep.equal({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(NAMES).to.include.members(Object.keys(environment));
      expect(milliseconds(stop)).to.be.greaterThan(STOP_MS);
    }

    it('create the accounts of the documentation', () => {
      const documented = [...readDeployment('../docs/deployment.md').matchAll(/^ +((?:CREATE USER|GRANT) .*;)$/gm)];
      const created = [...readDeployment('compose/accounts.sh').matchAll(/^((?:CREATE USER|GRANT) .*;)$/gm)];
      const shorten = ([, statement = '']: RegExpExecArray) =>
        statement.replace(' IF NOT EXISTS', '').replace(/BY '.*'/, "BY '…'");
      expect(created.map(shorten)).to.deep.equal(documented.map(shorten));
    });
  });

  describe('for systemd', () => {
    const unit = readDeployment('systemd/repo-insight.service');

    it('wait for a stop longer than the service, and reload with SIGHUP', () => {
      expect(milliseconds(settingOf(unit, 'TimeoutStopSec'))).to.be.greaterThan(STOP_MS);
      expect([settingOf(unit, 'Restart'), settingOf(unit, 'ExecReload')]).to.deep.equal([
        'on-failure',
        '/bin/kill -HUP $MAINPID',
      ]);
    });

    it('have valid settings', () => {
      const example = readDeployment('systemd/environment.example').replace(/^#([A-Z_]+=)/gm, '$1');
      const lines = [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
      expect(NAMES).to.include.members(lines.map(([name]) => name));
      expect(lines.map(([name]) => name)).to.include.members(['JWT_SECRET', 'SESSION_SECRET']);
      readSettings(Object.fromEntries(lines));
    });

    it('are accepted by systemd', function () {
      const { error, status, stdout, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', 'deploy/systemd/repo-insight.service'],
        { encoding: 'utf8' },
      );
      if (error !== undefined) this.skip();
      // The unit can also be checked on a machine without the program at this path.
      const problems = `${stdout}${stderr}`
        .split('\n')
        .filter((line) => line !== '' && !/is not executable/.test(line));
      expect({ problems, status }).to.deep.equal({ problems: [], status });
    });
  });

  describe('for reverse proxies', () => {
    const nginx = readDeployment('nginx/repo-insight.conf');
    const caddy = readDeployment('caddy/Caddyfile');
    /** The longest time limit of the built-in definitions, and of the playground including its queue. */
    const LONGEST_ANSWER_MS = 60_000;

    it('have the limits of the service', () => {
      expect({
        headers: [settingOf(nginx, 'client_header_timeout'), settingOf(caddy, 'read_header')].map(milliseconds),
        body: [settingOf(nginx, 'client_body_timeout'), settingOf(caddy, 'read_body')].map(milliseconds),
        reading: milliseconds(settingOf(nginx, 'send_timeout')),
        bytes: bytesOf(`${settingOf(nginx, 'client_max_body_size')}b`),
      }).to.deep.equal({
        headers: [TIMEOUTS.headersMs, TIMEOUTS.headersMs],
        body: [TIMEOUTS.requestMs, TIMEOUTS.requestMs],
        reading: TIMEOUTS.requestMs,
        bytes: bytesOf(BODY_LIMIT),
      });
    });

    it('keep idle connections shorter than the service, and wait longer for answers', () => {
      const idle = [settingOf(nginx, '    keepalive_timeout'), settingOf(caddy, 'keepalive')].map(milliseconds);
      const answer = [settingOf(nginx, 'proxy_read_timeout'), settingOf(caddy, 'response_header_timeout')].map(
        milliseconds,
      );
      expect(Math.max(...idle)).to.be.lessThan(createServer().keepAliveTimeout);
      expect(Math.min(...answer)).to.be.greaterThan(LONGEST_ANSWER_MS);
    });

    it('connect to the port of the service', () => {
      expect([nginx, caddy].map((text) => text.includes(`127.0.0.1:${PORT}`))).to.deep.equal([true, true]);
    });
  });

  describe('for Kubernetes', () => {
    const objects = deploymentFiles('kubernetes', '.yaml').map((file) => readYaml<KubernetesObject>(file));
    const workloads = objects.filter(({ kind }) => kind === 'Deployment');
    const settings = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    const secrets = objects.find(({ kind }) => kind === 'Secret')?.stringData ?? {};
    const shared = useSharedDemo();

    it('have settings that the service accepts', () => {
      const RANDOM = randomBytes(32).toString('hex');
      const given = { ...settings, ...secrets };
      expect(NAMES).to.include.members(Object.keys(given));
      readSettings({ ...given, JWT_SECRET: RANDOM, SESSION_SECRET: RANDOM });
    });

    it('give the service enough time to stop', () => {
      const stopMs = stopLimit(readSettings(settings));
      for (const { spec } of workloads)
        expect(spec.template.spec.terminationGracePeriodSeconds * 1_000).to.be.greaterThan(stopMs);
    });

    it('stay ready during one slow answer of the database, and drain for longer than the probe needs', () => {
      const service = workloads.find(({ metadata }) => metadata.name === 'repo-insight');
      const probe = service?.spec.template.spec.containers[0].readinessProbe;
      const { periodSeconds = 0, timeoutSeconds = 0, failureThreshold = 0 } = probe ?? {};
      expect(failureThreshold).to.be.greaterThan(1);
      expect(timeoutSeconds * 1_000).to.be.greaterThan(PING_TIMEOUT_MS);
      expect(readSettings(settings).drainDelay).to.be.greaterThan(failureThreshold * periodSeconds * 1_000);
    });

    it('do not publish the metrics', () => {
      const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'repo-insight');
      expect(Object.keys({ ...settings, ...secrets }).filter((name) => name.startsWith('METRICS_'))).to.deep.equal([
        'METRICS_PORT',
      ]);
      expect(service?.spec.ports).to.deep.equal([{ name: 'http', port: 80, targetPort: 'http' }]);
    });

    it('select their own pods, and restrict every container', () => {
      for (const { spec } of workloads) {
        const { securityContext, volumes, containers, initContainers = [] } = spec.template.spec;
        expect(spec.template.metadata.labels).to.deep.equal(spec.selector.matchLabels);
        expect(securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 });
        for (const container of [...initContainers, ...containers]) {
          expect(container.securityContext).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(volumes.map(({ name }) => name)).to.include.members(container.volumeMounts.map(({ name }) => name));
        }
      }
    });

    it('have probes that the service answers, on its ports', async () => {
      const container = workloads.find(({ metadata }) => metadata.name === 'repo-insight')?.spec.template.spec
        .containers[0];
      const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
      expect(probes.map((probe) => probe?.httpGet)).to.deep.equal([
        { path: '/livez', port: 'http' },
        { path: '/livez', port: 'http' },
        { path: '/readyz', port: 'http' },
      ]);
      const statuses = ['/livez', '/readyz'].map(async (path) => (await shared.demo.get(path)).status);
      expect(await Promise.all(statuses)).to.deep.equal([200, 200]);
      expect(container?.ports).to.deep.equal([
        { name: 'http', containerPort: PORT },
        { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
      ]);
    });
  });
});
