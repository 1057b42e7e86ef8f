import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readDocument } from './documents.js';

const PAGE = 'docs/architecture.md';
const SOURCE = 'engine/http/definitions/answer-definitions.ts';

describe('the path of a request in the documents', () => {
  it(`has the steps of ${SOURCE}, in their order`, async () => {
    const section = readDocument(PAGE).split('\n## A request\n')[1]?.split('\n## ')[0] ?? '';
    const documented = [...section.matchAll(/^\| [a-z ]+ \| `(\w+)` \|/gm)].map(([, name = '']) => name);
    const source = await readFile(SOURCE, 'utf8');
    const path = [
      textOf(source, 'export function answerDefinitions', 'interface PathParts'),
      textOf(source, 'async function answer(', 'async function lookUp'),
    ].join('\n');
    const called = [...path.matchAll(/(?<![\w ] function )\b(\w+)\(/g)].map(([, name = '']) => name);
    // Several branches end in the same step, so the last occurrence of each step is used.
    const steps = [...new Set(called.filter((name) => documented.includes(name)).reverse())].reverse();
    expect(documented).to.include.members(['findInMemory', 'take', 'rejectOver', 'serve', 'send', 'fail']);
    expect(steps).to.deep.equal(documented);
  });
});

/** Returns the text between two other texts. Throws if one of them is missing. */
function textOf(source: string, start: string, end: string): string {
  const [from, until] = [source.indexOf(start), source.indexOf(end)];
  if (from < 0 || until < from) throw new Error(`expected ${start} before ${end} in ${SOURCE}`);
  return source.slice(from, until);
}
