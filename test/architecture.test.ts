import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** From the top floor down; a floor may use those below it. */
const FLOORS = ['cli', 'server', 'app-routes', 'warehouse', 'databases', 'engine'];
const DOMAIN_WORDS = /\b(github|repositor(y|ies)|repos?|stargazers?|stars?|pull.?requests?|issues?|commits?|forks?)\b/i;

const files = FLOORS.flatMap((floor) => sourcesUnder(floor));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

describe('architecture', () => {
  it('has arrows that only point down the floors', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => FLOORS.indexOf(floorOf(target)) < FLOORS.indexOf(floorOf(file)))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('has no import cycle', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).to.deep.equal([]);
  });

  it('has no word of the domain in the engine or its tests', () => {
    const found = [...sourcesUnder('engine'), ...sourcesUnder('test/engine')].flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (DOMAIN_WORDS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).to.deep.equal([]);
  });

  it('reads the environment only in the command line, and ends the process only there', () => {
    const found = files
      .filter((file) => floorOf(file) !== 'cli')
      .filter((file) => /process\.(env|exit)\b/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(found).to.deep.equal([]);
  });
});

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .sort();
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return [...source.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)].map((match) =>
    relative(ROOT, resolve(ROOT, dirname(file), `${match[1]}.ts`)),
  );
}

function floorOf(file: string): string {
  return file.split('/')[0] ?? '';
}
