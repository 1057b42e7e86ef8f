import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { EARLIER, PAIRS, type Pair } from '../contracts/pairs.js';
import { run } from './command-line.js';

describe('endpoint diff with an OpenAPI document', () => {
  let folder: string;
  let server: Server | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-diff-'));
    await writeFile(join(folder, 'one.yaml'), EARLIER);
  });
  afterEach(async () => {
    server?.close();
    await rm(folder, { recursive: true });
  });

  const command = (...words: string[]) => {
    const environment = { DATA_DIR: join(folder, 'data'), ENDPOINTS_DIR: folder };
    return run(words, { environment, cwd: folder });
  };
  const document = async () => JSON.parse((await command('openapi')).out);
  /** A cache of the documents of definitions, by definition text, because most tests start with the same definition. */
  const documents = new Map<string, string>();
  const documentOf = async (definition: string) => {
    await writeFile(join(folder, 'one.yaml'), definition);
    const known = documents.get(definition) ?? (await command('openapi')).out;
    documents.set(definition, known);
    return known;
  };
  const diffWith = async (content: unknown) => {
    await rm(join(folder, 'api'), { force: true });
    const file = join(folder, '.api.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return command('endpoint', 'diff', '.api.json');
  };
  const serve = async (listener: RequestListener) => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
  };

  for (const pair of PAIRS) {
    it(`finds what documents contain: ${pair.name}`, async () => {
      const earlier = edit(EARLIER, pair.both);
      await writeFile(join(folder, '.api.json'), await documentOf(earlier));
      await writeFile(join(folder, 'one.yaml'), edit(earlier, pair.edits));
      const { out } = await command('endpoint', 'diff', '.api.json', '--json');
      const found = (JSON.parse(out).changes as Record<string, string>[]).map(keyOf);
      // Documents do not contain queries, so changes of queries are omitted.
      const changes = pair.changes.filter((change) => !change.includes('SELECT ') && !change.includes('.refresh'));
      expect(found).to.deep.equal(changes.map(keyOfLine).filter(isDescribed));
    });
  }

  it('compares with the document of a URL, and says what documents do not contain', async () => {
    const before = await document();
    const url = await serve((_request, response) => response.end(JSON.stringify(before)));
    await writeFile(
      join(folder, 'one.yaml'),
      EARLIER.replace('default: weight', 'default: kind').replace('WHERE', 'WHERE 1 = 1 AND'),
    );
    expect(await command('endpoint', 'diff', url)).to.deep.equal({
      code: 1,
      out: 'breaking\n  list-loaves\n    params.sort.default changed: weight → kind; requests without this parameter silently get another answer\n',
      err:
        'note: an OpenAPI document does not contain SQL, exact data types, limits, notices, questions, tags and examples: ' +
        'changes of these are not found. Compare with a git revision or a folder to find them\n' +
        `1 breaking, 0 compatible, 0 cosmetic; compared with URL ${url}\n`,
    });
  });

  it('could not run if the URL does not return a document', async () => {
    const failure = async (listener: RequestListener) => {
      const url = await serve(listener);
      const { code, out, err } = await command('endpoint', 'diff', url);
      server?.close();
      expect([code, out]).to.deep.equal([2, '']);
      return err.replace(url, 'URL');
    };
    expect(await failure((_request, response) => response.writeHead(404).end())).to.equal(
      'URL cannot be read: expected status 200, got 404\n',
    );
    expect(await failure((_request, response) => response.end('<html>'))).to.equal(
      'URL is not JSON: expected the openapi.json of a service\n',
    );
    expect(await failure((request) => request.destroy())).to.equal('URL cannot be read: other side closed\n');
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const endless: RequestListener = (_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(megabyte));
      };
      response.on('drain', send);
      send();
    };
    expect(await failure(endless)).to.equal('URL cannot be read: the document is too large: expected at most 64 MB\n');
    const password = await command('endpoint', 'diff', 'http://user:secret@127.0.0.1:1/');
    expect([password.code, password.err]).to.deep.equal([
      2,
      'http://user:***@127.0.0.1:1/ cannot be read: a URL with a password is not supported\n',
    ]);
    expect((await command('endpoint', 'diff', 'http://[')).err).to.equal('http://[ is not a URL\n');
  });

  it('could not run for documents that this service did not write, and names the place', async () => {
    const valid = await document();
    const change = (edits: (copy: Record<string, never>) => void) => {
      const copy = structuredClone(valid);
      edits(copy);
      return copy;
    };
    const operation = (copy: Record<string, never>) => (copy as unknown as AnyDocument).paths['/q/list-loaves'].get;
    const place = 'paths./q/list-loaves.get';
    const cases: readonly (readonly [unknown, string])[] = [
      ['{"openapi": ', 'is not JSON: expected the openapi.json of a service'],
      [{ openapi: 3 }, 'openapi: expected text, got 3'],
      [{ openapi: '3.0.3' }, 'openapi: expected OpenAPI 3.1, got "3.0.3"'],
      [
        { openapi: '3.1.0', info: { title: 'Other' }, paths: {} },
        'info.title: expected a description of repo-insight, got "Other"',
      ],
      [{ openapi: '3.1.0', info: { title: 'repo-insight' } }, 'the document: expected a member "paths"'],
      [
        {
          openapi: '3.1.0',
          info: { title: 'repo-insight' },
          paths: Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`/q/a${index}`, {}])),
        },
        'paths: expected at most 20000 members',
      ],
      [{ openapi: '3.1.0', info: { title: 'repo-insight' }, paths: [] }, 'paths: expected an object, got []'],
      [
        change((copy) => {
          operation(copy).parameters[0].schema = { type: 'object' };
        }),
        `${place}.parameters.0.schema.type: expected one of string, integer, number, boolean, array, got "object"`,
      ],
      [
        change((copy) => {
          operation(copy).parameters[0].schema = { $ref: '#/components/schemas/A' };
          (copy as unknown as AnyDocument).components.schemas.A = { $ref: '#/components/schemas/A' };
        }),
        `${place}.parameters.0.schema: expected a reference that ends, got {"$ref":"#/components/schemas/A"}`,
      ],
      [
        change((copy) => {
          operation(copy).parameters[0].schema = { $ref: 'file:///etc/passwd' };
        }),
        `${place}.parameters.0.schema: expected a reference to #/components/, got {"$ref":"file:///etc/passwd"}`,
      ],
      [
        change((copy) => {
          operation(copy).parameters[0].schema = { $ref: '#/components/__proto__/toString' };
        }),
        `${place}.parameters.0.schema: expected a reference to an existing component`,
      ],
      [
        change((copy) => {
          operation(copy).responses = {};
        }),
        `${place}.responses: expected a member "200", got {}`,
      ],
    ];
    for (const [content, message] of cases) {
      const { code, out, err } = await diffWith(content);
      expect([code, out]).to.deep.equal([2, '']);
      expect(err).to.include(message);
    }
  });

  it('accepts names that every object has, and shows no control characters', async () => {
    const copy = (await document()) as AnyDocument;
    const { get } = copy.paths['/q/list-loaves'];
    get.parameters.push({
      name: '__proto__',
      in: 'query',
      required: false,
      description: '',
      schema: { type: 'string', pattern: '(a+)+$' },
    });
    get.parameters[1].schema = { type: 'string', default: '\u001b[2J' };
    const { code, out } = await diffWith(copy);
    expect(code).to.equal(1);
    expect(out).to.include('params.__proto__ removed: requests with this parameter are rejected');
    expect(out).to.not.include('\u001b');
  });
});

interface AnyDocument {
  // biome-ignore lint/suspicious/noExplicitAny: the tests write wrong documents
  readonly [member: string]: any;
}

function edit(text: string, edits: Pair['edits'] = []): string {
  return edits.reduce((edited, [from, to]) => edited.replace(from, () => to), text);
}

function keyOf({ effect, place, action }: Record<string, string>): string {
  return `${effect} ${place} ${action}`;
}

function keyOfLine(line: string): string {
  // In documents, the scale of a DECIMAL is part of the format of its cells.
  return line.split(' ').slice(0, 3).join(' ').replace(':', '').replace('.scale', '.data_type');
}

function isDescribed(key: string): boolean {
  return !/ (sql|access|nest|limits|cache|serve_stale|data_as_of|notices|tags|questions|examples)\b/.test(key);
}
