import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { AVOIDED_WORDS } from './prose/avoided-words.js';
import { linesIn, splitWords, type Text, textsOf } from './prose/texts.js';

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
  'endpoints/vocabulary.yaml',
  'explorer/catalogue/reading/values.ts',
  'explorer/catalogue/language/preamble.ts',
  'explorer/catalogue/language/function-words.ts',
  'bench/evaluation/questions/tuning.yaml',
  'bench/evaluation/questions/held-out.yaml',
  'bench/evaluation/questions/visitors-tuning.yaml',
  'bench/evaluation/questions/visitors-held-out.yaml',
];

describe('the prose', () => {
  for (const path of CHECKED) {
    it(`of ${path} has no word that readers found unclear`, () => {
      const found = filesUnder(path).flatMap((file) => findingsOf(file, readFileSync(join(ROOT, file), 'utf8')));
      expect(found.join('\n')).to.equal('');
    });
  }

  it('is checked in comments, literals, templates and parts of identifiers', () => {
    const [word, phrase] = [AVOIDED_NAME, AVOIDED_PHRASE];
    const sources = [
      `/**\n * Users ${phrase.replace(' ', '\n * ')} it.\n */`,
      `// They ${word} it.`,
      `const a = '${word} it';`,
      `const a = \`${word} it\`;`,
      `const ${word}It = 1;`,
      `can${word[0]?.toUpperCase()}${word.slice(1)}();`,
      `${word}\`it\`;`,
    ];
    expect(sources.filter((source) => findingsOf('a.ts', source).length !== 1)).to.deep.equal([]);
    expect(findingsOf('a.ts', `const a = ['${word}', 'rejected'];`)).to.deep.equal([]);
    expect(findingsOf('a.md', `Text.\n\nThey ${phrase} it. \`${word}\``)).to.have.length(1);
  });
});

/** A word and a phrase of the list, in two parts, because this file is checked too. */
const AVOIDED_NAME = ['ref', 'use'].join('');
const AVOIDED_PHRASE = ['who', 'has'].join(' ');

function findingsOf(file: string, content: string): string[] {
  if (!canHaveFindings(content)) return [];
  return textsOf(file, content).flatMap((text) => findingsIn(file, text));
}

/**
 * Whether a pattern matches the file as one text, with the same changes as for its parts. Almost no file has a match, and dividing all files
 * into their parts takes seconds.
 */
function canHaveFindings(content: string): boolean {
  // An avoided word may be allowed before a quote or parenthesis. These characters can be outside of a part, so they are moved away.
  const text = splitWords(content.replace(/^ *\*/gm, ' ')).replace(/(?=['`(])/g, ' ');
  return ANY_WORD.some((pattern) => pattern.test(text));
}

/** The patterns of all avoided words, one per set of flags. */
const ANY_WORD = [...new Set(AVOIDED_WORDS.map(({ pattern }) => pattern.flags))].map((flags) => {
  const sources = AVOIDED_WORDS.filter(({ pattern }) => pattern.flags === flags).map(({ pattern }) => pattern.source);
  return new RegExp(sources.join('|'), flags.replace('g', ''));
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
