import { expect } from 'chai';
import { FEW_ENDPOINTS } from '../../service/few-endpoints.js';
import { onBothDatabases } from '../../services/mysql.js';
import { describeEmbedded } from '../../services/server.js';
import type { ModelReply, ModelServerRequest } from '../model-server.js';
import { dataTestsWithModel, dataTestsWithoutModel, insertInstructions, replyAboutData } from './data-tests.js';
import {
  failuresIn,
  type HostileService,
  type HostileServiceOptions,
  privateValuesIn,
  startHostileService,
} from './hostile-service.js';
import { modelKeyTests, replyWithKey } from './model-key-tests.js';
import { guardTests, outputTests, replyWithOutput } from './output-tests.js';
import { questionTests, questionTestsWithoutModel, replyWithQuestion } from './question-tests.js';
import type { TableContents } from './table-contents.js';

// All parts share one service per database, because starting it takes longer than most parts. Its data contain instructions in all parts.
onBothDatabases('with a hostile model', (environment) => {
  const options = { model: { otherwise: replyTo }, prepare: insertInstructions };
  const service = useHostileService(() => ({ ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment() }), options);
  const isServer = () => environment().DATABASE_URL !== undefined;
  describe('instructions in the data', () => dataTestsWithModel(service));
  describe('attacks', () => {
    const contents = useContents(service);
    describe('outputs of the model', () => outputTests(service, isServer));
    describe('questions', () => questionTests(service, isServer));
    describe('all together', () => changeNothing(service, contents));
  });
  // The model server fails in these tests, so the log then contains failures.
  describe('the key of the model', () => modelKeyTests(service, isServer));
});

describe('the guard', guardTests);

describeEmbedded('without a model', () => {
  const service = useHostileService(() => ({}), { prepare: insertInstructions });
  describe('instructions in the data', () => dataTestsWithoutModel(service));
  describe('attacks', () => {
    const contents = useContents(service);
    describe('questions', () => questionTestsWithoutModel(service));
    describe('all together', () => changeNothing(service, contents));
  });
});

function replyTo(request: ModelServerRequest): ModelReply {
  const scripted = replyWithOutput(request) ?? replyWithKey(request) ?? replyAboutData(request);
  return scripted ?? replyWithQuestion(request);
}

/** Starts one service for the calling suite. */
function useHostileService(
  environment: () => Record<string, string>,
  options: HostileServiceOptions,
): () => HostileService {
  let started: HostileService | undefined;
  before(async () => {
    started = await startHostileService(environment(), options);
  });
  after(() => started?.close());
  return () => {
    if (started === undefined) throw new Error('The service is available in tests and hooks only.');
    return started;
  };
}

/** Reads the tables before the calling suite. */
function useContents(service: () => HostileService): () => TableContents {
  let contents: TableContents = {};
  before(async () => {
    contents = await service().contents();
  });
  return () => contents;
}

/** Defines the last test of the attacks, which compares the tables with their content before. */
function changeNothing(service: () => HostileService, contents: () => TableContents): void {
  it('read no private value, change no other table and cause no failure', async () => {
    expect(privateValuesIn(await service().texts())).to.deep.equal([]);
    expect(Object.keys(contents())).to.not.have.length(0);
    expect(await service().contents()).to.deep.equal(contents());
    expect(failuresIn(service())).to.equal('');
  });
}
