import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

export function readDeployment(file: string): string {
  return readFileSync(`deploy/${file}`, 'utf8');
}

/** Returns the paths of the files below a folder of `deploy/` whose names end with `end`. */
export function deploymentFiles(folder: string, end: string): string[] {
  return readdirSync(`deploy/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** Parses a YAML file with one document. Duplicate keys and unknown anchors are errors. */
export function readYaml<T>(file: string): T {
  const [document, ...others] = parseAllDocuments(readDeployment(file), { strict: true, uniqueKeys: true });
  if (document === undefined || others.length > 0) throw new Error(`${file}: expected one document`);
  if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join('\n')}`);
  return document.toJS() as T;
}

/** Converts a time such as `75s` or `100ms` to milliseconds. A number without a unit is a number of seconds. */
export function milliseconds(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+)(ms|s|m)?$/.exec(text) ?? [];
  return Number(number || Number.NaN) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
}

/** Returns the value of `name value;`, `name value` or `name=value` in a text. Fails unless there is exactly one. */
export function settingOf(text: string, name: string): string {
  const values = [...text.matchAll(new RegExp(`^\\s*${name}[ =]([^;\\n]*)`, 'gm'))].map(([, value = '']) => value);
  const [value, ...others] = new Set(values);
  if (value === undefined || others.length > 0) throw new Error(`expected one ${name}, got ${values.join(', ')}`);
  return value;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: unknown;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Probe {
  readonly periodSeconds: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold: number;
  readonly httpGet: { readonly path: string; readonly port: string };
}

/** The keys of a Kubernetes object that the tests read. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly ports?: unknown;
    readonly selector: { readonly matchLabels: unknown };
    readonly template: {
      readonly metadata: { readonly labels: unknown };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Readonly<Record<string, unknown>>;
        readonly initContainers?: readonly Container[];
        readonly containers: readonly [Container];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

/** The keys of a Compose service that the tests read. */
export interface ComposeService {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: unknown;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, null>>;
}

/** Reads the services of a Compose file, including keys from the services that they extend. */
export function readCompose(file: string): ComposeFile {
  const { services, volumes } = readYaml<ComposeFile>(`compose/${file}`);
  const complete = Object.entries(services).map(([name, service]) => {
    if (service.extends === undefined) return [name, service] as const;
    const base = readYaml<ComposeFile>(`compose/${service.extends.file}`).services[service.extends.service];
    if (base === undefined) throw new Error(`${file}: ${name} extends an unknown service`);
    return [name, { ...base, ...service, environment: { ...base.environment, ...service.environment } }] as const;
  });
  return { services: Object.fromEntries(complete), volumes: volumes ?? {} };
}
