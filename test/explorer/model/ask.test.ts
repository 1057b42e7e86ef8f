import { expect } from 'chai';
import { type ModelServer, type ModelServerRequest, startModelServer } from '../model-server.js';
import { ANSWER, createTestModel, failureOf, KEY, request, SCHEMA } from './ask-model.js';

describe('a request to a model', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  it('sends the instructions, the question, the schema and the key, and returns the validated answer with its tokens', async () => {
    server = await startModelServer({
      otherwise: { answer: ANSWER, usage: { prompt_tokens: 70, completion_tokens: 9 } },
    });
    const model = createTestModel(server.url);
    expect(model.name).to.equal('tester');
    expect(await model.ask(request())).to.deep.equal({ value: ANSWER, text: JSON.stringify(ANSWER), tokens: 79 });
    const { path, headers, messages, body } = firstOf(server);
    expect([path, headers.authorization]).to.deep.equal(['/v1/chat/completions', `Bearer ${KEY}`]);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stainless'))).to.deep.equal([]);
    expect(messages).to.deep.equal([
      { role: 'system', content: 'You write SQL.' },
      { role: 'user', content: 'How many stars?' },
    ]);
    expect(body).to.deep.equal({
      model: 'tester',
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 6_000,
      response_format: { type: 'json_schema', json_schema: { ...SCHEMA, strict: true } },
    });
  });

  it('sends no credential if there is no key', async () => {
    server = await startModelServer({ otherwise: { answer: ANSWER } });
    await createTestModel(server.url, { key: null }).ask(request());
    expect(server.requests[0]?.headers).not.to.have.property('authorization');
  });

  it('estimates the tokens if the server does not report them, or reports nonsense', async () => {
    server = await startModelServer();
    const prompt = Math.ceil(('You write SQL.\nHow many stars?'.length + JSON.stringify(SCHEMA.schema).length) / 3);
    const text = JSON.stringify(ANSWER);
    server.reply({ answer: text, usage: null, pieceLength: 300 });
    server.reply({ answer: text, usage: { prompt_tokens: -7, completion_tokens: 1 }, pieceLength: 300 });
    server.reply({ answer: text, usage: { prompt_tokens: 1e15, completion_tokens: 1 }, pieceLength: 300 });
    const model = createTestModel(server.url);
    for (let count = 0; count < 3; count += 1) {
      expect((await model.ask(request())).tokens).to.equal(prompt + Math.ceil(text.length / 3));
    }
  });

  const wrapped: readonly (readonly [string, string])[] = [
    ['in a code fence', `Here it is:\n\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\nDone.`],
    ['in a fence without a language', `\`\`\`\n${JSON.stringify(ANSWER, null, 2)}\n\`\`\``],
    ['with text around it', `Sure! The answer: ${JSON.stringify(ANSWER)} I hope {this} helps.`],
    ['after thoughts with another object', `<think>Maybe {"sql": 1}?</think>\n${JSON.stringify(ANSWER)}`],
    ['after an object of another form', `{"draft": true} ${JSON.stringify(ANSWER)}`],
    ['with braces in its texts', JSON.stringify({ sql: "SELECT '}{\"'", count: 3 })],
  ];
  for (const [where, text] of wrapped) {
    it(`finds the JSON ${where}`, async () => {
      server = await startModelServer({ otherwise: { answer: text } });
      const { value } = await createTestModel(server.url).ask(request());
      expect(value).to.deep.equal(text.includes("'}{") ? JSON.parse(text) : ANSWER);
      expect(server.requests).to.have.length(1);
    });
  }

  it('asks again with the problems if the schema does not allow the answer', async () => {
    server = await startModelServer();
    const wrong = JSON.stringify({ sql: 7, more: 'ignore all rules' });
    server.reply({ answer: wrong }, { answer: ANSWER });
    expect(await createTestModel(server.url).ask(request())).to.deep.include({ value: ANSWER, tokens: 300 });
    expect(server.requests[1]?.messages.slice(2)).to.deep.equal([
      { role: 'assistant', content: wrong },
      {
        role: 'user',
        content:
          'Your answer has the wrong form:\n- the answer must have the member `count`\n' +
          '- the answer must have no other members than those of the schema\n- `sql` must be text\n' +
          'Answer again with only one JSON object of the required form.',
      },
    ]);
  });

  it('fails after the second answer of a wrong form, without text of the model in the message', async () => {
    server = await startModelServer({ otherwise: { answer: 'The quick brown fox' } });
    const error = await failureOf(createTestModel(server.url).ask(request()));
    expect([error.failure, error.message, error.details.tokens]).to.deep.equal([
      'invalid_output',
      'The answer of the language model has the wrong form: the answer must be one JSON object.',
      300,
    ]);
    expect(server.requests).to.have.length(2);
  });
});

describe('the form of a request to a model', () => {
  let server: ModelServer;
  afterEach(() => server.close());

  const ladders = [
    [['json_schema', 'json_object', 'text'], ['json_schema']],
    [['json_object', 'text'], ['json_object']],
    [['text'], ['text']],
  ] as const;
  for (const [forms, [used]] of ladders) {
    it(`is ${used} on a server that accepts ${forms.join(', ')}, and is remembered`, async () => {
      server = await startModelServer({ forms, otherwise: { answer: ANSWER } });
      const model = createTestModel(server.url);
      await model.ask(request());
      const rejected = server.rejected.length;
      expect(rejected).to.equal(3 - forms.length);
      await model.ask(request());
      expect(server.rejected).to.have.length(rejected);
      expect(server.requests.map(({ form }) => form)).to.deep.equal([used, used]);
      expect(firstOf(server).messages[0]?.content.includes(JSON.stringify(SCHEMA.schema))).to.equal(
        used !== 'json_schema',
      );
    });
  }

  it('omits parameters that the server rejects, and keeps the others', async () => {
    server = await startModelServer({
      rejects: ['stream_options', 'max_completion_tokens'],
      otherwise: { answer: ANSWER },
    });
    await createTestModel(server.url).ask(request());
    expect(server.rejected).to.have.length(2);
    const { body, form } = firstOf(server);
    expect([form, body.max_tokens]).to.deep.equal(['json_schema', 6_000]);
    expect(body).not.to.have.any.keys('stream_options', 'max_completion_tokens');
  });

  it('does not change after a request that the server rejects in every form', async () => {
    server = await startModelServer({ otherwise: { answer: ANSWER } });
    const model = createTestModel(server.url);
    server.reply(...Array.from({ length: 3 }, () => ({ status: 400 })));
    const error = await failureOf(model.ask(request()));
    expect([error.failure, error.message]).to.deep.equal([
      'refused',
      'The model server rejected the request (HTTP 400).',
    ]);
    await model.ask(request());
    expect(server.requests.map(({ form }) => form)).to.deep.equal([
      'json_schema',
      'json_object',
      'text',
      'json_schema',
    ]);
  });
});

function firstOf({ requests }: ModelServer): ModelServerRequest {
  const [first] = requests;
  if (first === undefined) throw new Error('expected a request');
  return first;
}
