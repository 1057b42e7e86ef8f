import { expect } from 'chai';
import { HOSTILE_STRINGS } from '../../engine/authoring/verify/cases.js';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import type { DemoService } from './demo-service.js';
import { useRequestedDemo } from './requested-service.js';

/** Sends each text to every parameter. With `every`, each parameter only gets one of this many texts, but all texts are used. */
export function describeHostileTexts(every = 1): void {
  describe('a hostile text in any parameter of any operation', () => hostileTexts(every));
}

function hostileTexts(every: number): void {
  const shared = useRequestedDemo();

  it('gets an empty answer or 400, and does not change the data', async () => {
    const { demo } = shared;
    const before = await eventsOf(demo);
    const wrong: string[] = [];
    let turn = 0;
    for (const { definition, parameters } of await loadDefinitions({ endpointsDirectory: undefined })) {
      for (const name of Object.keys(parameters)) {
        turn += 1;
        for (const hostile of HOSTILE_STRINGS.filter((_, index) => (index + turn) % every === 0)) {
          const path = pathWith(definition.path ?? '', definition.examples[0]?.params ?? {}, name, hostile);
          const response = await demo.get(path);
          const { data } = (await response.json()) as Envelope;
          const isEmptyAnswer = response.status === 200 && data.rows.length === 0;
          if (!isEmptyAnswer && response.status !== 400) wrong.push(`${response.status} ${path}`);
        }
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await eventsOf(demo)).to.equal(before);
  });
}

function pathWith(template: string, params: Readonly<Record<string, unknown>>, name: string, hostile: string): string {
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => encode(key === name ? hostile : String(params[key])));
  return template.includes(`{${name}}`) ? path : `${path}?${name}=${encode(hostile)}`;
}

/** Percent-encodes every byte, so that the URL can contain invalid UTF-8 and dot segments. */
function encode(text: string): string {
  const bytes = text === '\uD800' ? Buffer.from([0xed, 0xa0, 0x80]) : Buffer.from(text);
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function eventsOf({ database }: DemoService): Promise<unknown> {
  const query = database.prepare('SELECT COUNT(*) AS events FROM github_events');
  return database.query(query, [], { maxRows: 1, timeoutMs: 5_000 }).then(({ rows }) => rows[0]?.[0]);
}
