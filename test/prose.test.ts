import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { AVOIDED_WORDS } from './prose/avoided-words.js';
import { linesIn, type Text, textsOf } from './prose/texts.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Files and folders whose texts are checked. */
const CHECKED = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  '.github',
  'schemas',
  'endpoints',
  'pages',
  'web',
  'engine',
  'warehouse',
  'accounts',
  'github',
  'demo',
  'explorer',
  'console',
  'app-routes',
  'server',
  'cli',
  'scripts',
  'bench',
  'test',
];

/**
 * Files that are not checked: the list of avoided words, recorded answers, the settings, whose texts are also in the
 * code, and the words and questions of users.
 */
const NOT_PROSE = [
  'test/prose/avoided-words.ts',
  'schemas/examples.json',
  'docs/configuration.md',
  'explorer/catalogue/language/vocabulary.ts',
  'explorer/catalogue/language/preamble.ts',
  'explorer/catalogue/language/function-words.ts',
  'bench/evaluation/questions/tuning.yaml',
  'bench/evaluation/questions/held-out.yaml',
];

describe('the prose', () => {
  for (const path of CHECKED) {
    it(`of ${path} has no word that readers found unclear`, () => {
      const found = filesUnder(path).flatMap((file) =>
        textsOf(file, readFileSync(join(ROOT, file), 'utf8')).flatMap((text) => findingsIn(file, text)),
      );
      expect(found.join('\n')).to.equal('');
    });
  }
});

function findingsIn(file: string, { line, text, isName }: Text): string[] {
  return AVOIDED_WORDS.filter(({ inNames }) => inNames || !isName).flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)].map(({ 0: words, index }) => {
      const before = text.slice(0, index);
      const sentence = `${before.split('\n').at(-1)}${text.slice(index).split('\n')[0]}`.trim();
      return `${file}:${line + linesIn(before)}: "${words}" → ${write}: ${sentence}`;
    }),
  );
}

function filesUnder(path: string): string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter(
      (file) =>
        /\.(md|c?tsx?|ya?ml|json|sql)$/.test(file) &&
        !/^(test\/fixtures|web\/api\/generated)\//.test(file) &&
        !NOT_PROSE.includes(file),
    )
    .sort();
}
