import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { endpointSchema, RULES } from '../../engine/index.js';
import { problemsIn } from './fixtures.js';

const ROOT = new URL('../../../', import.meta.url);
const GUIDE = readFileSync(new URL('docs/writing-endpoints.md', ROOT), 'utf8');

describe('the guide to writing endpoints', () => {
  it('begins with a valid definition', async () => {
    const [, first] = /```yaml\n([\s\S]*?)```/.exec(GUIDE) ?? [];
    expect(await problemsIn({ 'first.yaml': first ?? '' })).to.deep.equal([]);
  });

  it('shows valid shared parts', async () => {
    const examples = GUIDE.slice(GUIDE.indexOf('## Shared parts'), GUIDE.indexOf('## Other databases'));
    const [shared = '', definition = ''] = [...examples.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
    expect(await problemsIn({ 'ovens.shared.yaml': shared, 'rye.yaml': definition })).to.deep.equal([]);
  });

  it('lists every key', () => {
    const table = GUIDE.slice(GUIDE.indexOf('## Keys'), GUIDE.indexOf('## Parameters'));
    const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    expect(named).to.deep.equal(Object.keys(endpointSchema.properties as object).filter((key) => key !== '$schema'));
  });

  it('lists every rule of warnings', () => {
    const table = GUIDE.slice(GUIDE.indexOf('## Warnings'), GUIDE.indexOf('## Problems'));
    const named = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, rule]) => rule);
    expect(named).to.deep.equal([...RULES]);
  });

  it('quotes messages that exist in the engine', () => {
    const engine = new URL('engine/', ROOT);
    const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, engine), 'utf8'))
      .join('\n');
    const table = GUIDE.slice(GUIDE.indexOf('## Problems'));
    const quoted = [...table.matchAll(/^\| (`[^|]*`).* \| /gm)].flatMap(([, cell]) =>
      [...(cell ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, message]) =>
        (message ?? '').split(/…|\{|\}|"|%|\(|\)|minimum|maximum/),
      ),
    );
    const missing = quoted.map((piece) => piece.trim()).filter((piece) => piece.length > 4 && !sources.includes(piece));
    expect(missing).to.deep.equal([]);
  });
});
