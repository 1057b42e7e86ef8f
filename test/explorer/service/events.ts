import { expect } from 'chai';
import { rawRequest } from '../../service/raw-request.js';
import { eventually } from '../../services/eventually.js';
import { type EventStream, followQuestion, type StreamedEvent } from './event-stream.js';
import { COUNT, type ExplorerService, modelQuestion, pathOf, writesSql } from './explorer-service.js';

/** The maximum number of followers of one question. */
const MAX_FOLLOWERS = 20;
const EVENTS = { Accept: 'text/event-stream' };

export function eventTests(explorer: ExplorerService): void {
  const follow = (id: string, headers = {}) => followQuestion(explorer.demo.service.url, id, headers);
  /** Asks a question whose preparation only continues after the model is released. */
  const askStalled = async (login: string): Promise<string> => {
    const question = modelQuestion(`for ${login}`);
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const { id } = await explorer.ask(login, question);
    await explorer.waitFor(id, 'answer_generating');
    return id;
  };
  const cancel = (login: string, id: string) => explorer.send(login, 'POST', `${pathOf(id)}cancel/`);

  it('are sent at once for each status, until the final status ends the stream', async () => {
    const question = modelQuestion('in order');
    const answers = [writesSql('SELECT nothing FROM github_events'), writesSql(COUNT)];
    explorer.model.replyTo(question, () => ({ ...(answers.shift() ?? { status: 500 }), isHeld: true }));
    const { id } = await explorer.ask('ada', question);
    const stream = await follow(id);
    const events: StreamedEvent[] = [];
    // Each event arrives while the model is still working.
    for (const status of ['answer_generating', 'sql_validating']) {
      while (events.at(-1)?.record.status !== status) events.push((await stream.next()) as StreamedEvent);
      await eventually(() => explorer.model.concurrent === 1);
      explorer.model.release();
    }
    events.push(...(await stream.rest()));
    expect(new Set(events.map(({ name }) => name))).to.deep.equal(new Set(['question']));
    const order = ['new', 'answer_generating', 'sql_validating', 'waiting', 'running', 'success'];
    const places = events.map(({ record }) => order.indexOf(record.status));
    expect([...places].sort()).to.deep.equal(places);
    expect(events.at(-1)?.record).to.deep.equal(await explorer.read(id));
    expect(events.at(-1)?.record.status).to.equal('success');
  });

  it('have headers that forbid caches and buffers, and are not compressed', async () => {
    const id = await askStalled('bea');
    const stream = await follow(id, { 'Accept-Encoding': 'br, gzip' });
    // This event arrives before the stream has ended.
    expect((await stream.next())?.record).to.include({ id, status: 'answer_generating' });
    expect(stream.status).to.equal(200);
    const names = ['content-type', 'cache-control', 'content-encoding', 'x-accel-buffering'];
    expect(names.map((name) => stream.headers.get(name))).to.deep.equal([
      'text/event-stream; charset=utf-8',
      'no-store, no-transform',
      null,
      'no',
    ]);
    expect(stream.headers.get('vary')?.split(/, */)).to.include.members(['Accept']);
    await cancel('bea', id);
    expect((await stream.rest()).map(({ record }) => record.status)).to.deep.equal(['cancel']);
    expect(stream.text).to.match(/^retry: 2000\n\n/);
  });

  it('are one event for a final question', async () => {
    const { body } = await explorer.send('cai', 'POST', '/explorer/answer/', {
      question: `Who opened the most issues in ${explorer.demo.repository}?`,
    });
    const { id } = (body as { question: { id: string } }).question;
    const stream = await follow(id);
    expect(await stream.rest()).to.deep.equal([{ name: 'question', record: await explorer.read(id) }]);
  });

  it('are an ordinary error for an unknown question, and JSON for a client that prefers JSON', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { status, headers, body } = await explorer.send(undefined, 'GET', pathOf(unknown), undefined, EVENTS);
    expect([status, (body as { code: string }).code]).to.deep.equal([404, 'question_not_found']);
    expect(headers.get('content-type')).to.match(/^application\/problem\+json/);
    const id = await askStalled('dee');
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream;q=0.5', 'text/html, */*']) {
      const answer = await explorer.send(undefined, 'GET', pathOf(id), undefined, { Accept: accept });
      expect(answer.headers.get('content-type'), accept).to.match(/^application\/json/);
      expect(answer.headers.get('vary')).to.match(/\bAccept\b/);
    }
    await cancel('dee', id);
  });

  it('are only headers in the answer to HEAD, which ends at once', async () => {
    const id = await askStalled('eli');
    const response = await explorer.demo.get(pathOf(id), { method: 'HEAD', headers: EVENTS });
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const answer = await rawRequest(
      explorer.demo.service.url,
      `HEAD ${pathOf(id)} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n`,
    );
    expect(answer)
      .to.match(/^HTTP\/1\.1 200 OK\r\n/)
      .and.match(/\r\n\r\n$/);
    expect((await explorer.read(id)).status).to.equal('answer_generating');
    await cancel('eli', id);
  });

  it('arrive over HTTP/1.0, and for a target that is a whole URL', async () => {
    const { id } = await explorer.ask('fay', `Who opened the most issues in ${explorer.demo.repository}?`);
    await explorer.waitFor(id, 'success');
    for (const [target, version] of [
      [pathOf(id), '1.0'],
      [`http://127.0.0.1${pathOf(id)}`, '1.1'],
      [`//other.example${pathOf(id)}`, '1.1'],
    ]) {
      const lines = [`GET ${target} HTTP/${version}`, 'Host: x', 'Accept: text/event-stream', 'Connection: close'];
      const answer = await rawRequest(explorer.demo.service.url, `${lines.join('\r\n')}\r\n\r\n`);
      const expected = target?.startsWith('//') ? 404 : 200;
      expect(answer, target).to.match(new RegExp(`^HTTP/1\\.1 ${expected} `));
      if (expected === 200) expect(answer).to.contain('event: question\ndata: {');
    }
  });

  it('continue with the current state when a client connects again', async () => {
    const question = modelQuestion('connects again');
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const { id } = await explorer.ask('gus', question);
    await explorer.waitFor(id, 'answer_generating');
    const first = await follow(id);
    await first.next();
    first.abort();
    await cancel('gus', id);
    const again = await follow(id, { 'Last-Event-ID': '7' });
    expect((await again.rest()).map(({ record }) => record.status)).to.deep.equal(['cancel']);
  });

  it('use nothing after their client disconnected, also if it disconnects before the headers', async () => {
    const id = await askStalled('hal');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let round = 0; round < 3; round += 1) {
      const streams = await openAll(id, MAX_FOLLOWERS);
      for (const stream of streams) stream.abort();
      await Promise.all(Array.from({ length: 20 }, () => followAndAbort(id)));
    }
    await eventually(() => timers() <= before + 5);
    await cancel('hal', id);
  });

  it('are limited to a number of clients; the next one gets 503 and can read the record', async () => {
    const id = await askStalled('ida');
    const streams = await openAll(id, MAX_FOLLOWERS);
    const { status, headers, body } = await explorer.send(undefined, 'GET', pathOf(id), undefined, EVENTS);
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(body).to.include({
      code: 'overloaded',
      detail: '20 callers already follow this question; read the question instead.',
    });
    expect((await explorer.read(id)).status).to.equal('answer_generating');
    await cancel('ida', id);
    const ends = await Promise.all(streams.map((stream) => stream.rest()));
    expect(new Set(ends.map((events) => events.at(-1)?.record.status))).to.deep.equal(new Set(['cancel']));
    expect((await (await follow(id)).rest()).length).to.equal(1);
  });

  /** Opens streams. Retries, because the service may notice a moment later that the clients of earlier streams have disconnected. */
  async function openAll(id: string, count: number): Promise<EventStream[]> {
    const streams: EventStream[] = [];
    await eventually(async () => {
      const opened = await Promise.all(Array.from({ length: count - streams.length }, () => follow(id)));
      streams.push(...opened.filter(({ status }) => status === 200));
      return streams.length === count;
    });
    return streams;
  }

  /** Follows a question and disconnects without waiting for the headers. */
  async function followAndAbort(id: string): Promise<void> {
    const controller = new AbortController();
    const answer = fetch(`${explorer.demo.service.url}${pathOf(id)}`, { headers: EVENTS, signal: controller.signal });
    setImmediate(() => controller.abort());
    await answer.catch(() => {});
  }
}

/** Defines the tests that stop the service. */
export function stopTests(explorer: ExplorerService): void {
  it('end the streams of events, and waiting callers get an answer before their connection ends', async () => {
    const question = modelQuestion('stops');
    explorer.model.replyTo(question, { stall: 'before-headers' });
    const { id } = await explorer.ask('ada', question);
    await explorer.waitFor(id, 'answer_generating');
    const stream = await followQuestion(explorer.demo.service.url, id);
    const waiting = explorer.send('bea', 'POST', '/explorer/answer/', { question: `${question} Now?` });
    await eventually(() => explorer.model.concurrent === 2);
    const [events, { status, body }] = await Promise.all([stream.rest(), waiting, explorer.demo.close()]);
    expect(events[0]?.record.status).to.equal('answer_generating');
    expect(events.slice(1).every(({ record }) => record.status === 'new')).to.equal(true);
    expect([status, (body as { code: string }).code]).to.deep.equal([503, 'overloaded']);
    expect((body as { detail: string }).detail).to.match(
      /^The service is stopping\. Read \/explorer\/questions\/[0-9a-f-]+\/ later\.$/,
    );
  });
}
